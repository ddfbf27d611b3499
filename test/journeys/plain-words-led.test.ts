import { afterEach, describe, expect, it } from "vitest";
import { ask, buttonsOn, changesSentTo, openForm } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

/** A Saturday, 09:40 in London and 10:40 in Berlin, where people are. */
const startAt = Date.parse("2026-11-28T09:40:00Z");
const dayMs = 24 * 3_600_000;
const { curfew, clock, person } = oneBot({ config: unlimitedConfig, startAt });
const say = (line: string, who = "alice") => ask(curfew(), who, line);
const endAll = () => {
  for (const id of curfew().service.account.exclusions.keys()) curfew().service.account.exclusions.delete(id);
};

describe("of an account", () => {
  it("acts on the order and not on the news before it, which becomes the reason", async () => {
    const sent = changesSentTo(curfew());
    const { changeId } = await say("dave left the company, lock him out", "bob");
    expect(sent()).toEqual(["ModifyUser"]);
    const { text } = await say(`history ${changeId}`, "carol");
    expect(text).toContain("disabled dave");
    expect(text).toContain("Reason: dave left the company");
    const form = await openForm(curfew(), "bob", "alice lost her phone, pls remove her 2fa");
    expect([form.title, JSON.stringify(form.values)]).toEqual([
      "Remove MFA",
      expect.stringContaining("alice lost her phone"),
    ]);
    await person("bob").cancel();
    expect((await openForm(curfew(), "bob", "reset alice's mfa")).title).toBe("Remove MFA");
    await person("bob").cancel();
  });

  it.each(["disable erin, she left", "erin left the company, lock her out", "remove erin's mfa", "find user erin"])(
    "“%s” says that nobody is known by that name",
    async (line) => {
      const sent = changesSentTo(curfew());
      expect((await say(line, "bob")).text).toContain("Curfew knows no user called “erin”");
      expect(sent()).toEqual([]);
    },
  );

  it.each([
    ["alice", "dave left the company, lock him out"],
    ["dave", "reset alice's mfa"],
    ["alice", "lock dave out"],
  ])("%s reads that they may not: “%s”", async (who, line) => {
    expect((await say(line, who)).text).toMatch(/You can't .*user.* Nothing was changed\. Ask /);
  });

  it("never shows that a line was understood without what that was", async () => {
    const { message, text } = await say("bob left us last week, offboard him", "bob");
    expect(text).not.toMatch(/^:grey_question: This is what I understood\. Nothing was changed\.$/);
    expect(buttonsOn(message)).not.toEqual([]);
  });
});

it("who is looked for is found by a name that is near, or asked for", async () => {
  expect((await say("look for alice", "bob")).text).toContain("alice@example.com");
  expect((await say("look for alise", "bob")).text).toContain("Did you mean “alice”?");
  expect((await say("look for someone", "bob")).text).toContain("Who or what do you look for?");
});

describe("what is kept", () => {
  afterEach(() => {
    endAll();
    clock.advance(7 * dayMs);
  });

  it("is extended without its name where it is the only thing that somebody keeps", async () => {
    expect((await say("make it an hour longer")).text).toContain("You keep nothing running. Nothing was changed.");
    await say("keep i-0a2 up until 20:30");
    expect((await say("make it an hour longer")).text).toContain("21:30");
    expect((await say("an hour longer please")).text).toContain("22:30");
    expect((await say("til 8:15")).text).toMatch(/20:15/);
    await say("keep i-0a1 up for 2h");
    const { message } = await say("an hour longer please");
    expect(buttonsOn(message)).toHaveLength(2);
  });

  it("takes what stands behind its end as the reason, and asks what is meant by everything", async () => {
    const sent = changesSentTo(curfew());
    const { changeId } = await say("keep staging up until 8pm, customer demo");
    expect(sent()).toEqual(["CreateActionExclusion"]);
    expect((await say(`history ${changeId}`)).text).toContain("Reason: customer demo");
    for (const line of ["keep everything up", "keep everything up until 22:00", "keep all of them up tonight"]) {
      const { text, message } = await say(line);
      expect(text, line).toContain("What do you want to keep? Nothing was changed.");
      expect(buttonsOn(message)).toEqual(["Open the form"]);
    }
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });

  it("may be named as in the action that stops it", async () => {
    const { text } = await say("keep staging databases up for 2h", "carol");
    expect(text).toContain("No group names the machines of Stop staging databases");
    const { message } = await say("don't stop the staging databases tonight", "carol");
    expect(buttonsOn(message)).toEqual(["Keep running…", "Name its machines…"]);
  });
});

describe("who may only look", () => {
  it("is told in people's words what they can't see, and is offered no line that they may not say", async () => {
    expect((await say("what stops tonight", "dave")).text).toContain("You can't see what runs when. Ask ");
    expect((await say("help", "dave")).text).not.toContain("undo");
    expect((await say("help", "bob")).text).toContain("undo my last change");
    expect((await say("glurb", "dave")).text).toContain("“help” shows what you can say.");
  });

  it("reads in one line that nothing waits, and no doubt in an answer to thanks", async () => {
    const { text, message } = await say("whats waiting", "dave");
    expect(text).toMatch(/^\*No change waits that you may see\*: .*“history” shows what was decided\.$/);
    expect(message.blocks).toHaveLength(1);
    expect((await say("thanks", "dave")).text).toBe("You're welcome.");
  });
});
