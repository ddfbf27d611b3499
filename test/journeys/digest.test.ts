import { afterEach, expect, it } from "vitest";
import { isPostgresUrl } from "../../src/store/db/open-database.ts";
import { createClock } from "../support/clock.ts";
import { ask, buttonsOn, cardsIn, menusOn, messagesAfter, textOf } from "../support/journey.ts";
import { type Curfew, reload, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

/** In the future, so that PostgreSQL gives no job before its time. A Monday, 10:00 in Berlin, where the channel is. */
const monday = Date.parse("2037-11-02T09:00:00Z");
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const withDigest = (entry: string) => `${unlimitedConfig}\ndigest: ${entry}\n`;
const config = withDigest('{ channel: C0OPS, day: mon, at: "09:00" }');

const clock = createClock(monday);
let curfew: Curfew;
const start = async (options: Parameters<typeof startCurfew>[0] = {}) => {
  clock.advance(monday - clock.now());
  curfew = await startCurfew({ config, now: clock.now, ...options });
};
afterEach(() => curfew.stop());

/** Sets the clock, in Berlin's winter time, so many days after the first Monday; what is due then happens. */
async function passTo(days: number, time: string): Promise<void> {
  await idle();
  const at = Date.parse(`2037-11-02T${time}:00+01:00`) + days * dayMs;
  clock.advance(at - clock.now());
  await idle();
}
async function idle(): Promise<void> {
  for (const { app } of [curfew, ...curfew.others]) await app.idle();
}
const digests = (channel = "ops") =>
  cardsIn(curfew.workspace, channel).filter((each) => textOf(each).startsWith(":bar_chart:"));
const theDigest = () => {
  const [digest, ...others] = digests();
  if (!digest || others.length > 0) throw new Error(`there are ${others.length + (digest ? 1 : 0)} digests`);
  return digest;
};
/** Staging is kept up after the team's day on four days of the first week. */
async function aWeek(): Promise<void> {
  for (const day of [0, 1, 2, 3]) {
    await passTo(day, "17:00");
    await ask(curfew, "alice", "keep staging up for 3h");
  }
  await passTo(4, "10:00");
  await ask(
    curfew,
    "carol",
    "exclude i-0b1b1b1b until monday 12:00 --type amazon-ec2-instance --project p-prod --another",
  );
}

it("says what was kept running, by whom, and what is excluded, with bars and ways to end it", async () => {
  await start();
  await aWeek();
  await passTo(7, "09:00");
  const digest = theDigest();
  const text = textOf(digest);
  // Two machines for 12 hours each, and one from Friday on.
  expect(text).toContain(
    "Resources were kept running for *86 h* from Mon 2 Nov 2037 to Sun 8 Nov 2037, 86 h more than",
  );
  expect(text).toContain("Projects (the week before)");
  expect(text).toContain("Production  ████████████████████ 62 h (0 h)");
  expect(text).toContain("alice ████████░░░░░░░░░░░░ 24 h (0 h)");
  expect(text).toContain("*staging* was kept up on 4 of 5 evenings: change its schedule?");
  expect(text).toContain("Longest: i-0b1b1b1b 62 h · staging 12 h.");
  expect(text).toContain("*i-0b1b1b1b* · until");
  expect(digest.blocks.map(({ type }) => type)).not.toContain("image");
  expect(menusOn(digest)).toEqual([["Extend…", "End…"]]);
  const shown = await messagesAfter(curfew, "carol", () =>
    curfew.workspace.as("carol").press("Show the action", digest),
  );
  expect(shown.text).toContain("Stop staging");
  const refused = await messagesAfter(curfew, "dave", () =>
    curfew.workspace.as("dave").press("Show the action", digest),
  );
  expect(refused.text).toContain("You can't see an action and when it runs next.");
});

it("tells the hours since a stop that was prevented apart from those of which nothing is known", async () => {
  await start({ config: config.replace("a-00000003]", "a-00000003, a-demand]") });
  const { actions } = curfew.service.account;
  const stop = actions.get("a-00000002");
  if (stop) actions.set("a-demand", { ...stop, actionId: "a-demand", schedule: { scheduleType: "None" } });
  await passTo(0, "17:00");
  // Staging stops at 20:00 in Berlin, and at the weekend at 14:00; it starts at 8:30 on Monday.
  await ask(curfew, "alice", "keep staging up for 5h");
  await passTo(4, "10:00");
  await ask(curfew, "carol", "exclude i-0b1 for 3h --type amazon-ec2-instance --project p-prod");
  await passTo(6, "12:00");
  await ask(curfew, "alice", "keep staging up for 24h");
  await passTo(7, "09:00");
  const [first, ...others] = digests();
  const said = textOf(first ?? theDigest());
  expect(others).toEqual([]);
  expect(said).toContain("*37 h* from Mon 2 Nov 2037");
  expect(said).toContain("For 24 h of them a known stop was prevented.");
  expect(said).toContain("For 3 h Curfew doesn't know what would have stopped them.");
  curfew.service.account.actions.clear();
  await passTo(14, "09:00");
  const second = textOf(digests()[1] ?? theDigest());
  expect(second, "the actions are not listed any more").toContain("For 0 h of them a known stop was prevented.");
  expect(second).toContain("For 24 h Curfew doesn't know what would have stopped them.");
});

it("is one line for an empty week, and compares with the week before", async () => {
  await start();
  await passTo(7, "09:00");
  expect(textOf(theDigest())).toBe(
    ":bar_chart: Nothing was kept running from Mon 2 Nov 2037 to Sun 8 Nov 2037, and nothing is excluded now.",
  );
  await passTo(8, "17:00");
  await ask(curfew, "alice", "keep staging up for 1h");
  await passTo(14, "09:00");
  expect(textOf(digests()[1] ?? theDigest())).toContain("*2 h*");
  await passTo(21, "09:00");
  const last = textOf(digests()[2] ?? theDigest());
  expect(last).toContain("*0 h* from Mon 16 Nov 2037 to Sun 22 Nov 2037, 2 h less than the week before.");
  expect(last).toContain("Nothing is excluded now.");
});

it("comes once in a week, after a restart and with two instances, and is left out when it is more than a day late", async () => {
  await start();
  if (isPostgresUrl(curfew.database)) await curfew.addInstance();
  await passTo(7, "08:00");
  await curfew.restart();
  await passTo(7, "09:00");
  await passTo(7, "10:00");
  expect(digests()).toHaveLength(1);
  for (const other of curfew.others) await other.app.stop();
  await curfew.app.stop();
  clock.advance(7 * dayMs + 20 * hourMs);
  await curfew.restart();
  await idle();
  expect(digests()).toHaveLength(2);
  await curfew.app.stop();
  clock.advance(8 * dayMs);
  await curfew.restart();
  await idle();
  expect(digests()).toHaveLength(2);
  await passTo(28, "09:00");
  expect(digests()).toHaveLength(3);
});

it("follows a config with another day, time or zone, and never comes twice in a week", async () => {
  await start();
  await reload(curfew, withDigest('{ channel: C0OPS, day: wed, at: "10:00" }'));
  await passTo(2, "10:00");
  expect(digests()).toHaveLength(1);
  await reload(curfew, withDigest('{ channel: C0OPS, day: thu, at: "11:00" }'));
  await passTo(3, "11:00");
  expect(digests()).toHaveLength(1);
  await reload(curfew, withDigest('[{ channel: C0SEC, day: thu, at: "11:00", projects: [p-prod] }]'));
  await passTo(10, "11:00");
  expect(digests()).toHaveLength(1);
  expect(digests("security")).toHaveLength(0);
  // That channel has no zone: it is 11:00 in UTC.
  await passTo(10, "12:00");
  expect(digests("security")).toHaveLength(1);
  await reload(curfew, unlimitedConfig);
  await passTo(17, "12:00");
  expect(digests("security")).toHaveLength(1);
});

it("shows only its projects, names no owner who left, and cuts long lists", async () => {
  await start({ config: withDigest("{ channel: C0OPS, projects: [p-dev] }") });
  await aWeek();
  await passTo(6, "20:00");
  for (let index = 0; index < 10; index++)
    await ask(curfew, "alice", `exclude i-0a${index % 2 === 0 ? 1 : 2} for ${index + 14}h --another`);
  await curfew.workspace.changes.changePerson("alice", { deleted: true });
  clock.advance(6 * 60_000);
  await passTo(7, "09:00");
  const text = textOf(theDigest());
  expect(text).not.toContain("Production");
  expect(text).toContain("nobody owns it");
  expect(text).toContain("and 2 more");
  expect(buttonsOn(theDigest())).toContain("Show all");
});

it("of groups counts only the machines of those groups, in any exclusion", async () => {
  const extra = "  half: { type: amazon-ec2-instance, project: p-dev, ids: [i-0a1], actions: [] }\n";
  const text = withDigest("[{ channel: C0OPS, groups: [half] }, { channel: C0SEC, groups: [staging] }]");
  await start({ config: text.replace("resourceGroups:\n", `$&${extra}`) });
  await aWeek();
  // The other channel is in UTC.
  await passTo(7, "10:00");
  const [half, whole] = [digests("ops"), digests("security")].map(([first]) => textOf(first ?? theDigest()));
  expect(half).toContain("*12 h*");
  expect(whole).toContain("*24 h*");
  for (const each of [half, whole]) expect(each).not.toContain("i-0b1b1b1b");
});
