import { expect, it } from "vitest";
import { ask, buttonsOn, cardOf, cardsIn, end, nowOf, textOf, threadOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";

withOneBot((curfew) => {
  const exclude = (who: string, line = "exclude staging for 2h --another") => ask(curfew(), who, line);
  const endIt = (who: string, exclusion: string) => end(curfew(), who, exclusion);

  it("an exclusion's card shows the requester, resources, end, reason and nothing else", async () => {
    const { changeId, exclusionId } = await exclude(
      "alice",
      'exclude staging for 2h --another --name "Load <test>" --reason "no & yes"',
    );
    const card = await cardOf(curfew(), changeId);
    const shown = textOf(card);
    expect(shown).toMatch(
      /^:large_green_circle: <@U01ALICE> is keeping \*staging\* running until \*<!date\^\d+\^\{date_short_pretty\} \{time\}\|[^>]*>\*(?:\. Off now [^\n]*)?\n/,
    );
    // A stop that follows soon stands first.
    expect(shown).toMatch(/\n(?:Next stop: <[^>]*> · )?no &amp; yes · “Load &lt;test&gt;” · 2 × EC2 in Development/);
    for (const id of [exclusionId, "p-dev", "amazon-ec2"]) expect(shown).not.toContain(id);
    expect(buttonsOn(card)).toEqual(["Extend 1 h", "Extend…", "End now"]);
    expect(card.text).toBe(`alice kept i-0a1, i-0a2 running · change ${changeId}`);
  });

  it("a change that matches several announce rules gets a card in each channel", async () => {
    await ask(curfew(), "bob", "user disable dave@example.com");
    const { changeId } = await ask(curfew(), "bob", "user enable dave@example.com");
    for (const channel of ["ops", "security"]) {
      const shown = textOf(await cardOf(curfew(), changeId, channel));
      expect(shown).toContain("<@U02BOB> enabled dave");
      expect(shown).not.toContain("Status");
      expect(shown).not.toContain(changeId);
    }
  });

  it("a change that matches one rule is announced in no other channel", async () => {
    const { changeId } = await ask(curfew(), "carol", "project rename p-prod Live <!channel>");
    const shown = textOf(await cardOf(curfew(), changeId));
    expect(shown).toContain("<@U03CAROL> renamed project Production to Live &lt;!channel&gt;");
    expect(cardsIn(curfew().workspace, "security").some(({ text }) => text.includes(changeId))).toBe(false);
  });

  it("moving an exclusion's end updates its card and adds a line to the thread", async () => {
    const made = await exclude("alice");
    const card = await cardOf(curfew(), made.changeId);
    const moved = await ask(curfew(), "alice", `exclusion extend ${made.exclusionId} for 30m`);
    await curfew().workspace.waitFor(() => threadOf(curfew(), card).length === 1);
    const redrawn = nowOf(curfew(), card);
    expect(textOf(redrawn)).toContain("extended by <@U01ALICE>");
    expect(textOf(redrawn).match(/<!date\^(\d+)/)?.[1]).not.toBe(textOf(card).match(/<!date\^(\d+)/)?.[1]);
    expect(buttonsOn(redrawn)).toEqual(["Extend 1 h", "Extend…", "End now"]);
    const [line] = threadOf(curfew(), card);
    expect(line && textOf(line)).toMatch(/^:alarm_clock: <@U01ALICE>: <!date\^.* → <!date\^[^>]*>$/);
    expect(line?.text).toContain(moved.changeId);
  });

  it("ending an exclusion removes the buttons from its card and adds a line to the thread", async () => {
    const made = await exclude("alice");
    const id = made.exclusionId;
    const moved = await ask(curfew(), "alice", `exclusion extend ${id} for 30m`);
    const card = await cardOf(curfew(), made.changeId);
    expect((await cardOf(curfew(), moved.changeId)).ts).toBe(card.ts);
    await endIt("carol", id);
    await curfew().workspace.waitFor(() => threadOf(curfew(), card).length === 2, { what: "the thread's lines" });
    await curfew().workspace.waitFor(() => buttonsOn(nowOf(curfew(), card)).length === 0, {
      what: "the buttons' going",
    });
    expect(textOf(nowOf(curfew(), card))).toMatch(/^:white_circle: .*<@U03CAROL> ended it <!date\^/);
    const [, last] = threadOf(curfew(), card);
    expect(last && textOf(last)).toBe(":checkered_flag: <@U03CAROL> ended it");
  });
});
