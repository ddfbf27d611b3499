import { describe, expect, test } from "vitest";
import { reference } from "../../../../src/commands/field.ts";
import { missing } from "../../../../src/slack/fields/field-kind.ts";
import { optionFor } from "../../../../src/slack/fields/kinds/reference.ts";
import { readLine, readState, startOf } from "../draw.ts";

const user = reference("user", { label: "User" });
const project = reference("project", { label: "Project" });
const projects = reference("project", { label: "Projects", multiple: true });
const value = (read: unknown) => ({ kind: "value", value: read });
const problem = (pattern: RegExp) => ({ kind: "problem", problem: expect.stringMatching(pattern) });

describe("an entity on a line", () => {
  test("is read by id or name; a user also by address or Slack mention", async () => {
    expect(await readLine(project, ["p-1"])).toEqual(value("p-1"));
    expect(await readLine(project, ["DEVELOPMENT"])).toEqual(value("p-dev"));
    expect(await readLine(user, ["bob@example.com"])).toEqual(value("u-1"));
    expect(await readLine(user, ["<mailto:Bob@example.com|Bob@example.com>"])).toEqual(value("u-1"));
    expect(await readLine(user, ["<@U02BOB|bob>"])).toEqual(value("u-1"));
    expect(await readLine(user, [" "])).toEqual(missing);
  });

  test("with an ambiguous name gets the list of ids", async () => {
    expect(await readLine(project, ["shop"])).toEqual(problem(/Shop \(p-1\), shop \(p-2\).*Give the id/));
    expect(await readLine(user, ["<@U03TWIN>"])).toEqual(problem(/u-3.*u-4/));
  });

  test("that is unknown is kept if it could be an id", async () => {
    expect(await readLine(project, ["p-elsewhere"])).toEqual(value("p-elsewhere"));
    expect(await readLine(project, ["No", "such"])).toEqual(problem(/no project called “No such”/));
    expect(await readLine(user, ["nobody@example.com"])).toEqual(problem(/address nobody@example\.com/));
    expect(await readLine(project, ["<#C0OPS|ops>"])).toMatchObject({ kind: "problem" });
    expect(await readLine(project, ["x".repeat(150)])).toEqual(value("x".repeat(150)));
    expect(await readLine(project, ["x".repeat(151)])).toMatchObject({ kind: "problem" });
  });

  test("loses invisible characters, and is rejected with lookalike letters", async () => {
    expect(await readLine(project, ["p-\u200bde\u202ev"])).toEqual(value("p-dev"));
    expect(await readLine(project, ["\ufeffp-else\u00adwhere"])).toEqual(value("p-elsewhere"));
    expect(await readLine(project, ["\u200b"])).toEqual(missing);
    expect(await readLine(project, ["ｐ-dev"])).toEqual(
      problem(/“ｐ-dev” does not look like an id: .*“ｐ” \(U\+FF50\)/),
    );
    expect(await readLine(project, ["р-dev"])).toEqual(problem(/U\+0440/));
  });

  test("is a mentioned person only for a user with an e-mail address", async () => {
    expect(await readLine(project, ["<@U02BOB>"])).toEqual(problem(/A person is not a project/));
    expect(await readLine(user, ["<@U09NOBODY>"])).toEqual(problem(/shows no e-mail address/));
    const emailOf = async () => "stranger@example.com";
    expect(await readLine(user, ["<@U02BOB>"], { emailOf })).toEqual(problem(/stranger@example\.com/));
  });

  test("may be several, each once", async () => {
    expect(await readLine(projects, ["p-1,development", "p-1"])).toEqual(value(["p-1", "p-dev"]));
    expect(await readLine(projects, ["p-1,shop"])).toEqual(problem(/could be more than one/));
  });
});

describe("an entity in a form", () => {
  test("is read from the id of its option", async () => {
    expect(await readState(project, { selected_option: { value: "p-1" } })).toEqual(value("p-1"));
    expect(await readState(project, { selected_option: null })).toEqual(missing);
    expect(await readState(projects, { selected_options: [{ value: "p-1" }] })).toEqual(value(["p-1"]));
    expect(await readState(projects, { selected_options: [] })).toEqual(value([]));
  });

  test("is shown with its name if that is known", async () => {
    expect(await startOf(project, { value: "p-dev" })).toMatchObject({
      initial_option: { text: { text: "Development (p-dev)" }, value: "p-dev" },
    });
    expect(await startOf(project, { value: "p-9" })).toMatchObject({ initial_option: { text: { text: "p-9" } } });
    expect(await startOf(project, { typed: "no such" })).toEqual({});
  });

  test("fits into the limits of an option", () => {
    const option = optionFor({ id: "p-1", name: "x".repeat(200) });
    expect(option.text.text).toHaveLength(75);
    expect(option.value).toBe("p-1");
  });
});
