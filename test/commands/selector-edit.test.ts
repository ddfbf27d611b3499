import { expect, test } from "vitest";
import { selectorEdit } from "../../src/commands/selector.ts";
import type { Selector } from "../../src/service/resources.ts";
import { aContext, noon } from "../changes/build.ts";
import { createMemoryDirectory } from "./memory-directory.ts";

const before: Selector = {
  selectorId: "sel-1",
  planId: "plan-dev",
  name: "Machines",
  resourceType: "amazon-ec2-instance",
  credentialIds: ["cred-dev"],
  selectorCode: "sc-1",
};
const input = { plan: "plan-dev", selector: "sel-1", name: "All machines", resourceType: "amazon-ec2-instance" };

test("refuses to edit a selector under another plan", () => {
  expect(selectorEdit.request(input, aContext(), before)).toMatchObject({ planId: "plan-dev" });
  expect(selectorEdit.request({ ...input, plan: "plan-prod" }, aContext(), before)).toMatchObject({
    field: "selector",
  });
});

test("edits a selector of unknown plan under the given plan", () => {
  expect(selectorEdit.request(input, aContext(), { ...before, planId: null })).toMatchObject({ planId: "plan-dev" });
});

test("an added credential needs the right for its project, or for none if unknown", async () => {
  const directory = createMemoryDirectory([
    { kind: "plan", id: "plan-dev", body: { planId: "plan-dev", projectId: "p-dev" } },
    { kind: "credential", id: "cred-dev", body: { credentialId: "cred-dev", projectId: "p-dev" } },
    { kind: "credential", id: "cred-prod", body: { credentialId: "cred-prod", projectId: "p-prod" } },
  ]);
  const projectsOf = async (...credentials: readonly string[]) => {
    const request = selectorEdit.request({ ...input, credentials }, aContext(), before);
    const targets = await selectorEdit.target({ request, before, after: undefined }, noon, directory);
    return new Set([targets].flat().map(({ projectId }) => projectId));
  };
  expect(await projectsOf("cred-dev")).toEqual(new Set(["p-dev"]));
  expect(await projectsOf("cred-dev", "cred-prod")).toEqual(new Set(["p-dev", "p-prod"]));
  expect(await projectsOf("cred-new")).toEqual(new Set(["p-dev", undefined]));
});
