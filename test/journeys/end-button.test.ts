import { expect, it } from "vitest";
import { ask, buttonsOn, cardOf, changesSentTo, messagesAfter, nowOf, send, textOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { configWithoutAsking } from "../support/start-curfew.ts";

withOneBot(
  (curfew, clock) => {
    /** One of alice's exclusions and its card in #ops. */
    const excluded = async () => {
      const { changeId, exclusionId } = await ask(curfew(), "alice", "exclude staging for 2h --another");
      return { card: await cardOf(curfew(), changeId), id: exclusionId };
    };
    const ended = (card: Awaited<ReturnType<typeof excluded>>["card"]) =>
      curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes("> ended it "), {
        what: "the card's end",
      });

    it("the End button asks for confirmation, and Cancel ends nothing", async () => {
      const { card } = await excluded();
      const sent = changesSentTo(curfew());
      const delivered = curfew().workspace.appRequests.length;
      await curfew().workspace.as("alice").press("End now", card, { deny: true });
      expect(curfew().workspace.appRequests).toHaveLength(delivered);
      expect(sent()).toEqual([]);
    });

    it("the End button makes no promise about other exclusions, and the question before it and its reply name them", async () => {
      const name = `Both ${Date.now()}`;
      const { id, card } = await excluded();
      await ask(curfew(), "alice", `exclude i-0a2 --project p-dev --name "${name}" --another for 20h`);
      expect(JSON.stringify(card.blocks)).toContain("Others may still keep it");
      const { text: asked, message } = await ask(curfew(), "carol", `exclusion end ${id}`);
      expect(asked).toContain("Alice is keeping staging running until");
      expect(asked).toMatch(/(?:alice|others) still keeps? (?:some of them|them)/i);
      expect(buttonsOn(message)).toEqual(["End alice's staging"]);
      const { text } = await messagesAfter(curfew(), "alice", () =>
        curfew().workspace.as("alice").press("End now", card),
      );
      expect(text).toContain("You stopped keeping");
      expect(text).toMatch(/(?:You|others) still keep (?:some of them|them)/);
    });

    it("the End button ends an exclusion once on repeated clicks", async () => {
      const { card, id } = await excluded();
      const sent = changesSentTo(curfew());
      await messagesAfter(curfew(), "alice", () => curfew().workspace.as("alice").press("End now", card, { times: 3 }));
      await ended(card);
      expect(sent()).toEqual(["DeleteActionExclusion"]);
      expect(curfew().service.account.exclusions.has(id)).toBe(false);
    });

    it("the End button works once for two people at the same time, and answers the second", async () => {
      const { card } = await excluded();
      const sent = changesSentTo(curfew());
      const people = ["alice", "carol"] as const;
      const replies = await Promise.all(
        people.map((who) => messagesAfter(curfew(), who, () => curfew().workspace.as(who).press("End now", card))),
      );
      await ended(card);
      expect(sent()).toEqual(["DeleteActionExclusion"]);
      expect(
        replies.filter(({ text }) => /already stopped keeping |This is already in progress/.test(text)),
      ).toHaveLength(1);
    });

    it("the End button refuses those who may not use it, and stays for others", async () => {
      const { card } = await excluded();
      const sent = changesSentTo(curfew());
      for (const who of ["dave", "gina", "erin"]) {
        const { text } = await messagesAfter(curfew(), who, () => curfew().workspace.as(who).press("End now", card));
        expect(text).toContain(":no_entry:");
      }
      expect(sent()).toEqual([]);
      await messagesAfter(curfew(), "alice", () => curfew().workspace.as("alice").press("End now", card));
      expect(sent()).toEqual(["DeleteActionExclusion"]);
    });

    it("the End button can be pressed again after the service was unreachable", async () => {
      const { card } = await excluded();
      const press = () => messagesAfter(curfew(), "alice", () => curfew().workspace.as("alice").press("End now", card));
      await curfew().service.faults.down();
      expect((await press().finally(() => curfew().service.faults.up())).text).toContain("nothing was changed");
      const sent = changesSentTo(curfew());
      expect((await press()).text).toContain("You stopped keeping");
      expect(sent()).toEqual(["DeleteActionExclusion"]);
    });

    it("one's own list extends by one click, and asks by a form before it ends anything", async () => {
      const { id } = await excluded();
      const alice = curfew().workspace.as("alice");
      const list = () => ask(curfew(), "alice", "exclusion list mine");
      const from = Date.parse(curfew().service.account.exclusions.get(id)?.expiryDate ?? "");
      const anHour = JSON.stringify({ exclusion: id, until: { forMs: 3_600_000, from } });
      const sent = changesSentTo(curfew());
      const { message } = await list();
      const extended = await messagesAfter(curfew(), "alice", () =>
        alice.press("Extend 1 h", message, { value: `run:exclusion extend:${anHour}` }),
      );
      expect(extended.message.ts, "the outcome takes the place of the list").toBe(message.ts);
      expect(extended.text).toContain(": now until");
      const end = { value: `form:exclusion end:${JSON.stringify({ exclusion: id })}` };
      await alice.press("End now…", (await list()).message, end);
      const form = await curfew().workspace.waitFor(() => alice.openView(), { what: "the form" });
      expect(form.text).toContain("Others may still keep it");
      expect(sent()).toEqual(["ModifyActionExclusion"]);
      expect((await send(curfew(), "alice")).text).toContain("You stopped keeping");
    });

    it("the End button in a list appears only at exclusions that its reader may end", async () => {
      const { id } = await excluded();
      const others = await ask(
        curfew(),
        "carol",
        'exclude i-0c9 --project p-dev --another --name "Not alice\'s" for 1h',
      );
      const { message } = await ask(curfew(), "alice", "exclusion list");
      expect(textOf(message)).toContain("Not alice's");
      const ends = (exclusion: string) =>
        JSON.stringify(message.blocks).includes(JSON.stringify(`form:exclusion end:${JSON.stringify({ exclusion })}`));
      expect([id, others.exclusionId].map(ends)).toEqual([true, false]);
    });

    it("someone limited to their own exclusions gets no form for another's, by line or button", async () => {
      const others = await ask(
        curfew(),
        "carol",
        'exclude i-0c9 --project p-dev --another --name "Not alice\'s" for 1h',
      );
      const id = others.exclusionId;
      const card = await cardOf(curfew(), others.changeId);
      const why = /^:no_entry: .* only if you made it through Curfew\. Nothing was changed\. Ask /;
      for (const words of ["end", "extend", "edit"])
        expect((await ask(curfew(), "alice", `exclusion ${words} ${id}`)).text).toMatch(why);
      const pressed = await messagesAfter(curfew(), "alice", () =>
        curfew().workspace.as("alice").press("Extend…", card),
      );
      expect(pressed.text).toMatch(why);
      expect(curfew().workspace.as("alice").openView()).toBeUndefined();
    });

    it("the Extend button opens a form with the end moved by the usual length", async () => {
      const { card } = await excluded();
      const alice = curfew().workspace.as("alice");
      await alice.press("Extend…", card);
      const form = await curfew().workspace.waitFor(() => alice.openView());
      const end = Number(form.values.Until?.selected_date_time) * 1000;
      expect(form.title).toBe("Keep longer");
      expect(end).toBeGreaterThan(clock.now() + 5.9 * 3_600_000);
      expect(end).toBeLessThan(clock.now() + 6.1 * 3_600_000);
    });

    it("the Extend form reopens with the intended end after a failed extension", async () => {
      const { id } = await excluded();
      const before = Date.parse(curfew().service.account.exclusions.get(id)?.expiryDate ?? "");
      curfew().service.faults.next({ kind: "status", operation: "ModifyActionExclusion", status: 400 });
      const failed = await ask(curfew(), "alice", `exclusion extend ${id} for 90m`);
      const alice = curfew().workspace.as("alice");
      await alice.press("Change and try again…", failed.message);
      const { values } = await curfew().workspace.waitFor(() => alice.openView());
      const shown = Number(values.Until?.selected_date_time) * 1000;
      expect(shown - before - 90 * 60_000).toBeGreaterThanOrEqual(0);
      expect(shown - before - 90 * 60_000).toBeLessThan(60_000);
    });
  },
  { config: configWithoutAsking },
);
