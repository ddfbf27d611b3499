import { expect, test } from "vitest";
import type { Change } from "../../src/changes/change.ts";
import { mayName } from "../../src/changes/queries/queries.ts";
import { approvalList } from "../../src/commands/about-changes/approval.ts";
import type { QueryCommand } from "../../src/commands/command.ts";
import { groupDelete, groupList, groupSave } from "../../src/commands/group.ts";
import { projectRename } from "../../src/commands/project.ts";
import { createMemoryDirectory } from "../commands/memory-directory.ts";
import { anActor } from "../permissions/build.ts";
import { createEmptyQueries } from "../support/empty-queries.ts";
import { aContext, anApproval, anExtension, aWaiting, someSettings } from "./build.ts";

const group = { type: "amazon-ec2-instance", project: "p-dev", ids: ["i-0b1"] } as const;

function startQueries(waits: readonly Change[] = []) {
  const logged: unknown[] = [];
  const log = { info: (facts: unknown) => void logged.push(facts) };
  const queries = createEmptyQueries({ log, store: { waiting: async () => waits } });
  const run = (command: QueryCommand, input: Readonly<Record<string, unknown>>, context = aContext()) =>
    queries.run(command, input, context);
  return { run, logged };
}

test("logs who saved or deleted a resource group, with its content", async () => {
  const { run, logged } = startQueries();
  await run(groupSave, { name: "Lab", resourceIds: group.ids, type: group.type, project: group.project });
  await run(groupDelete, { name: "LAB" });
  expect(logged).toEqual([
    { actorId: "U01ALICE", changeId: "chg-1", command: "group save", group: "lab", ...group },
    { actorId: "U01ALICE", changeId: "chg-1", command: "group delete", group: "lab", ...group },
  ]);
});

test("lists a waiting change whose subject cannot be read with the others", async () => {
  const about = { state: "awaiting-approval", approval: anApproval() } as const;
  const mfa = {
    words: "user remove-mfa",
    operation: "RemoveUserMfa",
    request: { id: "u-1", mfaType: "google-auth" },
  } as const;
  const { run } = startQueries([aWaiting(mfa), anExtension({ id: "chg-2", ...about })]);
  const carol = anActor({ userId: "U03CAROL", groupIds: [] });
  const directory = { ...createMemoryDirectory(), get: () => Promise.reject(new Error("unreadable")) };
  const outcome = await run(approvalList, {}, aContext({ actor: carol, directory }));
  expect(outcome).toMatchObject({ kind: "answered", answer: { title: "2 changes wait" } });
});

test("shows an entity's name only to people who could use the command in its project", () => {
  const settings = someSettings();
  expect(mayName(settings, groupSave, aContext(), { projectId: "p-dev" })).toBe(true);
  expect(mayName(settings, groupSave, aContext(), { projectId: "p-prod" })).toBe(false);
  expect(mayName(settings, groupSave, aContext(), {})).toBe(true);
  expect(mayName(settings, groupList, aContext(), { projectId: "p-prod" })).toBe(false);
  expect(mayName(settings, projectRename, aContext(), { projectId: "p-dev" })).toBe(false);
});
