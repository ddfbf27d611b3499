import { describe, expect, test } from "vitest";
import { decideChange } from "../../../src/changes/authorize/decide-change.ts";
import type { ChangeCommand, CommandContext } from "../../../src/commands/command.ts";
import { credentialDelete } from "../../../src/commands/credential.ts";
import { exclusionCreate, exclusionEnd } from "../../../src/commands/exclusion/exclusion.ts";
import { exclusionEdit } from "../../../src/commands/exclusion/exclusion-edit.ts";
import { exclusionExtend } from "../../../src/commands/exclusion/exclusion-extend.ts";
import type { Input } from "../../../src/commands/field.ts";
import type { Policy } from "../../../src/permissions/policy.ts";
import { createMemoryDirectory } from "../../commands/memory-directory.ts";
import { admin, anActor, aPolicy, engineer, helpdesk } from "../../permissions/build.ts";
import { aContext, anExclusion, exclusionRequest, hourMs, noon } from "../build.ts";

const everyone = { engineer, helpdesk, admin };
const roles = aPolicy(everyone);
const creation = {
  resourceIds: ["i-0a1"],
  type: "amazon-ec2-instance",
  project: "p-dev",
  process: "stop",
  until: noon + 4 * hourMs,
  name: "keep staging up",
};
const ownedBy = (ownerId: string) =>
  createMemoryDirectory([{ kind: "exclusion", id: "ae-1", body: anExclusion(), ownerId }]);

const ask = (command: ChangeCommand, input: Input, facts: Partial<CommandContext> = {}, policy: Policy = roles) =>
  decideChange(policy, command, input, aContext(facts));

describe("an authorized change", () => {
  test("carries the operation's exact input and the rule that allowed it", async () => {
    expect(await ask(exclusionCreate, creation)).toEqual({
      kind: "authorized",
      input: creation,
      request: exclusionRequest,
      before: undefined,
      subjectId: null,
      decision: { kind: "allowed", role: "engineer", rule: "permissions.roles.engineer.allow" },
      approval: undefined,
    });
  });
});

describe("an exclusion whose last answer left its project out", () => {
  const knownIn = (projectId: string) =>
    createMemoryDirectory([
      { kind: "exclusion", id: "ae-1", body: anExclusion({ projectId }), ownerId: "U01ALICE" },
      { kind: "exclusion", id: "ae-1", body: anExclusion({ projectId: null }) },
    ]);
  const extended = { exclusion: "ae-1", until: { forMs: hourMs } };
  const edited = {
    exclusion: "ae-1",
    name: "n",
    until: noon + hourMs,
    process: "stop",
    enabled: "yes",
    resourceIds: ["i-0a1"],
  };

  test.each([
    [exclusionExtend, extended],
    [exclusionEdit, edited],
    [exclusionEnd, { exclusion: "ae-1" }],
  ] as const)("is judged by its last known project", async (command, input) => {
    expect(await ask(command, input, { directory: knownIn("p-dev") })).toMatchObject({ kind: "authorized" });
    expect(await ask(command, input, { directory: knownIn("p-prod") })).toMatchObject({
      kind: "refused",
      decision: { rule: "permissions.roles.engineer.where.projects" },
    });
  });
});

describe("refuses", () => {
  test("the end of an unknown exclusion by a role limited to own ones", async () => {
    expect(await ask(exclusionEnd, { exclusion: "ae-9" })).toMatchObject({ kind: "refused" });
  });

  test("an extension beyond the role's maximum, counted from the exclusion's start", async () => {
    const directory = ownedBy("U01ALICE");
    const extend = (forMs: number) => ask(exclusionExtend, { exclusion: "ae-1", until: { forMs } }, { directory });
    expect(await extend(20 * hourMs)).toMatchObject({ kind: "authorized" });
    expect(await extend(21 * hourMs)).toMatchObject({
      kind: "refused",
      decision: { rule: "permissions.roles.engineer.where.maxExclusion" },
    });
  });

  test("an extension of an exclusion with unknown start by a role with a maximum", async () => {
    const body = anExclusion({ startDate: null, createdDate: null });
    const directory = createMemoryDirectory([{ kind: "exclusion", id: "ae-1", body, ownerId: "U01ALICE" }]);
    const extended = { exclusion: "ae-1", until: { forMs: hourMs } };
    expect(await ask(exclusionExtend, extended, { directory })).toMatchObject({
      kind: "refused",
      decision: { rule: "permissions.roles.engineer.where.maxExclusion" },
    });
  });
});

describe("an input that makes no request", () => {
  const past = { ...creation, until: noon - 1 };

  test("is refused without explanation for people who may not use the command", async () => {
    const actor = anActor({ userId: "U02BOB", groupIds: [] });
    expect(await ask(exclusionCreate, past, { actor })).toMatchObject({ kind: "refused" });
  });

  test("reveals nothing about entities of other projects or people", async () => {
    const late = { exclusion: "ae-1", until: { until: noon - 1 } };
    const knownAs = (projectId: string, ownerId: string) =>
      createMemoryDirectory([{ kind: "exclusion", id: "ae-1", body: anExclusion({ projectId }), ownerId }]);
    expect(await ask(exclusionExtend, late, { directory: knownAs("p-dev", "U01ALICE") })).toMatchObject({
      kind: "invalid",
    });
    expect(await ask(exclusionExtend, late, { directory: knownAs("p-dev", "U04DAVE") })).toMatchObject({
      kind: "refused",
    });
    expect(await ask(exclusionExtend, late, { directory: knownAs("p-prod", "U01ALICE") })).toMatchObject({
      kind: "refused",
    });
    const credential = { credentialId: "cred-1", name: "Main account", projectId: "p-prod" };
    const directory = createMemoryDirectory([{ kind: "credential", id: "cred-1", body: credential }]);
    const keepers = aPolicy({ engineer: { ...engineer, allow: ["DeleteCredential"], where: { projects: ["p-dev"] } } });
    const guess = { credential: "cred-1", name: "guess" };
    const refused = await ask(credentialDelete, guess, { directory }, keepers);
    expect(refused).toMatchObject({ kind: "refused" });
    expect(JSON.stringify(refused)).not.toContain("Main account");
  });

  test("shows an obstacle only to people who may make the change", async () => {
    const blocked = { ...exclusionEnd, obstacle: { problem: "It is too late." } };
    const input = { exclusion: "ae-1" };
    const directory = ownedBy("U01ALICE");
    expect(await ask(blocked, input, { directory })).toEqual({
      kind: "invalid",
      problem: { problem: "It is too late." },
    });
    expect(await ask(blocked, input, { directory: ownedBy("U04DAVE") })).toMatchObject({ kind: "refused" });
  });

  test("is invalid for the extension of an unknown exclusion, which the service takes only whole", async () => {
    const actor = anActor({ userId: "U03CAROL" });
    const input = { exclusion: "ae-9", until: { forMs: hourMs } };
    expect(await ask(exclusionExtend, input, { actor })).toMatchObject({
      kind: "invalid",
      problem: { field: "exclusion" },
    });
  });
});
