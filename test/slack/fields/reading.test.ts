import { describe, expect, test } from "vitest";
import {
  choice,
  days,
  email,
  json,
  length,
  list,
  number,
  resourceIds,
  rules,
  text,
  time,
  zone,
} from "../../../src/commands/field.ts";
import { missing } from "../../../src/slack/fields/field-kind.ts";
import { readLine, readState, startOf } from "./draw.ts";

const value = (read: unknown) => ({ kind: "value", value: read });
const problem = (pattern: RegExp) => ({ kind: "problem", problem: expect.stringMatching(pattern) });

describe("a text", () => {
  const name = text({ label: "Name", maxLength: 10 });

  test("joins its words with one blank; blanks alone are missing", async () => {
    expect(await readLine(name, ["two", "words"])).toEqual(value("two words"));
    expect(await readLine(name, ["  "])).toEqual(missing);
    expect(await readState(name, { value: null })).toEqual(missing);
    expect(await readState(name, { value: "  kept inner  blanks " })).toMatchObject({ kind: "problem" });
    expect(await readState(name, { value: " a  b " })).toEqual(value("a  b"));
  });

  test("has at most its maximum length", async () => {
    expect(await readLine(name, ["1234567890"])).toEqual(value("1234567890"));
    expect(await readLine(name, ["12345678901"])).toEqual(problem(/11 characters; at most 10/));
    expect(await readLine(name, ["🦉".repeat(5)])).toEqual(value("🦉".repeat(5)));
    expect(await readLine(name, ["🦉".repeat(6)])).toEqual(
      problem(/^That is 6 characters, of which 6 count twice; at most 10 are allowed\.$/),
    );
  });

  test("keeps mentions and links as typed", async () => {
    const long = text({ label: "Reason", maxLength: 200 });
    const typed = [
      "for",
      "<@U02BOB|bob>",
      "in",
      "<#C0OPS|ops>,",
      "see",
      "<https://example.com/x|example.com>",
      "a<b>c",
    ];
    expect(await readLine(long, typed)).toEqual(value("for @bob in #ops, see https://example.com/x a<b>c"));
  });
});

describe("a choice", () => {
  const options = [
    { value: "stop", label: "Stopping" },
    { value: "start", label: "Starting" },
  ];
  const one = choice(options, { label: "Process", initial: "stop" });
  const several = choice(options, { label: "Process", multiple: true });

  test("is read by value or label, in any letter case", async () => {
    expect(await readLine(one, ["START"])).toEqual(value("start"));
    expect(await readLine(one, ["stopping"])).toEqual(value("stop"));
    expect(await readState(one, { selected_option: { value: "start" } })).toEqual(value("start"));
    expect(await readState(one, { selected_option: null })).toEqual(missing);
  });

  test("that does not exist gets the options and the nearest one", async () => {
    expect(await readLine(one, ["stat"])).toEqual(problem(/stop, start\. Did you mean “start”/));
    expect(await readLine(one, ["constructor"])).toMatchObject({ kind: "problem" });
    expect(await readState(one, { selected_option: { value: "none" } })).toMatchObject({ kind: "problem" });
  });

  test("is only one, unless several are allowed", async () => {
    expect(await readLine(one, ["stop,start"])).toEqual(problem(/only one/));
    expect(await readLine(several, ["start,stop,start"])).toEqual(value(["start", "stop"]));
    expect(await readLine(several, ["start,none"])).toMatchObject({ kind: "problem" });
    expect(await readState(several, { selected_options: [] })).toEqual(missing);
  });

  test("starts with its initial option", async () => {
    expect(await startOf(one, {})).toMatchObject({ initial_option: { value: "stop" } });
    expect(await startOf(one, { value: "start" })).toMatchObject({ initial_option: { value: "start" } });
    expect(await startOf(several, {})).toEqual({});
  });
});

describe("resource ids", () => {
  const ids = resourceIds({ label: "Resource ids" });

  test("are read with any separator, each once and in order", async () => {
    expect(await readLine(ids, ["i-2,i-1;", "“i-3”", "i-1"])).toEqual(value(["i-2", "i-1", "i-3"]));
    expect(await readState(ids, { value: "i-1\n i-2|i-3" })).toEqual(value(["i-1", "i-2", "i-3"]));
    expect(await readLine(ids, [", ;"])).toEqual(missing);
  });

  test("may name a group, in any letter case and among ids", async () => {
    const staging = ["i-0a1", "i-0a2"];
    expect(await readLine(ids, ["Staging", "i-9"])).toEqual({
      ...value([...staging, "i-9"]),
      meanings: new Map([["staging", staging]]),
    });
    expect(await readLine(ids, ["constructor"])).toEqual(problem(/I don't know “constructor”/));
  });

  test("rejects other text, and more than 200 ids", async () => {
    expect(await readLine(ids, ["i-1", "<@U02BOB>"])).toEqual(problem(/does not look like/));
    const many = Array.from({ length: 201 }, (_each, index) => `i-${index}`);
    expect(await readLine(ids, many.slice(1))).toMatchObject({ kind: "value" });
    expect(await readLine(ids, many)).toEqual(problem(/201 resources; at most 200/));
  });
});

describe("a number", () => {
  const page = number({ label: "Page", minimum: 1 });

  test.each([
    ["1", value(1)],
    [" 12 ", value(12)],
    ["0", problem(/of at least 1/)],
    ["-1", problem(/of at least 1/)],
    ["1.5", problem(/whole number/)],
    ["1e3", problem(/whole number/)],
    ["12345678901", problem(/whole number/)],
    ["ten", problem(/“ten”/)],
    ["", missing],
  ])("typed as %j", async (typed, reading) => {
    expect(await readLine(page, [typed])).toEqual(reading);
    expect(await readState(page, { value: typed })).toEqual(reading);
  });
});

test("a number has a maximum if its field has one", async () => {
  const page = number({ label: "Page", minimum: 1, maximum: 20 });
  expect(await readLine(page, ["20"])).toEqual(value(20));
  expect(await readLine(page, ["21"])).toEqual(problem(/“21” is not a whole number from 1 to 20\./));
});

describe("the small kinds", () => {
  test("an e-mail address is read from Slack's link", async () => {
    const address = email({ label: "Address" });
    expect(await readLine(address, ["<mailto:bob@example.com|bob@example.com>"])).toEqual(value("bob@example.com"));
    expect(await readState(address, { value: "bob@example.com" })).toEqual(value("bob@example.com"));
    expect(await readLine(address, ["bob"])).toEqual(problem(/“bob” is not an e-mail address/));
  });

  test("a time of day may have seconds, and 24:00 is rejected", async () => {
    const at = time({ label: "Time" });
    expect(await readLine(at, ["9:30"])).toEqual(value("09:30:00"));
    expect(await readLine(at, ["19:05:07"])).toEqual(value("19:05:07"));
    expect(await readState(at, { selected_time: "23:59" })).toEqual(value("23:59:00"));
    for (const wrong of ["24:00", "9:60", "9", "noon"])
      expect(await readLine(at, [wrong])).toMatchObject({ kind: "problem" });
  });

  test("a zone is an IANA or a Windows id, and a misspelt one gets the nearest", async () => {
    const where = zone({ label: "Zone" });
    expect(await readLine(where, ["Europe/Berlin"])).toEqual(value("Europe/Berlin"));
    expect(await readLine(where, ["Eastern", "Standard", "Time"])).toEqual(value("Eastern Standard Time"));
    expect(await readLine(where, ["Europe/Berln"])).toEqual(problem(/Did you mean Europe\/Berlin/));
  });

  test("JSON is an object, and other text gets the reason", async () => {
    const parameters = json({ label: "Parameters" });
    expect(await readState(parameters, { value: '{"a": [1]}' })).toEqual(value({ a: [1] }));
    expect(await readState(parameters, { value: "[1]" })).toEqual(problem(/object/));
    expect(await readState(parameters, { value: "{a: 1}" })).toEqual(problem(/This is not JSON/));
    expect(await readState(parameters, { value: " " })).toEqual(missing);
  });

  test("tag rules are one per line; a name with blanks is quoted", async () => {
    const tags = rules({ label: "Tags" });
    expect(await readState(tags, { value: 'env equals dev stage\n\n"cost centre" EXISTS' })).toEqual(
      value([
        { tagName: "env", compareType: "equals", tagValue: "dev stage" },
        { tagName: "cost centre", compareType: "exists" },
      ]),
    );
    expect(await readLine(tags, ["env", "equals", "dev;", "team", "exists"])).toMatchObject({ value: [{}, {}] });
    expect(await readState(tags, { value: "env equal dev" })).toEqual(problem(/Did you mean “equals”/));
    expect(await readState(tags, { value: "env equals" })).toEqual(problem(/needs a value/));
    expect(await readState(tags, { value: "env" })).toEqual(problem(/is not a rule/));
  });

  test("tag rules are also written with signs, separated by commas, blanks or lines", async () => {
    const tags = rules({ label: "Tags" });
    const rule = (tagName: string, tagValue: string, compareType = "equals") => ({ tagName, compareType, tagValue });
    const text = 'Environment=staging, Team="web shop" Owner!=bob\n"cost centre" = 12,Tier==gold\nname contains a=b';
    expect(await readState(tags, { value: text })).toEqual(
      value([
        rule("Environment", "staging"),
        rule("Team", "web shop"),
        rule("Owner", "bob", "does-not-equal"),
        rule("cost centre", "12"),
        rule("Tier", "gold"),
        rule("name", "a=b", "contains"),
      ]),
    );
    expect(await readLine(tags, ["Environment=staging,", "Team=web"])).toEqual(
      value([rule("Environment", "staging"), rule("Team", "web")]),
    );
    for (const wrong of ["Environment=", "=staging", "Environment=staging web", "a=b c"])
      expect(await readState(tags, { value: wrong })).toEqual(problem(/is not a rule such as “Environment=staging”/));
  });

  test("days are read as people write them", async () => {
    const field = days({ label: "Days" });
    const week = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    for (const [text, read] of [
      ["Mon–Fri", week.slice(0, 5)],
      ["mon - fri", week.slice(0, 5)],
      ["Monday to Friday", week.slice(0, 5)],
      ["weekdays", week.slice(0, 5)],
      ["every day", week],
      ["weekends", week.slice(5)],
      ["Fri, Mon and weds", ["monday", "wednesday", "friday"]],
      ["sat-mon", ["monday", "saturday", "sunday"]],
      ["tuesdays;thurs", ["tuesday", "thursday"]],
    ] as const)
      expect(await readState(field, { value: text }), text).toEqual(value(read));
    for (const wrong of ["someday", "m", "mon-", "mon-fri-sun", "5"])
      expect(await readState(field, { value: wrong }), wrong).toEqual(problem(/is not a day/));
    expect(await readState(field, { value: " " })).toEqual(missing);
  });

  test("a time of day may be of half a day, and a length is one", async () => {
    const at = time({ label: "Start at" });
    for (const [text, read] of [
      ["7am", "07:00:00"],
      ["12 am", "00:00:00"],
      ["12:30pm", "12:30:00"],
      ["6 p.m.", "18:00:00"],
    ] as const)
      expect(await readState(at, { selected_time: text })).toEqual(value(read));
    expect(await readState(at, { selected_time: "13pm" })).toEqual(problem(/not a time of day/));
    const after = length({ label: "Stop after" });
    expect(await readState(after, { value: "8h 30m" })).toEqual(value(8.5 * 3_600_000));
    expect(await readState(after, { value: "8" })).toEqual(problem(/not a length of time/));
  });

  test("a list has each word once", async () => {
    const regions = list({ label: "Regions" });
    expect(await readLine(regions, ["eu-west-1,us-east-1", "eu-west-1"])).toEqual(value(["eu-west-1", "us-east-1"]));
    expect(await readState(regions, { value: "" })).toEqual(missing);
  });
});
