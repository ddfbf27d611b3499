import { describe, expect, test } from "vitest";
import { entities, entitiesIn } from "../../src/directory/read-service.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { operationNames, operations } from "../../src/service/operations.ts";
import { anExclusion, noon } from "../changes/build.ts";
import { createTestClient } from "../service/test-client.ts";

describe("entitiesIn", () => {
  test("returns the entity of an answer, with its creator", () => {
    expect(entitiesIn("CreateActionExclusion", anExclusion(), "U01ALICE")).toEqual([
      { kind: "exclusion", id: "ae-1", body: anExclusion(), ownerId: "U01ALICE" },
    ]);
    expect(entitiesIn("ModifyUser", { userId: "u-1", username: "bob" })).toEqual([
      { kind: "user", id: "u-1", body: { userId: "u-1", username: "bob" } },
    ]);
  });

  test("returns nothing for an answer that is missing, has no id or is no object", () => {
    for (const answer of [undefined, null, {}, { userId: "" }, { userId: 5 }, "u-1", []]) {
      expect(entitiesIn("ModifyUser", answer)).toEqual([]);
    }
  });

  test("returns each project of listed actions once, as a weak entity", () => {
    const actions = [
      { actionId: "a-1", projectId: "p-1" },
      { actionId: "a-2", projectId: "p-1" },
      { actionId: "a-3", projectId: null },
      { actionId: "a-4", projectId: "p-2" },
    ];
    const projects = ["p-1", "p-2"].map((id) => ({ kind: "project", id, body: { projectId: id }, weak: true }));
    expect(entitiesIn("ListActions", actions)).toEqual(projects);
    expect(entitiesIn("GetAction", actions[3])).toEqual(projects.slice(1));
  });

  test("returns an entity for every operation that answers with one", async () => {
    const service = await startSandboxService({ now: () => noon });
    const { client } = createTestClient(service.baseUrl, { apiKey: service.apiKey });
    const inputs = {
      GetManagedServicesSelector: { planId: "plan-00000001", selectorId: "sel-00000001" },
      GetManagedPolicy: { id: "mp-00000001" },
      ListActions: {},
      GetAction: { id: "a-00000001" },
      ModifyUser: { id: "u-00000001", status: "disabled" },
      RemoveUserMfa: { id: "u-00000001", mfaType: "google-auth" },
      DetachManagedPolicy: { id: "u-00000001", managedPolicyId: "mp-00000002" },
      ModifyProject: { id: "p-dev", name: "Renamed" },
    } as const;
    const inputOf = new Map<string, object>(Object.entries(inputs));
    for (const operation of operationNames.filter((name) => inputOf.has(name))) {
      const result = await client.send(operation, inputOf.get(operation) ?? {});
      expect.soft(result.kind, operation).toBe("succeeded");
      if (result.kind !== "succeeded") continue;
      expect.soft(entitiesIn(operation, result.answer).length, operation).toBeGreaterThan(0);
    }
    await service.close();
  });

  test("can read every operation whose answer has a body", () => {
    const ids = "planId selectorId actionId actionExclusionId credentialId managedPolicyId userId projectId".split(" ");
    const anything = Object.fromEntries(ids.map((id) => [id, "x-1"]));
    const silent = operationNames.filter((name) => entitiesIn(name, anything).length === 0);
    expect(silent).toEqual(operationNames.filter((name) => !("answers" in operations[name])));
  });
});

test("a body from the config is an entity when it has an id", () => {
  expect(entities("credential", { credentialId: "cred-1", name: "AWS" })).toMatchObject({ id: "cred-1" });
  expect(entities("credential", { name: "AWS" })).toBeUndefined();
});
