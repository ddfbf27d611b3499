import { expect, test } from "vitest";
import {
  answerSchemaOf,
  type Operation,
  type OperationInput,
  type OperationName,
  operationNames,
  operations,
} from "../../../src/service/operations.ts";
import { startService } from "./start-service.ts";

const exclusion = {
  name: "Keep staging up",
  isEnabled: true,
  expiryDate: "2026-11-20T18:00:00Z",
  resourceType: "amazon-ec2-instance",
  resourceIdentificationMethod: "by-resource-id",
  resourceIds: ["i-0a1"],
  processes: ["stop-resource"],
};
const selector = { planId: "plan-00000001", selectorId: "sel-00000001" };

/** One valid request for each operation. */
const inputs = {
  CreateManagedServicesPlan: {
    name: "Office hours",
    planType: "start-stop-plan",
    schedule: {
      scheduleType: "daily",
      timeOfDay: "08:00:00",
      timeZoneId: "Eastern Standard Time",
      parameters: { days: ["monday"] },
    },
    parameters: { startStopMode: "start-stop-combined", stopTimeInSeconds: 28_800 },
  },
  ModifyManagedServicesSelector: {
    ...selector,
    name: "Staging",
    credentialIds: ["cred-00000001"],
    resourceType: "amazon-ec2-instance",
  },
  GetManagedServicesSelector: selector,
  GetAction: { id: "a-00000001", include: ["displayData", "lastExecution", "parameters"] },
  ListActions: {},
  CreateActionExclusion: { projectId: "p-dev", ...exclusion },
  ModifyActionExclusion: { id: "aex-00000001", ...exclusion },
  DeleteActionExclusion: { id: "aex-00000001" },
  ModifyCredential: { id: "cred-00000001", cloudProviderSubTypeId: "amazon-standard", name: "AWS" },
  DeleteCredential: { id: "cred-00000002" },
  ModifyUser: { id: "u-00000001", status: "disabled" },
  RemoveUserMfa: { id: "u-00000001", mfaType: "google-auth" },
  DetachManagedPolicy: { id: "u-00000001", managedPolicyId: "mp-00000002" },
  ModifyProject: { id: "p-dev", name: "Dev" },
  GetManagedPolicy: { id: "mp-00000001" },
} satisfies { [O in OperationName]?: OperationInput<O> };

const tried = operationNames.filter((name): name is keyof typeof inputs => Object.hasOwn(inputs, name));

test.each(tried)("%s answers a valid request as its row declares", async (operation) => {
  const { service, call } = await startService();
  const row: Operation = operations[operation];
  const { path, body } = requestOf(row, inputs[operation]);

  const answer = await call(row.method, path, body);

  const schema = answerSchemaOf(operation);
  expect(answer.status).toBe(schema ? 200 : 204);
  if (schema) expect(schema.parse(answer.body)).toEqual(nullListsEmptied(answer.body));
  else expect(answer.body).toBeUndefined();
  expect(service.requests).toMatchObject([
    { operation, method: row.method, status: answer.status, at: expect.any(Number) },
  ]);
});

test.each(tried)("%s is rejected without the key", async (operation) => {
  const { service, send } = await startService();
  const row: Operation = operations[operation];
  const { path, body } = requestOf(row, inputs[operation]);
  const before = structuredClone(service.account);

  const response = await send(row.method, path, { body, headers: { authorization: "" } });

  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ errorCode: "InvalidAccessKey" });
  expect(service.account).toEqual(before);
});

const withIds = operationNames.filter((operation) => operations[operation].path.includes("{"));

test.each(withIds)("%s answers 404 for an unknown id", async (operation) => {
  const { call } = await startService();
  const row: Operation = operations[operation];
  const [, parameter = ""] = /\{(\w+)\}/.exec(row.path) ?? [];
  const { path, body } = requestOf(row, { ...inputs[operation], [parameter]: "x-404" });

  const answer = await call(row.method, path, body);

  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({ errorCode: expect.stringMatching(/^[A-Z]\w+NotFound$/), message: expect.any(String) });
});

const withBody = operationNames.filter((operation) => "body" in operations[operation]);

test.each(withBody)("%s rejects a body that is missing or not a JSON object", async (operation) => {
  const { send } = await startService();
  const row: Operation = operations[operation];
  const { path, body } = requestOf(row, inputs[operation]);
  const asText = { body, headers: { "content-type": "text/plain" } };

  for (const sent of [{}, { body: "{" }, { body: [] }, { body: "null" }, asText]) {
    const response = await send(row.method, path, sent);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errorCode: "InvalidRequest" });
  }
});

test.each(withBody)("%s refuses a body field that it does not know, and changes nothing", async (operation) => {
  const { service, call } = await startService();
  const row: Operation = operations[operation];
  const { path, body } = requestOf(row, inputs[operation]);
  const before = structuredClone(service.account);

  const answer = await call(row.method, path, { ...body, Status: "disabled" });

  expect(answer).toEqual({
    status: 400,
    body: {
      errorCode: "InvalidParameter",
      message: expect.stringContaining("Unknown in this request: Status. It takes "),
      modelState: { Status: ["is not a field of this request"] },
    },
  });
  expect(service.account).toEqual(before);
});

/** Splits a flat input: the rest after path and query parameters is the body. */
function requestOf(row: Operation, input: object): { path: string; body: object | undefined } {
  const rest: Record<string, unknown> = { ...input };
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(taken(rest, name)));
  const query = new URLSearchParams();
  for (const name of Object.keys(row.query?.shape ?? {})) if (name in rest) query.set(name, taken(rest, name));
  return { path: query.size ? `${path}?${query}` : path, body: row.body && rest };
}

function taken(values: Record<string, unknown>, name: string): string {
  const value = String(values[name]);
  delete values[name];
  return value;
}

/** The schema turns the null of unset regions into an empty list. */
function nullListsEmptied(body: object): object {
  return "regionNames" in body ? { ...body, regionNames: body.regionNames ?? [] } : body;
}
