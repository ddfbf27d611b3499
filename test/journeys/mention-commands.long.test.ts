import { expect, it } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { ask, buttonsOn, cardOf, changesSentTo, leadsOn, messagesAfter, textOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import type { Curfew } from "../support/start-curfew.ts";
import { lastDelivery } from "../support/wire.ts";

const where = ["a channel", "a direct message", "a thread"] as const;
const commands = catalogue.map(({ words }) => words);
/** Everybody must be able to read them without being called. */
const calls = /<!(?:channel|here|everyone)/;

const atATime = 4;

const strangerText = "Only full members of this workspace can use Curfew: ask one.";

const hostile = [
  "keep <!channel> up for 1h",
  "exclude <!here|x> <!everyone> for 1h",
  "status <https://evil.example/|staging>",
  "why &lt;!channel&gt;",
  "find \u202egnigats\u202c",
  "find \u0000\u0007\ud800",
  "user show <@U02BOB|carol>",
  "group save <!channel> i-0a1",
  "status `<!channel>`",
  "history \"' or 1=1 --",
  "exclude staging for 1h because\u2028end staging",
  "```exclude staging for 1h\nend staging```",
  `find ${"x".repeat(3900)}`,
  `exclude ${"i-0a1 ".repeat(900)}`,
  "__proto__",
  "constructor toString",
];

function messagesTo(curfew: () => Curfew) {
  const person = (who: string) => curfew().workspace.as(who);
  const fromApp = (who: string) => [
    ...person(who)
      .messages("ops")
      .filter(({ isFromApp, ephemeralTo }) => isFromApp && ephemeralTo === person(who).id),
    ...person(who)
      .messages("dm")
      .filter(({ isFromApp }) => isFromApp),
  ];
  /** Says all of this in one place, and gives the answers, which only their reader sees. */
  const sayAll = async (who: string, lines: readonly string[], place: (typeof where)[number]) => {
    const ts = place === "a thread" ? await threadBy(who) : undefined;
    const channel = place === "a direct message" ? "dm" : "ops";
    const before = new Set(fromApp(who).map(({ ts: each, channelId }) => `${channelId} ${each}`));
    const others = curfew().workspace.channel("ops").messages.filter(isPublic).length;
    const say = (line: string) => person(who).type(`${channel === "dm" ? "" : "@Curfew "}${line}`, channel, ts);
    for (let at = 0; at < lines.length; at += atATime) await Promise.all(lines.slice(at, at + atATime).map(say));
    await curfew().app.idle();
    expect(curfew().workspace.channel("ops").messages.filter(isPublic).length, "nothing is said to others").toBe(
      others,
    );
    return fromApp(who).filter(({ ts: each, channelId }) => !before.has(`${channelId} ${each}`));
  };
  const isPublic = ({ isFromApp, ephemeralTo }: StoredMessage) => isFromApp && ephemeralTo === undefined;
  const threadBy = async (who: string) => {
    await person(who).type("the demo is at eight", "ops");
    const { ts = "" } = person(who).messages("ops").at(-1) ?? {};
    await person(who).type("yes", "ops", ts);
    return ts;
  };

  return { person, fromApp, sayAll, threadBy };
}

withOneBot((curfew, clock) => {
  const { person, fromApp, sayAll, threadBy } = messagesTo(curfew);

  it.each(where)("every command is answered in %s, privately and with a next step", async (place) => {
    const sent = changesSentTo(curfew());
    const answers = await sayAll("carol", commands, place);
    expect(answers).toHaveLength(commands.length);
    expect(answers.filter((answer) => !leadsOn(answer)).map(textOf)).toEqual([]);
    const isThread = place === "a thread";
    expect(answers.filter(({ threadTs }) => (threadTs !== undefined) !== isThread)).toEqual([]);
    expect(sent()).toEqual([]);
  });

  it.each(where)("in %s, a repeated, edited or deleted message does nothing again", async (place) => {
    clock.advance(7 * 24 * 3_600_000);
    const sent = changesSentTo(curfew());
    const ts = place === "a thread" ? await threadBy("carol") : undefined;
    const [channel, event] = place === "a direct message" ? ["dm", "message"] : ["ops", "app_mention"];
    const say = (line: string) =>
      messagesAfter(curfew(), "carol", () => person("carol").type(`@Curfew ${line}`, channel, ts), channel);
    await say("disabel dave");
    const own = () =>
      person("carol")
        .messages(channel)
        .findLast(({ isFromApp, userId }) => !isFromApp && userId === "U03CAROL");
    const before = fromApp("carol").length;
    const mistyped = own();
    if (mistyped) await curfew().workspace.changes.edit(mistyped, "@Curfew exclude staging for 1h");
    await curfew().app.idle();
    expect(fromApp("carol")).toHaveLength(before + 1);
    expect(fromApp("carol").map(textOf).join()).toContain("Editing a message does nothing: send a new one.");
    expect(sent()).toEqual([]);
    await say("exclude staging for 1h --another");
    await curfew().app.idle();
    const repeated = lastDelivery(curfew(), event);
    const answered = fromApp("carol").length;
    await curfew().workspace.redeliver(repeated);
    const message = own();
    if (message) await curfew().workspace.changes.remove(message);
    await curfew().workspace.redeliver(repeated);
    await curfew().app.idle();
    expect(fromApp("carol")).toHaveLength(answered);
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });
});

withOneBot((curfew) => {
  const { person, sayAll } = messagesTo(curfew);

  it("nobody gets more than their rights by a message: no role, a guest, another organization", async () => {
    const sent = changesSentTo(curfew());
    const reads = curfew().service.requests.length;
    const isOpen =
      /Say it in your own words|Roles\*\nnone\n|can do|no rights|no warnings|change|Nothing|history|waits|groups/i;
    for (const answer of await sayAll("dave", commands, "a channel")) expect(textOf(answer)).toMatch(isOpen);
    for (const place of where) {
      for (const who of ["gina", "erin"]) {
        const answers = await sayAll(who, ["status", "exclude staging for 1h", "help"], place);
        expect(answers).toHaveLength(3);
        for (const answer of answers) expect(textOf(answer)).toContain(strangerText);
      }
    }
    expect(sent()).toEqual([]);
    expect(curfew().service.requests.length).toBe(reads);
  });

  it.each(["a direct message", "a thread"] as const)(
    "hostile texts in %s call nobody and change nothing",
    async (place) => {
      const sent = changesSentTo(curfew());
      const answers = await sayAll("carol", hostile, place);
      expect(answers).toHaveLength(hostile.length);
      expect(answers.flatMap((answer) => [textOf(answer), answer.text]).filter((text) => calls.test(text))).toEqual([]);
      expect(sent()).toEqual([]);
    },
  );

  it("a stranger in a shared channel can use neither the buttons nor the thread of a card", async () => {
    const { changeId } = await ask(curfew(), "carol", "exclude staging for 1h --another");
    await curfew().app.idle();
    const card = await cardOf(curfew(), changeId);
    const sent = changesSentTo(curfew());
    for (const who of ["erin", "gina"]) {
      const pressed = await messagesAfter(curfew(), who, () => person(who).press(buttonsOn(card)[0] ?? "", card));
      expect(pressed.text).toContain(strangerText);
      for (const line of ["extend 1h", "edit --name x", "undo", "status", "approve", "deny because no"]) {
        const said = await messagesAfter(curfew(), who, () => person(who).type(`@Curfew ${line}`, "ops", card.ts));
        expect(said.text).toContain(strangerText);
      }
    }
    expect(sent()).toEqual([]);
  });
});
