import fc from "fast-check";
import { expect, test } from "vitest";
import type { createChanges } from "../../src/changes/changes.ts";
import { exclusionCreate } from "../../src/commands/exclusion/exclusion.ts";
import { exclusionRepeat } from "../../src/commands/exclusion/planned/exclusion-repeat.ts";
import { weekdays } from "../../src/time/wall-clock.ts";
import { anActor } from "../permissions/build.ts";
import { hourMs, minuteMs, noon, someSettings } from "./build.ts";
import { startPipeline } from "./start-pipeline.ts";

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
  const { build, changes, context, run, ...parts } = await startPipeline({ settings: () => someSettings(text) });
  const both = [changes, build()] as const;
  const planned = async (asking: ReturnType<typeof run>) => {
    const outcome = await asking;
    if (outcome.kind !== "planned") throw new Error(`it is ${outcome.kind}`);
    return outcome.change.id;
  };
  let plans = 0;
  const plan = () => planned(run(exclusionCreate, input, `line:${++plans}`));
  const { from: _from, until: _until, another: _another, ...what } = input;
  const repeat = () => planned(run(exclusionRepeat, { ...what, every, name: `series ${++plans}` }, `line:${plans}`));
  return { ...parts, both, plan, repeat };
}

const startOfTime = (at: number): string => new Date(at).toISOString().slice(11, 16);
/** Twice: today and tomorrow. */
const every = {
  days: weekdays,
  starts: startOfTime(startsAt),
  ends: startOfTime(startsAt + 10 * hourMs),
  zone: "UTC",
  lastDay: new Date(noon + 24 * hourMs).toISOString().slice(0, 10),
  notOn: [],
};

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
    { numRuns: 40 },
  );
});

async function withdraw({ approvals }: ReturnType<typeof createChanges>, id: string): Promise<boolean> {
  const ruling = { verdict: "withdrawn", note: null } as const;
  return (await approvals.decide(id, ruling, { actor: anActor(), channelId: null })).kind === "decided";
}

type OfTime = "job" | "both jobs" | "approved job" | "wait" | "leave out" | "put back" | "both at once";
const ofTime = fc.constantFrom<OfTime>(
  "job",
  "both jobs",
  "approved job",
  "wait",
  "leave out",
  "put back",
  "both at once",
);

test("a time of a series is made once unless it was left out, in whatever order it is left out and put back", async () => {
  const { clock, service, store, both, repeat } = await startTwo();
  const [one, other] = both;
  await fc.assert(
    fc.asyncProperty(fc.array(ofTime, { minLength: 1, maxLength: 8 }), async (events) => {
      clock.now = noon;
      const before = service.account.exclusions.size;
      const id = await repeat();
      const due = (changes: typeof one) => changes.approvals.onJob("planned-change", id, clock.now);
      const first = async () => (await store.find(id))?.children?.find((child) => child.input.from === startsAt);
      const rule = (changes: typeof one, isBack: boolean) => {
        const ruling = { verdict: "withdrawn", note: null, occurrence: startsAt, isBack } as const;
        return changes.approvals.decide(id, ruling, { actor: anActor(), channelId: null });
      };
      for (const each of [...events, "wait", "wait", "job"] as const) {
        if (each === "job") await due(one);
        if (each === "both jobs") await Promise.all([due(one), due(other), due(one)]);
        if (each === "approved job")
          await other.approvals.onJob("approved-change", (await first())?.id ?? "", clock.now);
        if (each === "wait") clock.now += 40 * minuteMs;
        if (each === "leave out") await rule(one, false);
        if (each === "put back") await rule(other, true);
        if (each === "both at once") await Promise.all([rule(one, false), rule(other, true), due(other)]);
      }
      const state = (await first())?.state;
      expect(["succeeded", "withdrawn"]).toContain(state);
      expect(service.account.exclusions.size - before).toBe(state === "succeeded" ? 1 : 0);
    }),
    { numRuns: 15 },
  );
});
