import { expect, it } from "vitest";
import { ask, buttonsOn, cardOf, changesSentTo, messagesAfter, nowOf, textOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { createSignal } from "../support/signal.ts";

const hourMs = 3_600_000;

withOneBot((curfew) => {
  const excluded = async () => {
    const { changeId, exclusionId: id } = await ask(curfew(), "alice", "exclude staging for 2h --another");
    const card = await cardOf(curfew(), changeId);
    const list = (await ask(curfew(), "alice", `exclusion list ${id}`)).message;
    const endsAt = () => Date.parse(curfew().service.account.exclusions.get(id)?.expiryDate ?? "");
    const end = endsAt();
    return { card, list, movedByMs: () => endsAt() - end };
  };
  type Surface = Parameters<ReturnType<ReturnType<typeof curfew>["workspace"]["as"]>["press"]>[1];
  const press = (who: string, label: string, on: Surface) =>
    messagesAfter(curfew(), who, () => curfew().workspace.as(who).press(label, on));
  const isSecond = ({ text }: { readonly text: string }) => !text.includes(": now until");
  const secondOf = <T extends { readonly text: string }>(replies: readonly T[]): T => {
    const [second, ...others] = replies.filter(isSecond);
    if (!second || others.length > 0) throw new Error(`Not one second: ${replies.map(({ text }) => text).join(" / ")}`);
    return second;
  };

  it("Extend 1 h pressed by two people on a card before it is drawn again adds an hour, and the second may add another", async () => {
    const { card, movedByMs } = await excluded();
    const redrawn = createSignal();
    curfew().workspace.faults.failNext("chat.update", { until: redrawn.given });
    await press("alice", "Extend 1 h", card);
    const { text, message } = await press("carol", "Extend 1 h", card);
    redrawn.give();
    expect(text).toMatch(/alice already extended staging until .*\(change chg-\w+\)\./);
    expect(movedByMs()).toBe(hourMs);
    expect(buttonsOn(message)).toEqual(["Extend 1 h more"]);
    await press("carol", "Extend 1 h more", message);
    expect(movedByMs()).toBe(2 * hourMs);
  });

  it("Extend 1 h pressed by two people on a card at the same time adds an hour", async () => {
    const { card, movedByMs } = await excluded();
    const sent = changesSentTo(curfew());
    const replies = await Promise.all(["alice", "carol"].map((who) => press(who, "Extend 1 h", card)));
    expect(sent()).toEqual(["ModifyActionExclusion"]);
    expect(movedByMs()).toBe(hourMs);
    expect(secondOf(replies).text).toMatch(/already extended|This is already in progress/);
  });

  it("Extend 1 h pressed on a card and in a list at the same time adds an hour, and the second may add another", async () => {
    const { card, list, movedByMs } = await excluded();
    const sent = changesSentTo(curfew());
    const replies = await Promise.all([
      press("carol", "Extend 1 h", card).then((reply) => ({ who: "carol", ...reply })),
      press("alice", "Extend 1 h", list).then((reply) => ({ who: "alice", ...reply })),
    ]);
    expect(sent()).toEqual(["ModifyActionExclusion"]);
    expect(movedByMs()).toBe(hourMs);
    const { who, text, message } = secondOf(replies);
    expect(text).toMatch(/It has another end by now: .*\. Nothing was changed\./);
    expect(buttonsOn(message)).toEqual(["Extend 1 h more"]);
    expect((await press(who, "Extend 1 h more", message)).text).toContain(": now until");
    expect(movedByMs()).toBe(2 * hourMs);
  });

  it("Extend 1 h on the redrawn card adds another hour", async () => {
    const { card, list, movedByMs } = await excluded();
    await press("alice", "Extend 1 h", list);
    await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes("extended by"));
    await press("carol", "Extend 1 h", nowOf(curfew(), card));
    expect(movedByMs()).toBe(2 * hourMs);
  });
});
