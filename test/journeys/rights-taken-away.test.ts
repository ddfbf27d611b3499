import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import {
  ask,
  cardOf,
  cardsIn,
  changesSentTo,
  fillIn,
  messagesAfter,
  nowOf,
  openForm,
  textOf,
} from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { type Curfew, unlimitedConfig } from "../support/start-curfew.ts";

const { curfew, clock, person } = oneBot();
const complete = (id = "i-0f1") => ({
  What: id,
  "Resource type": "amazon-ec2-instance",
  Project: "p-dev",
  Until: Math.floor(clock.now() / 60_000) * 60 + 7200,
});
/** What an open form says, also at its fields. */
const shownIn = (who: string) => {
  const { text = "", errors = {} } = person(who).openView() ?? {};
  return [text, ...Object.values(errors)].join("\n");
};
const excluded = async () =>
  cardOf(curfew(), (await ask(curfew(), "alice", "exclude staging for 2h --another")).changeId);

const taken: readonly [string, (from: Curfew) => Promise<unknown>][] = [
  ["taken out", ({ workspace }) => workspace.changes.setGroup("engineers", [])],
  ["gone", ({ workspace }) => workspace.changes.changePerson("alice", { deleted: true })],
];

describe("someone removed from their role's user group or deactivated", () => {
  afterEach(async () => {
    await curfew().workspace.changes.setGroup("engineers", ["alice"]);
    await curfew().workspace.changes.changePerson("alice", { deleted: false });
    clock.advance(31_000);
  });

  it.each(taken)("can change and read nothing once Slack says so, by line, form or button: %s", async (_how, take) => {
    const card = await excluded();
    await openForm(curfew(), "alice", "exclude");
    await fillIn(curfew(), "alice", complete());
    const sent = changesSentTo(curfew());
    await take(curfew());
    expect(["errors", "updated"]).toContain((await person("alice").submit()).kind);
    expect(shownIn("alice")).toContain("Nothing was changed.");
    const onCard = await messagesAfter(curfew(), "alice", () => person("alice").press("End now", card));
    const byLine = await ask(curfew(), "alice", "exclude staging for 1h");
    for (const { text } of [onCard, byLine]) expect(text).toContain("Nothing was changed.");
    expect(sent()).toEqual([]);
  });

  it("is not let in when Slack has not answered for a minute", async () => {
    const sent = changesSentTo(curfew());
    for (const method of ["users.info", "usergroups.list"]) {
      await ask(curfew(), "alice", "whoami");
      clock.advance(60_000);
      curfew().workspace.faults.failNext(method, { error: "internal_error", times: 3 });
      const { text } = await ask(curfew(), "alice", "exclude staging for 1h");
      expect(text).toContain("Slack did not answer");
      expect(text).toContain("Nothing was changed: try again");
      curfew().workspace.faults.clear();
    }
    expect(sent()).toEqual([]);
  });

  it("keeps access for a minute while Slack's rate limits block the look-up, and never reads of a missing role", async () => {
    await ask(curfew(), "alice", "whoami");
    const limit = () => {
      curfew().workspace.faults.failNext("usergroups.list", { retryAfterSeconds: 30, times: 3 });
      curfew().workspace.faults.failNext("users.info", { retryAfterSeconds: 30, times: 3 });
    };
    clock.advance(59_000);
    limit();
    expect((await ask(curfew(), "alice", "exclude staging for 1h --another")).text).toContain("Keeping ");
    // By now the requester's outcome is recorded, so alice gets no second message for it.
    await curfew().app.idle();
    curfew().workspace.faults.clear();
    clock.advance(1000);
    limit();
    expect((await ask(curfew(), "alice", "exclude staging for 1h")).text).toContain("Slack did not answer");
  });
});

describe("where Slack's events are lost", () => {
  const manifest = JSON.parse(readFileSync("manifest/slack-app.http.json", "utf8"));
  const { bot_events: events } = manifest.settings.event_subscriptions;
  manifest.settings.event_subscriptions.bot_events = events.filter(
    (name: string) => !/^(user|subteam|member)_/.test(name),
  );
  const { curfew: silent, clock: time } = oneBot({ manifest });
  afterEach(async () => {
    await silent().workspace.changes.setGroup("engineers", ["alice"]);
    await silent().workspace.changes.changePerson("alice", { deleted: false });
    time.advance(61_000);
  });

  it.each(taken)("exclusions and reads end after a minute: %s", async (_how, take) => {
    await ask(silent(), "alice", "whoami");
    const sent = changesSentTo(silent());
    await take(silent());
    time.advance(60_000);
    const { text } = await ask(silent(), "alice", "exclude staging for 1h");
    expect(text).toContain("Nothing was changed.");
    expect((await ask(silent(), "alice", "exclusion list")).text).toMatch(/Only full members|You can't/);
    expect(sent()).toEqual([]);
  });

  it("changes of accounts end after five seconds", async () => {
    await ask(silent(), "bob", "whoami");
    const sent = changesSentTo(silent());
    await silent().workspace.changes.changePerson("bob", { deleted: true });
    time.advance(5000);
    const { text } = await ask(silent(), "bob", "user disable dave");
    expect(text).toContain("Nothing was changed.");
    expect(sent()).toEqual([]);
  });
});

describe("a new config on the same database", () => {
  const strict = unlimitedConfig.replace("members: [S0ENGINEERS]", "members: [U0SOMEBODY]").replace('["*"]', "[reads]");

  it("limits forms, buttons and cards from before to the person's current rights", async () => {
    const card = await excluded();
    const people = ["alice", "carol"] as const;
    for (const who of people) {
      await openForm(curfew(), who, "exclude");
      await fillIn(curfew(), who, complete(who === "alice" ? "i-0f1" : "i-0f2"));
    }
    const sent = changesSentTo(curfew());
    await curfew().app.stop();
    await curfew().restart(undefined, strict);
    for (const who of people) {
      expect(await person(who).submit()).toEqual({ kind: "updated" });
      expect(shownIn(who)).toContain("Nothing was changed.");
      const { text } = await messagesAfter(curfew(), who, () => person(who).press("End now", card));
      expect(text).toContain("Nothing was changed.");
    }
    expect(sent()).toEqual([]);
    expect(textOf(nowOf(curfew(), card))).toBe(textOf(card));
    await curfew().app.stop();
    await curfew().restart();
    for (const who of people) expect(await person(who).submit()).toEqual({ kind: "closed" });
    await curfew().workspace.waitFor(() => sent().length === 2);
  });
});

describe("someone with markup in their name", () => {
  const name = "<!channel> *Boss* <https://evil.example|click> `x` &lt;!here&gt;";

  it("pings nobody and links nowhere in any message", async () => {
    await curfew().workspace.changes.changePerson("carol", { displayName: name, realName: name });
    clock.advance(31_000);
    const before = cardsIn(curfew().workspace, "ops").length;
    const lines = [
      "whoami",
      "exclude staging for 1h --another",
      "exclusion list",
      "history",
      "exclude staging for 99d",
      "no such thing",
    ];
    const replies = [];
    for (const line of lines) replies.push((await ask(curfew(), "carol", line)).message);
    const cards = await curfew().workspace.waitFor(() => {
      const fresh = cardsIn(curfew().workspace, "ops").slice(before);
      return fresh.length > 0 && fresh;
    });
    const shown = [replies, cards].flat().map(({ text, blocks }) => [text, blocks]);
    // Nobody sees the value of a button.
    const all = JSON.stringify(shown, (key, value) => (key === "value" ? undefined : value));
    expect(all).toContain("Boss");
    for (const live of ["<!channel", "<!here", "<https://evil"]) expect(all).not.toContain(live);
  });
});
