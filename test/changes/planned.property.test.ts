import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createChanges } from "../../src/changes/changes.ts";
import { exclusionCreate } from "../../src/commands/exclusion/exclusion.ts";
import { createReadService } from "../../src/directory/read-service.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { anActor } from "../permissions/build.ts";
import { createTestClient } from "../service/test-client.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { times } from "../support/tiers.ts";
import { aContext, directoryOn, hourMs, minuteMs, noon, peopleFrom, quietLog, someSettings } from "./build.ts";

const text = `
permissions:
  roles:
    engineer: { members: [S0ENGINEERS], allow: [reads, CreateActionExclusion, DeleteActionExclusion] }
admins: { channel: C0ADMINS }
`;
const startsAt = noon + hourMs;
const input = {
  resourceIds: ["i-0a1"],
  type: "amazon-ec2-instance",
  project: "p-dev",
  another: true,
  process: "stop",
  from: startsAt,
  until: noon + 3 * hourMs,
} as const;

/** Two pipelines as two instances have them, on one database and one service. */
async function startTwo() {
  const clock = { now: noon };
  const service = await startSandboxService({ now: () => clock.now });
  onTestFinished(() => service.close());
  const { client } = createTestClient(service.baseUrl, { apiKey: service.apiKey });
  const store = await openTestStore();
  const actorOf = async () => anActor();
  let ids = 0;
  const build = () =>
    createChanges({
      store,
      service: client,
      read: createReadService(client, store, () => clock.now),
      secretFiles: { read: async () => ({ kind: "unreadable", reason: "there are none" }) },
      settings: () => someSettings(text),
      directory: directoryOn(store),
      withEmail: async () => undefined,
      people: peopleFrom(actorOf),
      actorOf,
      now: () => clock.now,
      newId: () => `chg-${++ids}`,
      log: quietLog,
      wake: () => undefined,
    });
  const both = [build(), build()] as const;
  onTestFinished(async () => void (await Promise.all(both.map((changes) => changes.stop()))));
  const plan = async () => {
    const context = aContext({ directory: directoryOn(store), now: clock.now });
    const outcome = await both[0].run({ command: exclusionCreate, input, context, idempotencyKey: `line:${ids}` });
    if (outcome.kind !== "planned") throw new Error(`it is ${outcome.kind}`);
    return outcome.change.id;
  };
  return { clock, service, store, both, plan };
}

type Event = "job" | "both jobs" | "approved job" | "wait" | "withdraw" | "drop";
const event = fc.constantFrom<Event>("job", "both jobs", "approved job", "wait", "withdraw", "drop");

test("a planned change is made at most once, and not after it was withdrawn, in whatever order things happen", async () => {
  const { clock, service, store, both, plan } = await startTwo();
  const [one, other] = both;
  const count = () => service.account.exclusions.size;
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 8 }), async (events) => {
      clock.now = noon;
      service.faults.clear();
      const before = count();
      const id = await plan();
      let isWithdrawn = false;
      const due = (changes: typeof one) => changes.approvals.onJob("planned-change", id, clock.now);
      for (const each of [...events, "wait", "wait", "job"] as const) {
        if (each === "job") await due(one);
        if (each === "both jobs") await Promise.all([due(one), due(other), due(one)]);
        if (each === "approved job") await other.approvals.onJob("approved-change", id, clock.now);
        if (each === "wait") clock.now += 40 * minuteMs;
        if (each === "drop") service.faults.next({ kind: "status", status: 429, operation: exclusionCreate.operation });
        if (each === "withdraw") isWithdrawn ||= (await withdraw(other, id)) && count() === before;
      }
      const { state } = (await store.find(id)) ?? {};
      expect(count() - before).toBe(state === "succeeded" ? 1 : 0);
      if (isWithdrawn) expect(state).toBe("withdrawn");
    }),
    { numRuns: times(15, 60) },
  );
});

async function withdraw({ approvals }: ReturnType<typeof createChanges>, id: string): Promise<boolean> {
  const ruling = { verdict: "withdrawn", note: null } as const;
  return (await approvals.decide(id, ruling, { actor: anActor(), channelId: null })).kind === "decided";
}
