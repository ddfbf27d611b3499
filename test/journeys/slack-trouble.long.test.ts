import { beforeEach, expect, it } from "vitest";
import type { OperationName } from "../../src/service/operations.ts";
import { ask, cardOf, cardsIn, changeIdIn, changesSentTo, fillIn, messagesAfter, textOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";

withOneBot((curfew, clock) => {
  const exclude = (where?: string) => ask(curfew(), "carol", "exclude staging for 1h --another", where);
  const direct = () => curfew().workspace.as("carol").messages("dm");
  const slow = (operation: OperationName) => curfew().service.faults.next({ kind: "latency", ms: 200, operation });
  /** Later than the acknowledgement of the next line. */
  const answerLate = () => {
    clock.advance(61_000);
    curfew().workspace.faults.failNext("users.info", { delayMs: 1300 });
  };

  beforeEach(async () => {
    // Curfew learns about carol now, so it need not ask a failing Slack.
    await ask(curfew(), "carol", "whoami");
  });

  it("a channel without Curfew is reported to the requester and the admins, and the change stays done", async () => {
    await curfew().workspace.changes.leave("bot", "ops");
    const { text, changeId } = await exclude();
    expect(text).toContain("Keeping staging");
    const notice = await curfew().workspace.waitFor(() => direct().find((message) => message.text.includes(changeId)));
    expect(textOf(notice)).toContain("It could not be announced in the channel C0OPS (not_in_channel).");
    const report = await curfew().workspace.waitFor(() =>
      cardsIn(curfew().workspace, "admins").find((message) => textOf(message).includes(changeId)),
    );
    expect(textOf(report)).toContain("Curfew must be a member there.");
    await curfew().workspace.changes.join("bot", "ops");
  });

  it("an expired trigger leaves a button that opens the form, and logs no alarm", async () => {
    const carol = curfew().workspace.as("carol");
    curfew().workspace.faults.failNext("views.open", { error: "expired_trigger_id" });
    const { text, message } = await ask(curfew(), "carol", "user remove-mfa dave@example.com");
    expect(text).toContain("The form could not be opened in time. Nothing was changed: open it here.");
    await carol.press("Open the form", message);
    const view = await curfew().workspace.waitFor(() => carol.openView());
    expect(view.text).toContain("dave");
    await carol.cancel();
    const lines = curfew().logged.map((line) => JSON.parse(line));
    const [notice] = lines.filter(({ msg }) => String(msg).startsWith("Slack took so long"));
    expect(notice).toMatchObject({ level: 40 });
    expect(lines.some(({ level, err }) => level >= 50 && String(err?.message).includes("expired_trigger_id"))).toBe(
      false,
    );
  });

  it("a Slack rate limit delays the announcement, and later ones do not overtake it", async () => {
    curfew().workspace.faults.failNext("chat.postMessage", { retryAfterSeconds: 60 });
    const first = await exclude();
    await curfew().workspace.waitFor(() => curfew().workspace.calls.at(-1)?.status === 429);
    const second = await exclude();
    expect(cardsIn(curfew().workspace, "ops").some(({ text }) => text.includes(second.changeId))).toBe(false);
    clock.advance(61_000);
    const third = await exclude();
    await cardOf(curfew(), third.changeId);
    const cards = cardsIn(curfew().workspace, "ops").slice(-3);
    expect(cards.map(({ text }) => changeIdIn(text))).toEqual([first, second, third].map(({ changeId }) => changeId));
  });

  it("during a Slack outage the change is done once, and reported afterwards", async () => {
    const sent = changesSentTo(curfew());
    const cards = cardsIn(curfew().workspace, "ops").length;
    curfew().workspace.faults.down();
    expect(await curfew().workspace.as("carol").type("/curfew exclude staging for 1h --another", "ops")).toEqual({
      ok: true,
    });
    const isRefused = ({ method, answer }: { method: string; answer: unknown }) =>
      method === "chat.postMessage" && answer === null;
    const refusals = curfew().workspace.calls.filter(isRefused).length;
    await curfew().workspace.waitFor(() => curfew().workspace.calls.filter(isRefused).length >= refusals + 2);
    curfew().workspace.faults.up();
    clock.advance(61_000);
    await exclude();
    const announced = await curfew().workspace.waitFor(() => {
      const later = cardsIn(curfew().workspace, "ops").slice(cards);
      return later.length === 2 && later.map(({ text }) => changeIdIn(text));
    });
    const [late = ""] = announced;
    expect(new Set(announced).size).toBe(2);
    // The acknowledgement answers a request of Slack's, so it gets through.
    const inChannel = curfew().workspace.as("carol").messages("ops");
    expect(inChannel.some(({ ephemeralTo, ...message }) => ephemeralTo && message.text.includes(late))).toBe(true);
    expect(sent()).toEqual(["CreateActionExclusion", "CreateActionExclusion"]);
  });

  it("a reply that cannot be sent where it was requested becomes a direct message", async () => {
    curfew().workspace.faults.failNext("response_url", { status: 500 });
    answerLate();
    const { text, message } = await exclude("random");
    expect(text).toContain("Keeping staging");
    expect(direct()).toContainEqual(message);
  });

  it("someone whom Slack cannot identify gets an error, and nothing is done", async () => {
    clock.advance(61_000);
    const sent = changesSentTo(curfew());
    curfew().workspace.faults.failNext("users.info", { error: "internal_error", times: 3 });
    const { text } = await exclude();
    expect(text).toContain("Nothing was changed");
    expect(sent()).toEqual([]);
  });

  it("a form that had to close before it was judged is answered with why, and opens again", async () => {
    const carol = curfew().workspace.as("carol");
    await carol.type("/curfew exclude", "ops");
    await curfew().workspace.waitFor(() => carol.openView(), { what: "the form" });
    await fillIn(curfew(), "carol", { What: "<i-1>", "Resource type": "amazon-ec2-instance", Project: "p-dev" });
    answerLate();
    const { text, message } = await messagesAfter(curfew(), "carol", async () => {
      expect(await carol.submit()).toEqual({ kind: "closed" });
    });
    expect(text).toContain("does not look like a resource id");
    expect(text).toContain("Nothing was changed.");
    await carol.press("Open the form", message);
    await curfew().workspace.waitFor(() => carol.openView(), { what: "the form again" });
    await carol.cancel();
  });

  it.each(["usergroups.list", "users.info"])(
    "a change fails closed when %s has not answered for a minute",
    async (method) => {
      clock.advance(61_000);
      const sent = changesSentTo(curfew());
      curfew().workspace.faults.failNext(method, { status: 503, times: 3 });
      expect((await ask(curfew(), "alice", "exclude staging for 1h --another")).text).toContain("Nothing was changed");
      expect(sent()).toEqual([]);
      curfew().workspace.faults.clear();
      clock.advance(31_000);
      expect((await ask(curfew(), "alice", "exclude staging for 1h --another")).text).toContain("Keeping ");
    },
  );

  it("a slow service delays the acknowledgement of a line by 1.2 s, and that of a form or button not at all", async () => {
    const carol = curfew().workspace.as("carol");
    const changes = () => curfew().service.requests.filter(({ method }) => method !== "GET");
    const settled = () => changes().filter(({ status }) => status !== undefined).length;

    answerLate();
    const before = settled();
    const line = await messagesAfter(curfew(), "carol", async () => {
      expect(await carol.type("/curfew exclude staging for 1h --another", "ops")).toEqual({ ok: true });
      expect(settled()).toBe(before);
    });
    const card = await cardOf(curfew(), line.changeId);

    await carol.press("Extend…", card);
    await curfew().workspace.waitFor(() => carol.openView());
    slow("ModifyActionExclusion");
    await messagesAfter(curfew(), "carol", async () => {
      expect(await carol.submit()).toEqual({ kind: "closed" });
      expect(settled()).toBe(before + 1);
    });

    slow("DeleteActionExclusion");
    const ended = await messagesAfter(curfew(), "carol", async () => {
      expect(await carol.press("End now", card)).toEqual({ ok: true });
      expect(settled()).toBe(before + 2);
    });
    expect(ended.text).toContain("You stopped keeping");
  });
});
