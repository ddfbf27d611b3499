import { afterEach, expect, it } from "vitest";
import { parseSettings } from "../../src/config/read-settings.ts";
import { isPostgresUrl } from "../../src/store/db/open-database.ts";
import { createClock } from "../support/clock.ts";
import { execute } from "../support/execute.ts";
import { ask, buttonsOn, cardsIn, menusOn, messagesAfter, textOf } from "../support/journey.ts";
import { type Curfew, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

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
  // On PostgreSQL jobs use the database's own clock.
  const isDue = `(data->>'dueAt')::bigint <= ${clock.now()}`;
  if (isPostgresUrl(curfew.database))
    await execute(curfew.database, `update curfew_jobs.job set start_after = now() where ${isDue}`);
  for (const { app } of [curfew, ...curfew.others]) await app.idle();
}
const reload = async (text: string) => {
  const parsed = parseSettings(text, "curfew.yaml");
  if ("problems" in parsed) throw new Error(parsed.problems.join("\n"));
  await curfew.app.reload(parsed.settings);
};
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

it("says what was kept running, by whom, and what is excluded, with a chart and ways to end it", async () => {
  await start();
  await aWeek();
  await passTo(7, "09:00");
  const digest = theDigest();
  const text = textOf(digest);
  // Two machines for 12 hours each, and one from Friday on.
  expect(text).toContain(
    "Resources were kept running for *86 h* from Mon 2 Nov 2037 to Sun 8 Nov 2037, 86 h more than",
  );
  expect(text).toContain(":large_blue_square: Production 62 h (0 h)");
  expect(text).toContain(":large_orange_circle: alice 24 h (0 h)");
  expect(text).toContain("*staging* was kept up on 4 of 5 evenings: change its schedule?");
  expect(text).toContain("Longest: i-0b1b1b1b 62 h · staging 12 h.");
  expect(text).toContain("*i-0b1b1b1b* · until");
  const image = digest.blocks.find(({ type }) => type === "image");
  expect(image?.alt_text).toContain(
    "Projects: Production 62 h (0 h), Development 24 h (0 h). People: carol 62 h (0 h)",
  );
  const [, id] = /"id":"(F\w+)"/.exec(JSON.stringify(image)) ?? [];
  const file = curfew.workspace.file(id ?? "");
  expect(file?.bytes?.subarray(1, 4).toString()).toBe("PNG");
  expect(file?.alt).toBe(image?.alt_text);
  expect(menusOn(digest)).toEqual([["Extend…", "End…"]]);
  const shown = await messagesAfter(curfew, "carol", () =>
    curfew.workspace.as("carol").press("Show the action", digest),
  );
  expect(shown.text).toContain("Stop staging");
  const refused = await messagesAfter(curfew, "dave", () =>
    curfew.workspace.as("dave").press("Show the action", digest),
  );
  expect(refused.text).toContain("You can't use");
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

it("has bars of text where images are not permitted, or Slack does not take them", async () => {
  await start();
  await aWeek();
  curfew.workspace.faults.failNext("files.getUploadURLExternal", { error: "missing_scope" });
  await passTo(7, "09:00");
  const text = textOf(theDigest());
  expect(text).toContain("Production  ████████████████████ 62 h (0 h)");
  expect(text).toContain("alice ████████░░░░░░░░░░░░ 24 h (0 h)");
  expect(theDigest().blocks.some(({ type }) => type === "image")).toBe(false);
  curfew.workspace.faults.failNext("upload", { status: 500 });
  await passTo(14, "09:00");
  expect(digests()).toHaveLength(2);
  expect(digests()[1]?.blocks.some(({ type }) => type === "image")).toBe(false);
});

it("waits for an image that Slack does not know yet, and does without it in the end", async () => {
  await start();
  await aWeek();
  await idle();
  curfew.workspace.faults.failNext("chat.postMessage", { error: "invalid_blocks", times: 3 });
  await passTo(7, "09:00");
  for (const minutes of ["01", "02", "03"]) await passTo(7, `09:${minutes}`);
  expect(theDigest().blocks.some(({ type }) => type === "image")).toBe(false);
  expect(curfew.workspace.calls.filter(({ method }) => method === "files.completeUploadExternal")).toHaveLength(1);
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
  await reload(withDigest('{ channel: C0OPS, day: wed, at: "10:00" }'));
  await passTo(2, "10:00");
  expect(digests()).toHaveLength(1);
  await reload(withDigest('{ channel: C0OPS, day: thu, at: "11:00" }'));
  await passTo(3, "11:00");
  expect(digests()).toHaveLength(1);
  await reload(withDigest('[{ channel: C0SEC, day: thu, at: "11:00", projects: [p-prod] }]'));
  await passTo(10, "11:00");
  expect(digests()).toHaveLength(1);
  expect(digests("security")).toHaveLength(0);
  // That channel has no zone: it is 11:00 in UTC.
  await passTo(10, "12:00");
  expect(digests("security")).toHaveLength(1);
  await reload(unlimitedConfig);
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
