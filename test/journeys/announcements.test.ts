import { expect, it } from "vitest";
import {
  ask,
  buttonsOn,
  cardOf,
  cardsIn,
  exclusionIdIn,
  nowOf,
  openForm,
  send,
  textOf,
  threadOf,
} from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";

withOneBot((curfew) => {
  const exclude = (who: string, line = "exclude staging for 2h --another") => ask(curfew(), who, line);
  const end = async (who: string, exclusion: string) => {
    await openForm(curfew(), who, `exclusion end ${exclusion}`);
    return send(curfew(), who);
  };

  it("an exclusion's card shows the requester, resources, end, reason and change id", async () => {
    const { changeId, text } = await exclude(
      "alice",
      'exclude staging for 2h --another --name "Load <test>" --reason "no & yes"',
    );
    const card = await cardOf(curfew(), changeId);
    const shown = textOf(card);
    expect(shown).toContain("<@U01ALICE> excluded i-0a1, i-0a2 from stopping");
    expect(shown).toMatch(/\*Until\*\n<!date\^\d+\^.*\(\d\d:\d\d Europe\/Berlin\)/);
    expect(shown).toContain("*Name*\nLoad &lt;test&gt;");
    expect(shown).toContain("*Project*\np-dev");
    expect(shown).toContain(`*Exclusion*\n${exclusionIdIn(text)}`);
    expect(shown).toContain(`Change \`${changeId}\` · Reason: no &amp; yes · as engineer`);
    expect(buttonsOn(card)).toEqual(["Extend", "End"]);
    expect(card.text).toBe(`alice excluded i-0a1, i-0a2 from stopping · change ${changeId}`);
  });

  it("a change that matches several announce rules gets a before-and-after card in each channel", async () => {
    await ask(curfew(), "bob", "user disable dave@example.com");
    const { changeId } = await ask(curfew(), "bob", "user enable dave@example.com");
    for (const channel of ["ops", "security"]) {
      const shown = textOf(await cardOf(curfew(), changeId, channel));
      expect(shown).toContain("<@U02BOB> enabled dave");
      expect(shown).toContain("*Status*\ndisabled → enabled");
      expect(shown).toContain(`Change \`${changeId}\``);
    }
  });

  it("a change that matches one rule is announced in no other channel", async () => {
    const { changeId } = await ask(curfew(), "carol", "project rename p-prod Live <!channel>");
    const shown = textOf(await cardOf(curfew(), changeId));
    expect(shown).toContain("*Name*\nProduction → Live &lt;!channel&gt;");
    expect(cardsIn(curfew().workspace, "security").some(({ text }) => text.includes(changeId))).toBe(false);
  });

  it("moving an exclusion's end updates its card and adds a line to the thread", async () => {
    const made = await exclude("alice");
    const card = await cardOf(curfew(), made.changeId);
    const moved = await ask(curfew(), "alice", `exclusion extend ${exclusionIdIn(made.text)} for 30m`);
    await curfew().workspace.waitFor(() => threadOf(curfew(), card).length === 1);
    const redrawn = nowOf(curfew(), card);
    expect(textOf(redrawn)).toMatch(/:arrow_right: End moved to <!date\^.* by <@U01ALICE>/);
    expect(textOf(redrawn)).toContain(moved.changeId);
    expect(buttonsOn(redrawn)).toEqual(["Extend", "End"]);
    const [line] = threadOf(curfew(), card);
    expect(line && textOf(line)).toMatch(/<@U01ALICE> moved the end of exclusion .*\n\*Until\*\n<!date.* → <!date/s);
  });

  it("ending an exclusion removes the buttons from its cards and adds a line to the thread", async () => {
    const made = await exclude("alice");
    const id = exclusionIdIn(made.text);
    const moved = await ask(curfew(), "alice", `exclusion extend ${id} for 30m`);
    const cards = [await cardOf(curfew(), made.changeId), await cardOf(curfew(), moved.changeId)] as const;
    const ended = await end("carol", id);
    await curfew().workspace.waitFor(() => threadOf(curfew(), cards[0]).length === 2, { what: "the thread's lines" });
    expect(textOf(nowOf(curfew(), cards[0]))).toContain(
      `:checkered_flag: Ended by <@U03CAROL> (change \`${ended.changeId}\`)`,
    );
    await curfew().workspace.waitFor(() => cards.every((card) => buttonsOn(nowOf(curfew(), card)).length === 0), {
      what: "the buttons' going from every card",
    });
    expect(buttonsOn(await cardOf(curfew(), ended.changeId))).toEqual([]);
    expect(threadOf(curfew(), cards[0]).map(textOf)[1]).toContain("<@U03CAROL> ended exclusion");
  });
});
