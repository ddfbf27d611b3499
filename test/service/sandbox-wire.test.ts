import { createServer, request as forward } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SandboxService, startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { createServiceClient, type ServiceClient } from "../../src/service/client.ts";
import { type OperationInput, type OperationName, operationNames } from "../../src/service/operations.ts";

interface Passed {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}

const passed: Passed[] = [];
let service: SandboxService;
let client: ServiceClient;
let closeProxy: () => Promise<void>;

/** A proxy in front of each test's own embedded service. It records the traffic. */
beforeEach(async () => {
  service = await startSandboxService();
  const proxy = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method, url, headers } = incoming;
    const { authorization, "content-type": contentType } = headers;
    passed.push({ method, url, authorization, contentType, body: Buffer.concat(chunks).toString() });
    const onward = forward(`${service.baseUrl}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    onward.end(Buffer.concat(chunks));
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  const port = typeof address === "object" && address ? address.port : 0;
  client = createServiceClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: service.apiKey });
  closeProxy = () => new Promise((resolve) => proxy.close(() => resolve()));
});
afterEach(async () => {
  await client.close();
  await closeProxy();
  await service.close();
});

const exclusion = {
  name: "demo",
  isEnabled: true,
  expiryDate: "2030-01-01T00:00:00.000Z",
  resourceType: "amazon-ec2-instance",
  resourceIdentificationMethod: "by-resource-id",
  resourceIds: ["i-0a1"],
  processes: ["stop-resource"],
};
const selector = {
  name: "Staging",
  credentialIds: ["cred-00000001"],
  resourceType: "amazon-ec2-instance" as const,
  resourceTagComparisons: [{ tagName: "env", compareType: "equals", tagValue: "staging" }],
  selectorCode: "staging-code",
};
const daily = { scheduleType: "daily", timeOfDay: "19:00:00", timeZoneId: "UTC", parameters: { days: ["monday"] } };

type Sample<O extends OperationName> = {
  readonly input: OperationInput<O>;
  /** Method and path with query, as API.md writes them. */
  readonly line: string;
  readonly bodyKeys?: readonly string[];
};

/** Inputs for entities of the seeded account. The lines and keys come from API.md ("Operations" and the sections below it). */
const samples: { readonly [O in OperationName]: Sample<O> } = {
  CreateManagedServicesPlan: {
    input: {
      name: "Office hours",
      planType: "start-stop-plan",
      schedule: daily,
      parameters: { startStopMode: "start-stop-combined", stopTimeInSeconds: 3600 },
    },
    line: "POST /api/ManagedServices/Plans/",
    bodyKeys: ["isEnabled", "name", "parameters", "planType", "schedule"],
  },
  ModifyManagedServicesSelector: {
    input: { planId: "plan-00000001", selectorId: "sel-00000001", ...selector },
    line: "PUT /api/ManagedServices/Plans/plan-00000001/Selectors/sel-00000001",
    bodyKeys: Object.keys(selector),
  },
  GetManagedServicesSelector: {
    input: { planId: "plan-00000001", selectorId: "sel-00000001" },
    line: "GET /api/ManagedServices/Plans/plan-00000001/Selectors/sel-00000001?isIncludeDeleted=false",
  },
  GetAction: {
    input: { id: "a-00000002", include: ["displayData", "lastExecution"] },
    line: "GET /api/Actions/a-00000002?include=displayData,lastExecution",
  },
  ListActions: { input: {}, line: "GET /api/Actions" },
  CreateActionExclusion: {
    input: { projectId: "p-dev", ...exclusion },
    line: "POST /api/ActionExclusions",
    bodyKeys: ["projectId", ...Object.keys(exclusion)],
  },
  ModifyActionExclusion: {
    input: { id: "aex-00000001", ...exclusion },
    line: "PUT /api/ActionExclusions/aex-00000001",
    bodyKeys: Object.keys(exclusion),
  },
  DeleteActionExclusion: { input: { id: "aex-00000001" }, line: "DELETE /api/ActionExclusions/aex-00000001" },
  ModifyCredential: {
    input: { id: "cred-00000002", name: "Renamed", cloudProviderSubTypeId: "amazon-standard" },
    line: "PUT /api/Credentials/cred-00000002",
    bodyKeys: ["cloudProviderSubTypeId", "name"],
  },
  DeleteCredential: { input: { id: "cred-00000002" }, line: "DELETE /api/Credentials/cred-00000002" },
  ModifyUser: {
    input: { id: "u-00000004", emailAddress: "dave@example.org", status: "disabled" },
    line: "PUT /api/Users/u-00000004",
    bodyKeys: ["emailAddress", "status"],
  },
  RemoveUserMfa: {
    input: { id: "u-00000001", mfaType: "google-auth" },
    line: "PUT /api/Users/u-00000001/RemoveMfa",
    bodyKeys: ["mfaType"],
  },
  DetachManagedPolicy: {
    input: { id: "u-00000003", managedPolicyId: "mp-00000001" },
    line: "PUT /api/Users/u-00000003/DetachManagedPolicy",
    bodyKeys: ["managedPolicyId"],
  },
  ModifyProject: { input: { id: "p-dev", name: "Dev" }, line: "PUT /api/Projects/p-dev", bodyKeys: ["name"] },
  GetManagedPolicy: { input: { id: "mp-00000001" }, line: "GET /api/ManagedPolicies/mp-00000001" },
};

describe("the client and the embedded service follow API.md's interface", () => {
  it.each(operationNames)("%s goes over the wire as API.md shows it, and takes effect", async (operation) => {
    const { input, line, bodyKeys } = samples[operation];
    passed.length = 0;
    const result = await client.send(operation, input);
    expect(result).toMatchObject({ kind: "succeeded" });
    expect(passed.map(({ method, url }) => `${method} ${url}`)).toEqual([line]);
    const [wire] = passed;
    expect(wire?.authorization).toBe(`AccessKey ${service.apiKey}`);
    expect(wire?.contentType).toBe(bodyKeys && "application/json");
    const body: unknown = wire?.body ? JSON.parse(wire.body) : {};
    expect(Object.keys(body ?? {}).sort()).toEqual([...(bodyKeys ?? [])].sort());
    expect(service.requests.at(-1)).toMatchObject({ operation, method: line.split(" ")[0] });
  });
});
