import { beforeEach, describe, expect, it } from "vitest";
import { ask, cardOf, changesSentTo, fillIn, messagesAfter, openForm } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { exampleConfig, unlimitedConfig } from "../support/start-curfew.ts";

/** More than the usual limit per minute. */
const lines = 50;
const tooMany = "That's a lot within one minute. Nothing was changed: try again in";

describe("someone over the rate limit", () => {
  const config = exampleConfig.replace("perPersonPerMinute: 30", "perPersonPerMinute: 4");
  const { curfew, clock } = oneBot({ config });
  const person = (who: string) => curfew().workspace.as(who);
  const flood = (count: number) =>
    Promise.all(
      Array.from({ length: count }, () => person("alice").type("/curfew exclude staging for 1h --another", "ops")),
    );
  const answers = (who: string) =>
    person(who)
      .messages("ops")
      .filter(({ ephemeralTo, isFromApp }) => isFromApp && ephemeralTo === person(who).id);

  // Earlier requests no longer count.
  beforeEach(() => clock.advance(61_000));

  it("is refused each time without any change, while others are answered", async () => {
    const before = answers("alice").length;
    const sent = changesSentTo(curfew());
    const flooding = flood(lines);
    // Slack accepts an acknowledgement only within three seconds.
    expect((await ask(curfew(), "carol", "exclude staging for 1h --another")).text).toContain("Keeping ");
    expect(await flooding).toEqual(Array.from({ length: lines }, () => ({ ok: true })));
    const answersNow = () => answers("alice").slice(before);
    await curfew().workspace.waitFor(() => answersNow().length === lines, { what: "an answer to each line" });
    expect(answersNow().filter(({ text }) => text.includes(tooMany))).toHaveLength(lines - 4);
    expect(sent()).toHaveLength(5);
  });

  it("is refused at buttons, shortcuts and forms too, and a form keeps its values", async () => {
    const card = await cardOf(curfew(), (await ask(curfew(), "alice", "exclude staging for 1h --another")).changeId);
    await openForm(curfew(), "alice", "exclude");
    await fillIn(curfew(), "alice", { What: "i-0b1", "Resource type": "amazon-ec2-instance", Project: "p-dev" });
    await flood(2);
    await curfew().app.idle();
    const sent = changesSentTo(curfew());
    expect((await messagesAfter(curfew(), "alice", () => person("alice").press("End now", card))).text).toContain(
      tooMany,
    );
    expect((await messagesAfter(curfew(), "alice", () => person("alice").shortcut("Keep running"))).text).toContain(
      tooMany,
    );
    const outcome = await person("alice").submit();
    expect(outcome).toMatchObject({ kind: "errors" });
    expect("errors" in outcome && Object.values(outcome.errors)[0]).toContain(tooMany);
    expect(person("alice").openView()?.values.What).toMatchObject({ value: "i-0b1" });
    expect(sent()).toEqual([]);
    clock.advance(61_000);
    expect(await person("alice").submit()).toEqual({ kind: "closed" });
    await curfew().workspace.waitFor(() => sent().length === 1);
  });
});

describe("an app without a rate limit", () => {
  const { curfew } = oneBot({ config: unlimitedConfig });

  it("answers everybody, however many requests they send", async () => {
    const alice = curfew().workspace.as("alice");
    await Promise.all(Array.from({ length: lines }, () => alice.type("/curfew whoami", "ops")));
    const replies = () => alice.messages("ops").filter(({ ephemeralTo }) => ephemeralTo === alice.id);
    await curfew().workspace.waitFor(() => replies().length === lines);
    expect(replies().filter(({ text }) => text.includes(tooMany))).toEqual([]);
  });
});
