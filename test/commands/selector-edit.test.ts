import { expect, test } from "vitest";
import { selectorEdit } from "../../src/commands/plan/selector.ts";
import type { Selector } from "../../src/service/resources.ts";
import { aContext, noon } from "../changes/build.ts";
import { createMemoryDirectory } from "./memory-known.ts";

const before: Selector = {
  selectorId: "sel-1",
  planId: "plan-dev",
  name: "Machines",
  resourceType: "amazon-ec2-instance",
  credentialIds: ["cred-dev"],
  selectorCode: "sc-1",
};
const input = { plan: "plan-dev", selector: "sel-1", name: "All machines", resourceType: "amazon-ec2-instance" };

test("a selector is not edited under a plan that is not its own", () => {
  expect(selectorEdit.request(input, aContext(), before)).toMatchObject({ planId: "plan-dev" });
  expect(selectorEdit.request({ ...input, plan: "plan-prod" }, aContext(), before)).toMatchObject({
    field: "selector",
  });
});

test("a selector whose plan no answer told is edited under the plan that is named", () => {
  expect(selectorEdit.request(input, aContext(), { ...before, planId: null })).toMatchObject({ planId: "plan-dev" });
});

test("a credential that is added must be allowed as well, and one whose project is not known is of none", async () => {
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
