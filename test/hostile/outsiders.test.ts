import { expect, test } from "vitest";
import { objectAt } from "../../src/sandbox/workspace/json-object.ts";
import { ask, buttonsOn, messagesAfter, openForm } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { lastDelivery, sendCrafted } from "../support/wire.ts";
import { leastMs } from "./shapes.ts";

const { curfew, person } = oneBot();
const refusal = "Only full members of this workspace can use Curfew: ask one. Nothing was changed.";

test("a guest's hostile lines cost hardly more than short ones", { timeout: 60_000 }, async () => {
  // Sends one line first, so that all people are known and only the lines count.
  for (const who of ["gina", "alice", "carol"]) await ask(curfew(), who, "whoami");
  const floodMs = (line: string) =>
    leastMs(async () => {
      for (let round = 0; round < 5; round++) {
        const others = ["alice", "carol"].map((who) => person(who).type("/curfew whoami", "ops"));
        const sent = await Promise.all([person("gina").type(`/curfew ${line}`, "ops"), ...others]);
        expect(sent).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
      }
      await curfew().app.idle();
    }, 2);
  const short = await floodMs("whoami");
  const hostile = await floodMs("‘a".repeat(13_000));
  expect(hostile).toBeLessThan(2 * short + 100);
});

test.each(["gina", "erin"])("%s learns that they may use nothing, however long or odd the line", async (who) => {
  for (const line of ["‘a".repeat(13_000), '"unclosed', "x".repeat(4001), "exclude i-1 --colour red", "history"]) {
    const { text, message } = await ask(curfew(), who, line);
    expect(text).toContain(refusal);
    expect(text).not.toMatch(/quote|4,000|colour/);
    expect(buttonsOn(message)).toEqual([]);
  }
});

test("a member's longer line is refused and changes nothing", async () => {
  const requests = curfew().service.requests.length;
  const { text } = await ask(curfew(), "carol", `exclude staging for 1h ${"x ".repeat(2000)}`);
  expect(text).toContain("A line can have at most 4,000 characters");
  expect(text).toContain("Nothing was changed");
  expect(curfew().service.requests).toHaveLength(requests);
});

test("a guest's button is refused before its value is read", async () => {
  await ask(curfew(), "carol", "exclude staging for 1h");
  const card = await curfew().workspace.waitFor(() =>
    curfew()
      .workspace.channel("ops")
      .messages.findLast((message) => buttonsOn(message).includes("End now")),
  );
  await messagesAfter(curfew(), "gina", () => person("gina").press("End now", card));
  const press = lastDelivery(curfew(), "block_actions");
  const odd = {
    trigger_id: "1.2.odd",
    actions: [{ type: "button", action_id: "run:no such", value: "{".repeat(2000) }],
  };
  const { text } = await messagesAfter(curfew(), "gina", () => sendCrafted(curfew(), press, odd));
  expect(text).toContain(refusal);
});

test("a guest's form is refused before its fields are read", async () => {
  await openForm(curfew(), "carol", "user disable");
  await person("carol").fill({ User: "bob (u-00000001)" });
  expect(await person("carol").submit()).toEqual({ kind: "closed" });
  await curfew().app.idle();
  const submission = lastDelivery(curfew(), "view_submission");
  const { payload } = submission;
  const unreadable = { "user disable/user": { input: { selected_option: { value: "no such user" } } } };
  await curfew().workspace.redeliver({
    ...submission,
    payload: {
      ...payload,
      user: { id: person("gina").id },
      view: { ...objectAt(payload.view), id: "V0ODD", state: { values: unreadable } },
    },
  });
  const { answer } = lastDelivery(curfew(), "view_submission");
  expect(JSON.stringify(answer)).toContain(refusal);
});

test("a message that is too long opens the form without a resource search", async () => {
  await person("carol").type(`i-0bee1 ${"*".repeat(40_000)}`, "ops");
  const message = curfew()
    .workspace.channel("ops")
    .messages.findLast(({ text }) => text.startsWith("i-0bee1"));
  if (message === undefined) throw new Error("The message was not posted.");
  await person("carol").messageShortcut("Keep these running", message);
  const form = await curfew().workspace.waitFor(() => person("carol").openView());
  expect(form.text).toContain("The message is too long, so it was not searched for resource ids.");
  expect(form.text).not.toContain("i-0bee1");
});
