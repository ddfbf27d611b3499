import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { catalogue, commandOf } from "../../src/commands/catalogue.ts";
import { missingFields } from "../../src/commands/field-values.ts";
import { configWith } from "../support/approval-journey.ts";
import { describeInBrowser, type OpenPage } from "../support/browser.ts";
import { builtPage } from "../support/built.ts";
import { ask, changesSentTo, messagesAfter, textOf } from "../support/journey.ts";
import { fillIn } from "./fill-in.ts";
import { formJourneys } from "./form-journeys.ts";
import { type RunningPage, startPage } from "./start-page.ts";

/** Long exclusions need approval, and the credential that no selector uses has a name. */
const config = configWith(
  "{ operations: [CreateActionExclusion], approvers: [admin], when: { longerThan: 7h } }",
).replace("  credentials:\n", "  credentials:\n    - { id: cred-00000002, name: Old build }\n");

/** A Friday in winter, five hours before "Stop staging at 19:00" in London. */
const friday = Date.parse("2026-11-20T14:00:00.000Z");

test("every command with a form has a journey", () => {
  // A decision without its change shows what waits, with buttons. Both days of "move time" are only said in a line.
  const withForm = catalogue.filter(
    ({ kind, words, fields }) => kind !== "decision" && words !== "move time" && missingFields(fields, {}).length > 0,
  );
  expect(formJourneys.map(({ words }) => words)).toEqual(withForm.map(({ words }) => words));
});

await describeInBrowser("the form of", (browser) => {
  let sandbox: RunningPage;
  let opened: OpenPage;
  beforeAll(async () => {
    const startedAt = Date.now();
    sandbox = await startPage(builtPage(), { config, now: () => friday + Date.now() - startedAt });
    opened = await browser.open(sandbox.url);
  });
  afterEach(async () => {
    // Pending messages must not count as the next answer.
    await sandbox.curfew.app.idle();
    for (const who of ["alice", "carol"]) {
      const person = sandbox.curfew.workspace.as(who);
      if (person.openView()) await person.cancel();
    }
  });
  afterAll(async () => {
    await opened.close();
    await sandbox.stop();
  });

  test.each(formJourneys)("$words is filled in and sent", async (journey) => {
    const { words, by, first, line, entries, answer, details } = journey;
    const { page } = opened;
    const { curfew } = sandbox;
    const earlier = first ? await ask(curfew, first.by, first.line) : { changeId: "", exclusionId: "" };
    const sent = changesSentTo(curfew);
    await page.goto(`${sandbox.url}/#${by}/ops`);
    const composer = page.getByRole("combobox", { name: "Message #ops" });
    await composer.fill(`/curfew ${line(earlier)}`);
    await composer.press("Enter");
    const form = page.getByRole("dialog");
    await fillIn(form, entries(earlier));
    const { text, message, changeId } = await messagesAfter(curfew, by, () => form.locator("[type=submit]").click());
    expect(text).toContain(answer);
    const answers = page.getByRole("article").filter({ hasText: "Only visible to you" });
    const [shown = answer] = /\b(?:Done|Planned)\./.exec(textOf(message)) ?? [];
    await answers.filter({ hasText: shown }).last().waitFor();
    await form.waitFor({ state: "hidden" });
    const command = commandOf(words);
    // What is only planned is sent later.
    if (command?.kind === "change") expect(sent()).toEqual(command.series?.isTimed ? [] : [command.operation]);
    if (details) expect((await ask(curfew, by, `history ${changeId}`)).text).toContain(details);
  });
});
