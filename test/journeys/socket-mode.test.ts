import { expect, it } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { ask, cardOf, changesSentTo, fillIn, messagesAfter, openForm, send, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { startCurfew, unlimitedConfig } from "../support/start-curfew.ts";
import { lastDelivery } from "../support/wire.ts";

/** Covers once, per kind of payload, what the other journeys cover over HTTP. */
const { curfew, person } = oneBot({ mode: "socket" });
const form = (who: string) => curfew().workspace.waitFor(() => person(who).openView(), { what: `a form for ${who}` });

it("a line over Socket Mode is performed once when delivered twice, and its buttons work", async () => {
  const sent = changesSentTo(curfew());
  const { changeId } = await ask(curfew(), "carol", "exclude staging for 2h");
  const outboxMessage = curfew().workspace.appRequests.at(-1);
  const again = await messagesAfter(curfew(), "carol", async () => {
    expect(outboxMessage && (await curfew().workspace.redeliver(outboxMessage))).toEqual({ ok: true });
  });
  expect(again.text).toContain("This was sent twice, and done once.");
  expect(again.changeId).toBe(changeId);
  const card = await cardOf(curfew(), changeId);
  expect(textOf(card)).toContain("<@U03CAROL> is keeping *staging* running");
  await person("carol").press("End now", card, { times: 2 });
  // The answer to the second press, that it is in progress, may come first.
  const ended = () =>
    person("carol")
      .messages("ops")
      .some((message) => textOf(message).includes("You stopped keeping"));
  await curfew().workspace.waitFor(ended);
  await curfew().app.idle();
  expect(sent()).toEqual(["CreateActionExclusion", "DeleteActionExclusion"]);
});

it("a line over Socket Mode is refused to someone without a role", async () => {
  const sent = changesSentTo(curfew());
  expect((await ask(curfew(), "dave", "exclude staging for 2h")).text).toContain("Nothing was changed. Ask ");
  expect(sent()).toEqual([]);
});

it("a query over Socket Mode is answered to its requester only", async () => {
  const { message, text } = await ask(curfew(), "carol", "exclusion list");
  expect(text).toMatch(/kept running or off/);
  expect(message.ephemeralTo).toBe(person("carol").id);
});

it("a form over Socket Mode shows errors and suggestions, and creates once when sent twice", async () => {
  await openForm(curfew(), "carol", "exclude");
  const sent = changesSentTo(curfew());
  await fillIn(curfew(), "carol", { What: "i-0a1", "Resource type": "amazon-ec2-instance", Project: "p-dev" });
  expect((await person("carol").suggest("Project", "dev"))[0]?.text).toBe("Development (p-dev)");
  await person("carol").fill({ Until: Math.floor(Date.now() / 60_000) * 60 - 3600 });
  expect(await person("carol").submit()).toMatchObject({ kind: "errors", errors: { Until: expect.anything() } });
  const { text } = await send(curfew(), "carol", { Until: Math.floor(Date.now() / 60_000) * 60 + 7200 });
  expect(text).toContain("Keeping i-0a1 running");
  const submission = curfew().workspace.appRequests.findLast(({ type }) => type === "view_submission");
  expect(submission && (await curfew().workspace.redeliver(submission))).toEqual({ ok: true });
  await curfew().app.idle();
  expect(sent()).toEqual(["CreateActionExclusion"]);
});

it("a global or message shortcut over Socket Mode opens its form", async () => {
  await person("carol").shortcut("Keep running");
  expect((await form("carol")).title).toBe("Keep running");
  await person("carol").cancel();
  await person("alice").type("i-0b4 stops at seven", "ops");
  const message = curfew().workspace.channel("ops").messages.at(-1);
  if (message === undefined) throw new Error("Nothing was said.");
  await person("alice").messageShortcut("Keep these running", message);
  expect((await form("alice")).values.What?.value).toBe("i-0b4");
});

it("the Home tab over Socket Mode appears when it is opened", async () => {
  await person("carol").openHome();
  const home = await curfew().workspace.waitFor(() => person("carol").home(), { what: "the Home tab" });
  expect(home.text).toContain("Keep something running");
});

it("a mention over Socket Mode that could not be recorded is not acknowledged, and done once when Slack repeats it", async () => {
  let isBroken = true;
  const bot = await startCurfew({ mode: "socket", config: unlimitedConfig, slackWaitsMs: 300 });
  await bot.app.stop();
  await bot.restart({
    openStore: async (...given) => {
      const store = await openStore(...given);
      return {
        ...store,
        receive: (receipt) => (isBroken ? Promise.reject(new Error("disk full")) : store.receive(receipt)),
      };
    },
  });
  const sent = changesSentTo(bot);
  const carol = bot.workspace.as("carol");
  await carol.type("@Curfew exclude staging for 1h", "ops");
  const refused = () =>
    bot.workspace.appRequests.filter(({ type, answer }) => type === "app_mention" && answer?.kind === "failed");
  // Slack repeats it immediately, and later again.
  await bot.workspace.waitFor(() => refused().length === 2);
  expect(refused()).toMatchObject([{ transport: "socket" }, { retry: { attempt: 1, reason: "timeout" } }]);
  expect(carol.messages("ops")).toHaveLength(1);
  isBroken = false;
  const delivery = lastDelivery(bot, "app_mention");
  const { text } = await messagesAfter(bot, "carol", () => bot.workspace.redeliver(delivery));
  expect(text).toContain("Keeping ");
  await bot.app.idle();
  const before = carol.messages("ops").length;
  expect(await bot.workspace.redeliver(delivery)).toEqual({ ok: true });
  await bot.app.idle();
  expect(carol.messages("ops")).toHaveLength(before);
  expect(sent()).toEqual(["CreateActionExclusion"]);
  await bot.stop();
});
