import { describe, expect, it } from "vitest";
import {
  ask,
  buttonsOn,
  type CommandReply,
  cardOf,
  changesSentTo,
  end as endBy,
  menusOn,
  messagesAfter,
  openForm,
  send,
  textOf,
} from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";
import { aWeekEach } from "../support/week-each.ts";

/** A Monday, 09:00 in London: staging stops at 19:00, in ten hours. No clock changes until the end of October. */
const startAt = Date.parse("2027-04-05T08:00:00Z");
const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;
const { curfew, clock } = oneBot({ config: unlimitedConfig, startAt });
const told = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
const press = (who: string, label: string, on: CommandReply, value?: string) =>
  messagesAfter(curfew(), who, () =>
    curfew()
      .workspace.as(who)
      .press(label, on.message, value ? { value } : {}),
  );
const end = (who: string, name: string) => endBy(curfew(), who, `"${name}" because demo is over`);

aWeekEach(clock, startAt);

describe("a question that one may not ask", () => {
  it("is refused in its own words, with what one may ask instead", async () => {
    const reply = await ask(curfew(), "bob", "why alice");
    expect(reply.text).toContain("You can't see what keeps something up or down. Ask ");
    expect(buttonsOn(reply.message)).toEqual(["Show user alice", "What I can do"]);
    expect((await press("bob", "Show user alice", reply)).text).toContain("alice@example.com");
    const list = await ask(curfew(), "bob", "exclusions");
    expect(list.text).toContain("You can't see what is kept.");
    expect(buttonsOn(list.message)).toEqual(["What I can do"]);
    expect((await press("bob", "What I can do", list)).text).toContain("disable bob");
  });

  it("leads to the one channel where one may ask it", async () => {
    const typed = () => curfew().workspace.as("alice").type("/curfew why staging", "random");
    const { text, message } = await messagesAfter(curfew(), "alice", typed, "random");
    expect(text).toContain(
      "You can see what keeps something up or down only in <#C0OPS>: ask there with `/curfew why staging`.",
    );
    expect(buttonsOn(message)).toEqual(["What I can do", "Open the channel"]);
  });
});

describe("why", () => {
  it("tells who keeps a group up and why, what runs it, and the last changes that touched it", async () => {
    await told("alice", 'exclude staging for 12h --reason "demo at eight"');
    const reply = await ask(curfew(), "alice", "why staging");
    const { text, message } = reply;
    expect(text).toMatch(/^\*staging\*: kept running by you until <!date.*\.\n/);
    expect(text).toMatch(/\*staging\* · until .* \(12 h left\) · since .* · you · demo at eight/);
    expect(text).toMatch(/Stop staging at 19:00\* · .* · last: <!date/);
    expect(menusOn(message)).toHaveLength(3);
    const more = await press("alice", "More", reply);
    expect(more.text).toContain("A group of 2 (EC2) in Development.");
    expect(more.text).toMatch(/check_mark: \*alice kept staging running\* · <!date/);
    expect(menusOn(more.message).flat()).toEqual(expect.arrayContaining(["Extend…", "End now…", "Undo"]));
  });

  it("tells which exclusion is over, since when, and who ended it why", async () => {
    await told("alice", 'exclude i-0a1 --project p-dev for 12h --name "Demo" --reason demo');
    await end("alice", "Demo");
    clock.advance(hourMs);
    const reply = await ask(curfew(), "alice", "why i-0a1");
    expect(reply.text).toMatch(
      /^\*i-0a1\*: “[^”]*” (?:started|stopped|was due to start|was due to stop) it <!date.*; nobody kept it (?:off|running)\.\n/,
    );
    expect(reply.text).toMatch(/\*Demo\* · i-0a1 · over since .* · ended by <@U01ALICE> · demo is over · you · demo\n/);
    expect((await press("alice", "More", reply)).text).toContain("alice stopped keeping i-0a1");
    expect(await told("alice", "why i-0a2")).not.toContain("Demo");
    clock.advance(weekMs);
    expect(await told("alice", "why i-0a1"), "an old one is only in the changes").not.toContain("over since");
  });

  it.each(["why is staging still up?", "why did Staging stop", "why is the staging running"])(
    "understands “%s”",
    async (line) => {
      expect(await told("alice", line)).toContain("*staging*: ");
    },
  );

  it("tells of changes that failed or wait", async () => {
    curfew().service.faults.next({ kind: "status", operation: "CreateActionExclusion", status: 400 });
    await told("alice", "exclude staging for 2h");
    expect((await press("alice", "More", await ask(curfew(), "alice", "why staging"))).text).toMatch(
      /x: \*alice wanted to keep staging running\* · <!date.*> · failed/,
    );
  });

  it("of an exclusion, a project, an action and a user tells what concerns them", async () => {
    await told("carol", 'exclude staging for 2h --name "Fair"');
    await told("carol", "user disable dave@example.com");
    expect(await told("carol", "why fair")).toMatch(/\*Fair\* · staging · until .*carol kept i-0a1, i-0a2/s);
    expect(await told("carol", "why p-dev")).toMatch(/\*Fair\*.* · you\n/);
    expect(await told("carol", "why a-00000002")).toMatch(/Stop staging at 19:00.*last: /);
    expect(await told("carol", "why dave")).toContain("carol disabled dave");
    expect(await told("carol", "why Nightly backups")).toContain("A plan.");
  });

  it("leads to older changes, and opens its form without a thing", async () => {
    for (let n = 1; n <= 6; n++) await told("carol", `project rename p-prod "Live ${n}"`);
    const reply = await ask(curfew(), "carol", "why p-prod");
    expect(reply.text).not.toContain("renamed project Production");
    expect((await press("carol", "More changes", reply)).text).toContain("renamed project Production");
    await openForm(curfew(), "alice", "why");
    expect((await send(curfew(), "alice", { Thing: "i-0f9" })).text).toContain("*i-0f9*: ");
  });
});

describe("next", () => {
  it("shows what runs in the next 24 hours, soonest first, with pages", async () => {
    const first = await ask(curfew(), "alice", "next");
    expect(first.text).toMatch(/\*\d\d runs in the next 24 hours\*\nPage 1 of 2/);
    const second = await press("alice", "Next", first);
    const runs = [first, second].flatMap(({ text }) =>
      [...text.matchAll(/\* · <!date\^(\d+)/g)].map(([, seconds]) => Number(seconds) * 1000),
    );
    expect(first.text).toContain(`${runs.length} runs`);
    expect(runs).toEqual([...runs].sort((one, other) => one - other));
    for (const at of runs) expect(at - clock.now()).toBeLessThanOrEqual(24 * hourMs);
    expect(buttonsOn(second.message)).not.toContain("Next");
    expect(first.text + second.text).not.toContain("Production");
  });

  it("keeps a group running by a button, until five minutes past its stop", async () => {
    const sent = changesSentTo(curfew());
    const reply = await ask(curfew(), "alice", "next staging");
    expect(reply.text).toContain("2 runs in the next 24 hours, staging");
    expect(buttonsOn(reply.message), "only a stop is prevented").toEqual(["Keep running"]);
    const kept = await press("alice", "Keep running", reply);
    expect(kept.text).toContain("Keeping staging running");
    expect(sent()).toEqual(["CreateActionExclusion"]);
    const expiryDate = new Date(new Date(clock.now()).setUTCHours(18, 5, 0, 0)).toISOString();
    expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({ expiryDate, resourceIds: ["i-0a1", "i-0a2"] });
    const after = await ask(curfew(), "alice", "next staging");
    expect(after.text).toContain("does not stop staging: kept up by you until today 20:05");
    expect(buttonsOn(after.message)).toEqual([]);
  });

  it.each([
    ["when does qa stop", "1 stop in the next 24 hours, “qa”", "Stop QA", "Start QA"],
    ["when does qa start", "1 start in the next 24 hours, “qa”", "Start QA", "Stop QA"],
    ["when will staging stop", "1 stop in the next 24 hours, staging", "Stop staging at 19:00", "Start staging"],
  ])("“%s” is answered with that run only", async (line, title, shown, other) => {
    const text = await told("alice", line);
    expect(text).toContain(title);
    expect(text).toContain(`*${shown}* · <!date`);
    expect(text).not.toContain(other);
  });

  it("opens the form where the resources of an action are not known", async () => {
    const reply = await ask(curfew(), "alice", "next Stop build machines");
    expect(reply.text).toContain("1 run in the next 24 hours, Stop build machines");
    expect(menusOn(reply.message)).toEqual([["Keep running…", "Name its machines…", "Details", "Status", "Why?"]]);
    await curfew().workspace.as("alice").press("Keep running…", reply.message);
    const form = await curfew().workspace.waitFor(() => curfew().workspace.as("alice").openView(), { what: "a form" });
    expect(form.values.What?.value ?? null).toBeNull();
    expect(form.values["Resource type"]?.selected_option).toMatchObject({ value: "amazon-ec2-instance" });
    const atTen = new Date(clock.now()).setUTCHours(21, 5, 0, 0);
    expect(form.values.Until?.selected_date_time).toBe(atTen / 1000);
  });

  it("has no such button for those who may not exclude", async () => {
    const menu = async (who: string) =>
      menusOn((await ask(curfew(), who, "next Stop staging databases")).message).flat();
    expect(await menu("alice")).not.toContain("Keep running…");
    expect(await menu("carol")).toContain("Keep running…");
  });

  it("says of resources what is due there for their kind, or that their project is not known", async () => {
    await told("alice", "exclude i-0d1 --project p-dev for 2h");
    const text = await told("alice", "next i-0d1");
    expect(text).toContain("in the next 24 hours, due in Development, EC2");
    expect(text).toContain("These may be for other machines.");
    expect(await told("alice", "next i-0f9")).toContain("does not know the project of i-0f9");
  });

  it("shows a later run when nothing runs within a day", async () => {
    clock.advance(5 * 24 * hourMs + 11 * hourMs);
    const text = await told("alice", "next Stop staging at 19:00");
    expect(text).toMatch(/No runs in the next 24 hours, .*\nThe next one comes later\./s);
    expect(text).toMatch(/Stop staging at 19:00\* · <!date/);
  });

  it("says so when the service cannot be reached", async () => {
    await curfew().service.faults.down();
    const text = await told("alice", "next").finally(() => curfew().service.faults.up());
    expect(text).toContain("The service could not show this");
  });
});

it("a stop at the very end of an exclusion is not held back, as its answer and its card say", async () => {
  const { text, changeId, exclusionId } = await ask(curfew(), "alice", "exclude staging until 20:00");
  expect(text).toContain("“Stop staging at 19:00” comes just then, and is not prevented.");
  const end = Date.parse(curfew().service.account.exclusions.get(exclusionId)?.expiryDate ?? "") / 1000;
  expect(textOf(await cardOf(curfew(), changeId))).toContain(`\nNext stop: <!date^${end}^`);
});

it("a stop soon after the end is said in the answer, and first on the card", async () => {
  const { text, changeId } = await ask(curfew(), "carol", "keep staging up until saturday 8:00 because demo");
  expect(text).toMatch(/Prevents “Stop staging at 19:00” .* “Stop staging at the weekend” follows <!date/);
  expect(textOf(await cardOf(curfew(), changeId))).toMatch(/\nNext stop: <!date[^>]*> · demo · /);
  const later = await ask(curfew(), "carol", "keep staging up until 22:00 because demo --another");
  expect(later.text).not.toContain("follows");
  expect(textOf(await cardOf(curfew(), later.changeId))).toMatch(/\ndemo · .* · Next stop: <!date/);
});

describe("keeping what is off by the schedule", () => {
  const off = /^:white_check_mark: Done\. Off now until <!date\^(\d+)[^>]*>: Curfew can't start them\./;

  it("says so in the first line, and when the schedule starts it next", async () => {
    clock.advance(13 * hourMs);
    expect(await told("carol", "keep i-0a1 up for 2h because demo")).toContain("Off now");
    const { text, changeId } = await ask(curfew(), "alice", "keep staging up until 11");
    expect(text).toMatch(off);
    const [, starts = ""] = off.exec(text) ?? [];
    expect(textOf(await cardOf(curfew(), changeId))).toMatch(
      new RegExp(`is keeping \\*staging\\* running until [^\n]*\\*\\. Off now until <!date\\^${starts}\\^`),
    );
    expect(await told("carol", "why is staging off?")).toMatch(
      new RegExp(`\\*staging\\*: off by the schedule until <!date\\^${starts}[^>]*>; held by <@U01ALICE> until`),
    );
    expect(Number(off.exec(text)?.[1]) * 1000 - clock.now()).toBeGreaterThan(8 * hourMs);
    expect(Number(off.exec(text)?.[1]) * 1000 - clock.now()).toBeLessThan(11 * hourMs);
  });

  it("says nothing of it where somebody kept it from its stop, or it is planned for later", async () => {
    await ask(curfew(), "alice", "keep i-0a1 up until 22:30 because demo");
    clock.advance(13 * hourMs);
    const { text, changeId } = await ask(curfew(), "alice", "keep staging up until 6:00");
    expect(text + textOf(await cardOf(curfew(), changeId))).not.toContain("Off now");
    expect(await told("alice", "keep i-0a2 up tomorrow from 9 until 11")).not.toContain("Off now");
  });
});
