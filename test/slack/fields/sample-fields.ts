import {
  choice,
  days,
  email,
  extension,
  type Field,
  json,
  length,
  list,
  moment,
  number,
  person,
  recurrence,
  reference,
  resourceIds,
  rules,
  span,
  text,
  things,
  time,
  toggle,
  zone,
} from "../../../src/commands/field.ts";
import { hourMs, noon } from "../../changes/build.ts";

export interface Sample {
  readonly field: Field;
  /** A value that a form shows in full. */
  readonly value: unknown;
  /** Values that the field rejects. */
  readonly wrong: readonly unknown[];
}

const few = ["stop", "start", "both"].map((value) => ({ value, label: value }));
const many = Array.from({ length: 12 }, (_each, index) => ({ value: `type-${index}`, label: `Type ${index}` }));

/** Samples of every kind of field. A missing kind does not compile. */
const samples: { readonly [K in Field["kind"]]: readonly Sample[] } = {
  text: [
    { field: text({ label: "Name", maxLength: 20 }), value: "Dev <1> & co", wrong: ["", "x".repeat(21), 5, null] },
    { field: text({ label: "Reason", maxLength: 500, multiline: true }), value: "one\ntwo", wrong: [["one"]] },
    { field: text({ label: "New name", maxLength: 20, positional: "rest" }), value: "Dev", wrong: [{}] },
  ],
  choice: [
    { field: choice(few, { label: "Process", initial: "stop" }), value: "both", wrong: ["none", "", ["both"], null] },
    { field: choice(many, { label: "Type" }), value: "type-3", wrong: ["type-12", "constructor"] },
    {
      field: choice(few, { label: "Include", multiple: true }),
      value: ["stop", "both"],
      wrong: [[], "stop", ["none"]],
    },
  ],
  reference: [
    { field: reference("project", { label: "Project" }), value: "p-1", wrong: ["", 1, ["p-1"]] },
    { field: reference("user", { label: "Users", multiple: true }), value: ["u-1", "u-9"], wrong: ["u-1", [""]] },
  ],
  "resource-ids": [
    { field: resourceIds({ label: "Resource ids" }), value: ["i-0a1", "i-0a2"], wrong: [[], "i-0a1", [""]] },
  ],
  things: [
    { field: things({ label: "Or choose" }), value: ["group:staging", "machine:i-0a1"], wrong: [[], "group:x"] },
  ],
  moment: [{ field: moment({ label: "Until" }), value: noon + hourMs, wrong: [0, -1, 1.5, "18:00", Number.NaN] }],
  extension: [
    {
      field: extension({ label: "Until" }),
      value: { until: noon + hourMs },
      wrong: [noon, {}, { forMs: 0 }, { until: 1, forMs: 1 }],
    },
  ],
  number: [
    { field: number({ label: "Page", minimum: 1 }), value: 12, wrong: [0, 1.5, "2", Number.POSITIVE_INFINITY] },
    { field: number({ label: "Page", minimum: 1, maximum: 20 }), value: 20, wrong: [0, 21] },
  ],
  email: [{ field: email({ label: "Address" }), value: "bob@example.com", wrong: ["bob", "", "a@b", 5] }],
  time: [{ field: time({ label: "Time" }), value: "09:30:00", wrong: ["9:30", "25:00:00", ""] }],
  recurrence: [
    {
      field: recurrence({ label: "Every" }),
      value: {
        ...{ days: ["monday", "friday"], starts: "18:00", ends: "22:00", zone: "Europe/Berlin" },
        ...{ lastDay: "2026-12-31", notOn: ["holidays"] },
      },
      wrong: ["thu", {}, { days: [] }],
    },
  ],
  span: [
    {
      field: span({ label: "When" }),
      value: { said: "tomorrow", spans: [{ from: noon + 11 * hourMs, to: noon + 35 * hourMs }] },
      wrong: ["tomorrow", { said: "tomorrow" }, { said: "tomorrow", spans: [] }],
    },
  ],
  days: [
    { field: days({ label: "Days" }), value: ["monday", "tuesday", "wednesday"], wrong: [[], "monday", ["Monday"]] },
    { field: days({ label: "Days" }), value: ["monday", "friday"], wrong: [["someday"]] },
  ],
  length: [{ field: length({ label: "Length" }), value: 11.5 * hourMs, wrong: [0, -1, 1.5, "8h"] }],
  zone: [{ field: zone({ label: "Zone" }), value: "Eastern Standard Time", wrong: ["", 5] }],
  json: [{ field: json({ label: "Parameters" }), value: { a: [1, { b: null }] }, wrong: ["{}", [], null] }],
  rules: [
    {
      field: rules({ label: "Tags" }),
      value: [
        { tagName: "env", compareType: "equals", tagValue: "dev stage" },
        { tagName: "cost centre", compareType: "exists" },
      ],
      wrong: ["env equals dev", [{ tagName: "env" }], [{ tagName: "", compareType: "equals" }]],
    },
  ],
  switch: [{ field: toggle({ label: "Deleted too" }), value: true, wrong: ["yes", 1, null] }],
  person: [{ field: person({ label: "Person" }), value: "U02BOB", wrong: ["", 5] }],
  list: [{ field: list({ label: "Regions" }), value: ["eu-west-1", "us-east-1"], wrong: ["eu-west-1", [""], [1]] }],
};

export const everySample: readonly (readonly [string, Sample])[] = Object.values(samples).flatMap((each) =>
  each.map((sample) => [`${sample.field.kind} (${sample.field.label})`, sample] as const),
);
