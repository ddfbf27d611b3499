import fc from "fast-check";
import type { Field, Fields, Input } from "../../src/commands/field.ts";
import { weekdays } from "../../src/service/resources.ts";
import { noon } from "../changes/build.ts";
import { hostileText, hostileUpTo } from "../slack/hostile-text.ts";

/** As far ahead as a moment can be typed. */
const someTime = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: noon + 1, max: noon + 400 * 24 * 3_600_000 }) },
  fc.integer({ min: noon, max: Date.UTC(9999, 11, 31) }),
);

/** A value that the field takes, of hostile text wherever text may stand. */
export function anyValue(field: Field): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case "text":
      return hostileUpTo(field.maxLength);
    case "choice": {
      const values = field.options.map((option) => option.value);
      return field.multiple ? fc.subarray(values, { minLength: 1 }) : fc.constantFrom(...values);
    }
    case "reference":
      return field.multiple ? fc.uniqueArray(hostileUpTo(150), { maxLength: 5 }) : hostileUpTo(150);
    case "things":
      return fc.subarray(["group:staging", "machine:i-0a1", "action:a-1"], { minLength: 1 });
    case "resource-ids":
    case "list":
      return fc.uniqueArray(hostileText, { minLength: 1, maxLength: 12 });
    case "moment":
      return someTime;
    case "extension":
      return fc.oneof(
        someTime.map((until) => ({ until })),
        fc.integer({ min: 1, max: 30 * 24 * 3_600_000 }).map((forMs) => ({ forMs })),
      );
    case "number":
      return fc.integer({ min: field.minimum, max: field.maximum ?? 999_999_999 });
    case "email":
      return fc.emailAddress({ size: "small" }).filter((address) => /^[\w.]+@/.test(address));
    case "time":
      return fc.constantFrom("00:00:00", "09:30:00", "23:59:59");
    case "days":
      return fc.subarray([...weekdays], { minLength: 1 });
    case "length":
      return fc.integer({ min: 1, max: 24 * 60 }).map((minutes) => minutes * 60_000);
    case "zone":
      return fc.constantFrom("UTC", "Europe/Berlin", "Eastern Standard Time");
    case "json": {
      const object = fc.dictionary(hostileText, fc.oneof(hostileText, fc.jsonValue()), { maxKeys: 3 });
      return field.list ? fc.array(object, { maxLength: 3 }) : object;
    }
    case "recurrence":
      return fc.record({
        days: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
        starts: fc.constantFrom("18:00", "07:30"),
        ends: fc.constantFrom("22:00", "06:00"),
        zone: fc.constantFrom("Europe/Berlin", "UTC"),
        lastDay: fc.constantFrom("2026-12-31", "2027-03-31"),
        notOn: fc.constantFrom([], ["holidays"]),
      });
    case "span":
      return fc.record({
        said: hostileUpTo(100),
        spans: fc.array(fc.record({ from: someTime, to: someTime }), { minLength: 1, maxLength: 3 }),
      });
    case "switch":
      return fc.constant(true);
    case "person":
      return fc.constantFrom("U01ALICE", "W0STRANGER");
    case "rules":
      return fc.array(fc.record({ tagName: hostileText, compareType: fc.constant("equals"), tagValue: hostileText }), {
        minLength: 1,
        maxLength: 4,
      });
  }
}

/** An input of these fields; with `partial` any of them may be absent, as in a form that is still to be filled in. */
export function anyInput(fields: Fields, { partial = false } = {}): fc.Arbitrary<Input> {
  // What a form alone has becomes part of other values.
  const taken = Object.entries(fields).filter(([, { hidden }]) => hidden !== "line");
  const values = Object.fromEntries(taken.map(([name, field]) => [name, anyValue(field)]));
  const required = taken.filter(([, field]) => !partial && !field.optional);
  return fc.record(values, { requiredKeys: required.map(([name]) => name) });
}
