import { describe, expect, it } from "vitest";
import { operationNames } from "../../src/service/operations.ts";
import { answers, startRecordingService } from "./recording-service.ts";
import { callAsInSpec, type SpecOperation, specInputs } from "./spec-inputs.ts";
import { createTestClient, testKey } from "./test-client.ts";

interface OnTheWire {
  readonly line: string;
  readonly bodyKeys?: readonly string[];
}

const exclusionKeys = [
  "name",
  "isEnabled",
  "expiryDate",
  "resourceType",
  "resourceIdentificationMethod",
  "resourceIds",
  "processes",
];

/** Copied from API.md ("Operations" and the sections below it), not derived from the operation table, to check that table. */
const spec: Readonly<Record<SpecOperation, OnTheWire>> = {
  CreateManagedServicesPlan: {
    line: "POST /api/ManagedServices/Plans/",
    bodyKeys: ["name", "planType", "schedule", "parameters", "isEnabled", "projectId"],
  },
  ModifyManagedServicesSelector: {
    line: "PUT /api/ManagedServices/Plans/plan-1/Selectors/sel-1",
    bodyKeys: ["name", "credentialIds", "resourceType", "resourceTagComparisons", "groupIdComparisons", "selectorCode"],
  },
  GetManagedServicesSelector: { line: "GET /api/ManagedServices/Plans/plan-1/Selectors/sel-1?isIncludeDeleted=true" },
  GetAction: { line: "GET /api/Actions/a-1?include=displayData,lastExecution" },
  ListActions: { line: "GET /api/Actions" },
  CreateActionExclusion: { line: "POST /api/ActionExclusions", bodyKeys: ["projectId", ...exclusionKeys] },
  ModifyActionExclusion: { line: "PUT /api/ActionExclusions/ae-1", bodyKeys: exclusionKeys },
  DeleteActionExclusion: { line: "DELETE /api/ActionExclusions/ae-1" },
  ModifyCredential: {
    line: "PUT /api/Credentials/cred-1",
    bodyKeys: ["name", "cloudProviderSubTypeId", "amazonIamRole"],
  },
  DeleteCredential: { line: "DELETE /api/Credentials/cred-1" },
  ModifyUser: { line: "PUT /api/Users/u-1", bodyKeys: ["emailAddress", "status"] },
  RemoveUserMfa: { line: "PUT /api/Users/u-1/RemoveMfa", bodyKeys: ["mfaType"] },
  DetachManagedPolicy: { line: "PUT /api/Users/u-1/DetachManagedPolicy", bodyKeys: ["managedPolicyId"] },
  ModifyProject: { line: "PUT /api/Projects/p-1", bodyKeys: ["name"] },
  GetManagedPolicy: { line: "GET /api/ManagedPolicies/mp-1" },
};

const isInSpec = (name: string): name is SpecOperation => Object.hasOwn(specInputs, name);

describe("every operation on the wire", () => {
  it.each(operationNames.filter(isInSpec))("%s is sent as API.md shows it", async (operation) => {
    const service = await startRecordingService(answers(200));
    const { client } = createTestClient(service.url);
    await callAsInSpec(client, operation);

    const [request, ...more] = service.requests;
    expect(more).toEqual([]);
    expect(`${request?.method} ${request?.url}`).toBe(spec[operation].line);
    expect(request?.headers.authorization).toBe(`AccessKey ${testKey}`);
    const { bodyKeys } = spec[operation];
    expect(request?.headers["content-type"]).toBe(bodyKeys && "application/json");
    if (!bodyKeys) return expect(request?.body).toBe("");
    const body: Record<string, unknown> = JSON.parse(request?.body ?? "");
    expect(Object.keys(body).sort()).toEqual([...bodyKeys].sort());
    expect({ ...specInputs[operation], ...body }).toEqual({ isEnabled: body.isEnabled, ...specInputs[operation] });
  });

  it("fills in the defaults from API.md", async () => {
    const service = await startRecordingService(answers(200));
    const { client } = createTestClient(service.url);
    await client.call("GetManagedServicesSelector", { planId: "plan-1", selectorId: "sel-1" });
    await client.call("CreateManagedServicesPlan", specInputs.CreateManagedServicesPlan);
    await client.call("GetAction", { id: "a-1", include: [] });
    expect(service.requests.map(({ url }) => url)).toEqual([
      "/api/ManagedServices/Plans/plan-1/Selectors/sel-1?isIncludeDeleted=false",
      "/api/ManagedServices/Plans/",
      "/api/Actions/a-1",
    ]);
    expect(JSON.parse(service.requests[1]?.body ?? "")).toMatchObject({ isEnabled: false });
  });

  it("encodes path parameters, and keeps the base address's path", async () => {
    const service = await startRecordingService(answers(200));
    const { client } = createTestClient(`${service.url}/scheduler/`);
    await client.call("GetAction", { id: "a/b?c#d é%" });
    expect(service.requests[0]?.url).toBe("/scheduler/api/Actions/a%2Fb%3Fc%23d%20%C3%A9%25");
  });

  it("reuses connections for later calls", async () => {
    const sockets = new Set<unknown>();
    const service = await startRecordingService((response, request) => {
      sockets.add(response.socket);
      answers(200)(response, request);
    });
    const { client } = createTestClient(service.url);
    for (let call = 0; call < 10; call += 1) await client.call("DeleteCredential", { id: "cred-1" });
    expect(service.requests.length).toBe(10);
    expect(sockets.size).toBeLessThanOrEqual(2);
  });
});

describe("a request that breaks the operation's rules", () => {
  it.each([
    [{ id: "" }, "id: must not be empty"],
    [{ id: ".." }, "id: is not an identifier"],
    [{ id: "." }, "id: is not an identifier"],
    [{ id: "a\ud800" }, "id: is not an identifier"],
  ])("is not sent when the path parameter is bad: %j", async (input, message) => {
    const service = await startRecordingService(answers(200));
    const { client } = createTestClient(service.url);
    const result = await client.call("DeleteCredential", input);
    expect(result).toMatchObject({ kind: "failed", error: { code: "InvalidRequest", operation: "DeleteCredential" } });
    expect(result.kind === "failed" && result.error.message).toContain(message);
    expect(service.requests).toEqual([]);
  });

  it("is not sent, and the error names every broken rule", async () => {
    const service = await startRecordingService(answers(200));
    const { client } = createTestClient(service.url);
    const result = await client.call("CreateActionExclusion", {
      ...specInputs.CreateActionExclusion,
      name: "",
      expiryDate: "tomorrow",
    });
    expect(result).toMatchObject({ kind: "failed", error: { code: "InvalidRequest", status: undefined } });
    expect(result.kind === "failed" && result.error.message).toMatch(/name: .*expiryDate: /);
    expect(service.requests).toEqual([]);
  });

  it("is not sent when group rules are given for another resource type", async () => {
    const service = await startRecordingService(answers(200));
    const { client } = createTestClient(service.url);
    const result = await client.call("ModifyManagedServicesSelector", {
      ...specInputs.ModifyManagedServicesSelector,
      resourceType: "amazon-ec2-instance",
    });
    expect(result.kind === "failed" && result.error.message).toContain("only for azure-virtual-machine");
    expect(service.requests).toEqual([]);
  });
});
