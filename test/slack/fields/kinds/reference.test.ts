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
const question = (pattern: RegExp, options: Readonly<Record<string, unknown>>) => ({
  kind: "choice",
  text: expect.stringMatching(pattern),
  options: Object.entries(options).map(([label, value]) => ({ label, value })),
});

describe("an entity on a line", () => {
  test("is read by id or name; a user also by address or Slack mention", async () => {
    expect(await readLine(project, ["p-1"])).toEqual(value("p-1"));
    expect(await readLine(project, ["DEVELOPMENT"])).toEqual(value("p-dev"));
    expect(await readLine(user, ["bob@example.com"])).toEqual(value("u-1"));
    expect(await readLine(user, ["<mailto:Bob@example.com|Bob@example.com>"])).toEqual(value("u-1"));
    expect(await readLine(user, ["<@U02BOB|bob>"])).toEqual(value("u-1"));
    expect(await readLine(user, [" "])).toEqual(missing);
  });

  test("is read by the start of its name or of a word in it, of two letters or more", async () => {
    expect(await readLine(project, ["dev"])).toEqual(value("p-dev"));
    expect(await readLine(project, ["CHAN"])).toEqual(value("p-odd"));
    expect(await readLine(user, ["al"])).toEqual(value("u-2"));
    expect(await readLine(user, ["a"])).toEqual(
      question(/no user called “a”/, { "Alice (u-2)": "u-2", "Use “a” as a user id": "a" }),
    );
    expect(await readLine(user, ["li"])).toEqual(
      question(/no user called “li”/, { "Alice (u-2)": "u-2", "Use “li” as a user id": "li" }),
    );
  });

  test("with an ambiguous name gets the candidates as answers", async () => {
    const shops = { "Shop (p-1)": "p-1", "shop (p-2)": "p-2" };
    expect(await readLine(project, ["shop"])).toEqual(
      question(/Shop \(p-1\), shop \(p-2\)\. Nothing was changed\. Choose one, or give the id/, shops),
    );
    expect(await readLine(project, ["sho"])).toEqual(question(/“sho” could be more than one project/, shops));
    expect(await readLine(user, ["<@U03TWIN>"])).toEqual(
      question(/u-3.*u-4/, { "twin (u-3)": "u-3", "twin (u-4)": "u-4" }),
    );
  });

  test("that is unknown is never taken for an id, but may be chosen as one if it could be one", async () => {
    const asId = (id: string) => question(/no project called/, { [`Use “${id}” as a project id`]: id });
    expect(await readLine(project, ["p-elsewhere"])).toEqual(asId("p-elsewhere"));
    expect(await readLine(project, ["No", "such"])).toEqual(problem(/no project called “No such”/));
    expect(await readLine(user, ["nobody@example.com"])).toEqual({
      ...question(/address nobody@example\.com/, {}),
      takesId: true,
    });
    expect(await readLine(project, ["<#C0OPS|ops>"])).toMatchObject({ kind: "problem" });
    expect(await readLine(project, ["x".repeat(150)])).toMatchObject({ options: [{ value: "x".repeat(150) }] });
    expect(await readLine(project, ["x".repeat(151)])).toMatchObject({ kind: "problem" });
  });

  test("that is misspelt gets the nearest names, and where new ids are shown", async () => {
    expect(await readLine(user, ["alcie"])).toEqual(
      question(
        /^Curfew knows no user called “alcie”\. Nothing was changed\. Did you mean Alice \(u-2\)\? If it is new, the service's console shows its id under “Users”\. “user list” shows those that Curfew knows\.$/,
        { "Alice (u-2)": "u-2", "Use “alcie” as a user id": "alcie" },
      ),
    );
    expect(await readLine(user, ["alic@example.com"])).toEqual({
      ...question(/the address alic@/, { "Alice (u-2)": "u-2" }),
      takesId: true,
    });
    expect(await readLine(project, ["Devel", "opment"])).toEqual(
      question(/“Devel opment”/, { "Development (p-dev)": "p-dev" }),
    );
    expect(await readLine(project, ["P-DEV"])).toEqual({ kind: "value", value: "p-dev" });
  });

  test("loses invisible characters, and is rejected with lookalike letters", async () => {
    expect(await readLine(project, ["p-\u200bde\u202ev"])).toEqual(value("p-dev"));
    expect(await readLine(project, ["\ufeffp-else\u00adwhere"])).toMatchObject({
      options: [{ value: "p-elsewhere" }],
    });
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
    expect(await readLine(user, ["<@U02BOB>"], { emailOf })).toEqual({
      ...question(/stranger@example\.com/, {}),
      takesId: true,
    });
  });

  test("may be several, each once", async () => {
    expect(await readLine(projects, ["p-1,development", "p-1"])).toEqual(value(["p-1", "p-dev"]));
    expect(await readLine(projects, ["p-dev,shop"])).toEqual(
      question(/could be more than one/, { "Shop (p-1)": ["p-dev", "p-1"], "shop (p-2)": ["p-dev", "p-2"] }),
    );
    expect(await readLine(projects, ["shop,nothing"])).toEqual(problem(/more than one.*no project called “nothing”/));
  });
});

describe("an entity in a form", () => {
  test("is read from the id of its option", async () => {
    expect(await readState(project, { selected_option: { value: "p-1" } })).toEqual(value("p-1"));
    expect(await readState(project, { selected_option: null })).toEqual(missing);
    expect(await readState(projects, { selected_options: [{ value: "p-1" }] })).toEqual(value(["p-1"]));
    expect(await readState(projects, { selected_options: [] })).toEqual(value([]));
    expect(await readState(project, { selected_option: { value: "p-new" } })).toEqual(value("p-new"));
    expect(await readState(project, { selected_option: { value: "two words" } })).toEqual(problem(/is not an id/));
    expect(await readState(projects, { selected_options: [{ value: "р-1" }] })).toEqual(problem(/is not an id/));
    // Where words were typed in its place.
    expect(await readState(project, { value: " p-new " })).toEqual(value("p-new"));
    expect(await readState(project, { value: "Development" })).toEqual(value("p-dev"));
    expect(await readState(user, { value: "new@example.com u-9" })).toEqual(value("u-9"));
    expect(await readState(user, { value: "alcie" })).toMatchObject({ kind: "choice" });
  });

  test("is shown with its name if that is known", async () => {
    expect(await startOf(project, { value: "p-dev" })).toMatchObject({
      initial_option: { text: { text: "Development (p-dev)" }, value: "p-dev" },
    });
    expect(await startOf(project, { value: "p-9" })).toMatchObject({ initial_option: { text: { text: "p-9" } } });
    expect(await startOf(project, { typed: "no such" })).toEqual({ initial_value: "no such" });
    expect(await startOf(user, { typed: "<@U09NOBODY>" })).toEqual({});
    // Sending the form as it opens must not make an id of a typed word.
    expect(await startOf(project, { typed: "p-9" })).toEqual({});
  });

  test("fits into the limits of an option", () => {
    const option = optionFor({ id: "p-1", name: "x".repeat(200) });
    expect(option.text.text).toHaveLength(75);
    expect(option.value).toBe("p-1");
  });
});
