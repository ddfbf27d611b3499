import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createChanges } from "../../src/changes/changes.ts";
import type { ChangeCommand } from "../../src/commands/command.ts";
import { exclusionCreate, exclusionEnd } from "../../src/commands/exclusion/exclusion.ts";
import { exclusionEdit } from "../../src/commands/exclusion/exclusion-edit.ts";
import { exclusionExtend } from "../../src/commands/exclusion/exclusion-extend.ts";
import type { Input } from "../../src/commands/field.ts";
import { createReadService } from "../../src/directory/read-service.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { aContext, directoryOn, hourMs, noon, peopleFrom, quietLog, someSettings } from "../changes/build.ts";
import { anActor } from "../permissions/build.ts";
import { createTestClient } from "../service/test-client.ts";
import { openTestStore } from "../store/open-test-store.ts";

/** Long exclusions of databases need an approval on creation, and everything in production always does. */
const settings = someSettings(`
permissions:
  roles:
    engineer:
      members: [S0ENGINEERS]
      allow: [reads, CreateActionExclusion, ModifyActionExclusion, DeleteActionExclusion]
      where: { projects: [p-dev, p-prod], resourceTypes: [amazon-ec2-instance, amazon-rds-instance], maxExclusion: 24h }
    admin: { members: [U03CAROL], allow: ["*"] }
approvals:
  - { operations: [CreateActionExclusion], approvers: [admin], when: { longerThan: 8h, resourceTypes: [amazon-rds-instance] } }
  - { operations: [CreateActionExclusion, ModifyActionExclusion], approvers: [admin], when: { projects: [p-prod] } }
admins: { channel: C0ADMINS }
resourceGroups:
  shop: { type: amazon-ec2-instance, project: p-prod, ids: [i-0b1] }
`);
const types = ["amazon-ec2-instance", "amazon-rds-instance", "amazon-ebs-volume"] as const;
const ids = ["i-0a1", "i-0b1", "orders", "Orders", "web", "arn:aws:ec2:eu-west-1:1:instance/i-0b1"] as const;

const hours = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 12 }) }, fc.integer({ min: 13, max: 30 }));
const directory = fc.constantFrom("web" as const, "orders" as const);
const someIds = fc.uniqueArray(fc.oneof({ weight: 3, arbitrary: directory }, fc.constantFrom(...ids)), {
  minLength: 1,
  maxLength: 2,
});
const which = fc.nat({ max: 2 });
/** An exclusion that needs no approval, as a start for the other steps. */
const start = fc.record({
  kind: fc.constant("create" as const),
  ids: fc.uniqueArray(fc.constantFrom("web" as const, "orders" as const), { minLength: 1 }),
  type: fc.constantFrom("amazon-ec2-instance" as const, "amazon-rds-instance" as const),
  project: fc.constant("p-dev" as const),
  hours: fc.integer({ min: 1, max: 8 }),
});
const step = fc.oneof(
  fc.record({
    kind: fc.constant("create" as const),
    ids: someIds,
    type: fc.constantFrom(...types),
    project: fc.constantFrom("p-dev", "p-prod"),
    hours,
  }),
  fc.record({ kind: fc.constant("extend" as const), which, hours }),
  fc.record({
    kind: fc.constant("edit" as const),
    which,
    ids: fc.option(someIds, { nil: undefined }),
    type: fc.option(fc.constantFrom(...types), { nil: undefined }),
    hours: fc.option(hours, { nil: undefined }),
    enabled: fc.constantFrom("yes" as const, "no" as const),
    process: fc.constantFrom("stop" as const, "both" as const),
  }),
  fc.record({ kind: fc.constant("undo" as const), which }),
  fc.record({ kind: fc.constant("end" as const), which }),
  fc.record({ kind: fc.constant("wait" as const), hours: fc.integer({ min: 1, max: 6 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

test("no sequence of create, edit, extend and undo bypasses the rules for a new exclusion", async () => {
  let settled = 0;
  await fc.assert(
    fc.asyncProperty(start, fc.array(step, { minLength: 2, maxLength: 9 }), async (first, steps) => {
      const bot = await startPipeline();
      try {
        for (const each of [first, ...steps]) settled += await bot.take(each);
        expect(await bot.statesOutOfReach()).toEqual([]);
      } finally {
        await bot.stop();
      }
    }),
    { numRuns: 30 },
  );
  expect(settled).toBeGreaterThan(25);
}, 120_000);

/** The pipeline on the embedded service and a real database. */
async function startPipeline() {
  const clock = { now: noon };
  const now = () => clock.now;
  const service = await startSandboxService({ now });
  service.account.exclusions.clear();
  const { client } = createTestClient(service.baseUrl, { apiKey: service.apiKey });
  const store = await openTestStore();
  const directory = directoryOn(store, settings.resourceGroups);
  let count = 0;
  const changes = createChanges({
    store,
    service: client,
    read: createReadService(client, store, now),
    secretFiles: { read: async () => ({ kind: "unreadable", reason: "there are none" }) },
    settings: () => settings,
    directory,
    people: peopleFrom(async () => anActor()),
    actorOf: async () => anActor(),
    withEmail: async () => undefined,
    now,
    newId: () => `chg-${++count}`,
    log: quietLog,
  });
  const done: string[] = [];
  const context = () => aContext({ directory, settings, now: clock.now });
  const run = async (command: ChangeCommand, input: Input, undoes?: string): Promise<number> => {
    const more = undoes === undefined ? {} : { undoes };
    const outcome = await changes.run({
      command,
      input,
      context: context(),
      idempotencyKey: `key:${++count}`,
      ...more,
    });
    if (outcome.kind !== "settled" || outcome.change.state !== "succeeded") return 0;
    done.push(outcome.change.id);
    return 1;
  };
  const exclusions = () => [...service.account.exclusions.values()];
  const take = async (each: Step): Promise<number> => {
    if (each.kind === "wait") {
      clock.now += each.hours * hourMs;
      return 0;
    }
    const until = clock.now + ("hours" in each ? (each.hours ?? 0) : 0) * hourMs;
    if (each.kind === "create") {
      const { ids: resourceIds, type, project } = each;
      return run(exclusionCreate, { resourceIds, type, project, process: "stop", until, another: true });
    }
    if (each.kind === "undo") {
      const changeId = done.at(-1 - each.which);
      const plan = changeId === undefined ? undefined : await changes.planUndo(changeId, anActor().userId);
      return plan && !("problem" in plan) ? run(plan.command, plan.input, plan.undoes) : 0;
    }
    const exclusion = exclusions().at(each.which % Math.max(1, exclusions().length));
    if (!exclusion) return 0;
    const { actionExclusionId, name, expiryDate } = exclusion;
    if (each.kind === "end") return run(exclusionEnd, { exclusion: actionExclusionId });
    if (each.kind === "extend")
      return run(exclusionExtend, { exclusion: actionExclusionId, until: { forMs: each.hours * hourMs } });
    return run(exclusionEdit, {
      exclusion: actionExclusionId,
      name,
      until: each.hours === undefined ? Date.parse(expiryDate) : until,
      process: each.process,
      enabled: each.enabled,
      type: each.type ?? exclusion.resourceType,
      method: "by-resource-id",
      resourceIds: each.ids ?? exclusion.resourceIds,
    });
  };
  /** Active exclusions that could not be created again without an approval. */
  const statesOutOfReach = async (): Promise<readonly object[]> => {
    const out: object[] = [];
    for (const exclusion of exclusions()) {
      const { projectId, resourceIds, resourceType, expiryDate, isEnabled } = exclusion;
      if (!isEnabled || Date.parse(expiryDate) <= clock.now) continue;
      const input = { resourceIds, type: resourceType, project: projectId, process: "both", another: true };
      const made = { ...input, until: Date.parse(expiryDate) };
      const checked = await changes.check({ command: exclusionCreate, input: made, context: context() });
      if (checked.kind !== "authorized" || checked.approval) out.push({ exclusion, checked });
    }
    return out;
  };
  const stop = async () => {
    await changes.stop();
    await service.close();
  };
  onTestFinished(stop);
  return { take, statesOutOfReach, stop };
}
