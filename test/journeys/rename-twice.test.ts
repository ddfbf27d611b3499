import { describe, expect, it } from "vitest";
import { configWith } from "../support/approval-journey.ts";
import { ask, buttonsOn, cardOf, changesSentTo, fillIn, messagesAfter, openForm, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const { curfew } = oneBot();
const warning = "Another project is called Production already: p-prod.";

it("a line that gives a project another one's name asks first, and one press does it", async () => {
  const sent = changesSentTo(curfew());
  const { text, message } = await ask(curfew(), "carol", "rename Development to production");
  expect(text).toContain(warning);
  expect(buttonsOn(message)).toEqual(["Rename anyway", "Another name…"]);
  expect(sent()).toEqual([]);
  const done = await messagesAfter(curfew(), "carol", () =>
    curfew().workspace.as("carol").press("Rename anyway", message),
  );
  expect(sent()).toEqual(["ModifyProject"]);
  expect((await ask(curfew(), "carol", `undo ${done.changeId}`)).text).toContain("renamed project");
  await cardOf(curfew(), done.changeId);
});

it("the form asks in its place", async () => {
  const sent = changesSentTo(curfew());
  await openForm(curfew(), "carol", "project rename p-dev");
  const carol = curfew().workspace.as("carol");
  await fillIn(curfew(), "carol", { "New name": "Production" });
  expect(await carol.submit()).toMatchObject({ kind: "updated" });
  expect(carol.openView()?.text).toContain(warning);
  expect(sent()).toEqual([]);
});

it("a name of its own in other letters needs no question", async () => {
  const { text, changeId } = await ask(curfew(), "carol", "rename p-prod to PRODUCTION");
  expect(text).toContain("renamed project Production to PRODUCTION");
  await ask(curfew(), "carol", `undo ${changeId}`);
});

describe("where an admin must approve it", () => {
  const renaming = configWith("{ operations: [ModifyProject], approvers: [admin], channel: C0OPS }");
  const deputies = renaming.replace(
    "deputy: { members: [S0ENGINEERS], allow: [reads] }",
    "deputy: { members: [U02BOB], allow: [reads, ModifyProject] }",
  );
  const { curfew: bot } = oneBot({ config: deputies });

  it("the approver reads the warning on the card", async () => {
    const { changeId } = await ask(bot(), "bob", "rename p-dev to Production");
    expect(textOf(await cardOf(bot(), changeId))).toContain(warning);
  });
});

it("a person without the right is refused, and learns of no other project", async () => {
  const { text } = await ask(curfew(), "dave", "rename p-dev to Production");
  expect(text).not.toContain("Another project");
});
