import fc from "fast-check";
import { expect, test } from "vitest";
import { type ExclusionRecord, keptBy } from "../../../src/changes/hours/kept-running.ts";
import { weeklyHours } from "../../../src/changes/hours/weekly-hours.ts";
import { totalMs } from "../../../src/permissions/held-time.ts";
import { lengthWithin } from "../../../src/time/intervals.ts";

const minute = 60_000;
const horizon = 400;
const resource = (key: string) => ({ key, id: key });
const person = fc.constantFrom("U1", "U2", null);

const step = fc.record({
  at: fc.integer({ min: 0, max: 300 }),
  by: person,
  from: fc.integer({ min: 0, max: 300 }),
  length: fc.integer({ min: 0, max: 120 }),
  names: fc.subarray(["a", "b"]),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const inOrder = (steps: Step[]) =>
  steps
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, by, from, length, names }) => ({
      at: at * minute,
      by,
      keeps: {
        from: from * minute,
        to: (Math.max(at, from) + length) * minute,
        resources: names.map(resource),
      },
    }));
const record = fc
  .tuple(fc.constantFrom("x", "y", "z"), fc.array(step, { minLength: 1, maxLength: 5 }))
  .map(([id, steps]): ExclusionRecord => ({ id, projectId: "p", steps: inOrder(steps) }));

/** Whose each minute of a resource is, by the rule, one minute after the other. */
function minutesOf({ steps }: ExclusionRecord, key: string): readonly (string | null | undefined)[] {
  const owners: (string | null | undefined)[] = Array.from({ length: horizon + 200 });
  for (const { at, by, keeps } of steps)
    for (let each = at / minute; each < owners.length; each++) {
      const start = each * minute;
      const isKept = start >= keeps.from && start < keeps.to && keeps.resources.some((named) => named.key === key);
      if (!isKept) owners[each] = undefined;
      else if (owners[each] === undefined) owners[each] = by;
    }
  return owners;
}

test("the hours are those of a count minute by minute", () => {
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 4 }),
      fc.constantFrom("a", "b"),
      person,
      fc.tuple(fc.integer({ min: 0, max: horizon }), fc.integer({ min: 0, max: horizon })),
      (records, key, who, [one, other]) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const kept = records.flatMap(keptBy).filter((each) => each.resource.key === key);
        const owners = records.map((each) => minutesOf(each, key));
        const counted = (isMeant: (owner: string | null | undefined) => boolean) =>
          Array.from({ length: to - from }, (_, index) => from + index).filter((each) =>
            owners.some((all) => isMeant(all[each])),
          ).length * minute;
        const range = { from: from * minute, to: to * minute };
        expect(lengthWithin(kept, range)).toBe(counted((owner) => owner !== undefined));
        const own = kept.filter((each) => each.by === who);
        expect(lengthWithin(own, range)).toBe(counted((owner) => owner === who));
      },
    ),
    { numRuns: 400 },
  );
});

test("what a request adds, and what counted before, come to what counts once it is made", () => {
  const week = { from: Date.parse("2026-11-23T00:00:00Z"), to: Date.parse("2026-11-30T00:00:00Z") };
  const moved = ({ steps, ...rest }: ExclusionRecord): ExclusionRecord => ({
    ...rest,
    steps: steps.map((each) => ({
      ...each,
      at: each.at + week.from,
      keeps: { ...each.keeps, from: each.keeps.from + week.from, to: each.keeps.to + week.from },
    })),
  });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 3 }), step, fc.constantFrom(null, "x", "y"), (all, last, exclusionId) => {
      const records = [...new Map(all.map((each) => [each.id, moved(each)])).values()];
      const [asked] = moved({ id: "", projectId: "p", steps: inOrder([{ ...last, at: 301, by: "U1" }]) }).steps;
      if (!asked) return;
      const found = weeklyHours(records, { ...asked, exclusionId, projectId: "p" }, "UTC");
      const after = records.map((each) =>
        each.id === exclusionId ? { ...each, steps: [...each.steps, asked] } : each,
      );
      const isNew = !records.some(({ id }) => id === exclusionId);
      const made = isNew ? [...after, { id: "new", projectId: "p", steps: [asked] }] : after;
      for (const { key } of asked.keeps.resources) {
        const own = (list: readonly ExclusionRecord[]) =>
          lengthWithin(
            list.flatMap(keptBy).filter((each) => each.resource.key === key && each.by === "U1"),
            week,
          );
        const totals = found
          .filter(({ of }) => of === key || asked.keeps.resources.length === 1)
          .map((each) => totalMs(each));
        expect(totals).toEqual(own(made) > own(records) ? [own(made)] : []);
      }
    }),
    { numRuns: 2000 },
  );
});
