import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseSettings } from "../../src/config/read-settings.ts";
import { calendar, christmas, every } from "../directory/calendars/calendar-texts.ts";
import { ask, textOf } from "../support/journey.ts";
import { startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

const line = "keep staging up every thu 18:00-22:00 until 2026-12-31 not on holidays because rehearsal";

test("a calendar that takes too long is named in the admins' channel, and what was read before stays in use", async () => {
  const folder = mkdtempSync(join(tmpdir(), "curfew-calendar-"));
  writeFileSync(join(folder, "holidays.ics"), calendar(christmas));
  const config = `${unlimitedConfig}\ncalendars: [{ name: holidays, file: holidays.ics }]\n`;
  const now = () => Date.parse("2026-12-16T10:40:00Z");
  const curfew = await startCurfew({ config, configFile: join(folder, "curfew.yaml"), now });
  onTestFinished(async () => {
    await curfew.stop();
    rmSync(folder, { recursive: true });
  });
  // Read before a preview needs it, which is left out of the answer where that takes long.
  expect((await ask(curfew, "alice", "holidays")).text).toContain("Christmas");
  expect((await ask(curfew, "alice", line)).text).toContain("Left out: 2026-12-24.");

  writeFileSync(join(folder, "holidays.ics"), every("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"));
  const read = parseSettings(config, "curfew.yaml");
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  await curfew.app.reload(read.settings);
  // While it is worked out, people are answered.
  expect((await ask(curfew, "alice", "list actions")).text).not.toBe("");
  const messages = () => curfew.workspace.channel("admins").messages.map(textOf).join("\n");
  await curfew.workspace.waitFor(() => messages().includes("more than 2 seconds") || undefined, { what: "the report" });
  expect(messages()).toContain(
    "The calendar “holidays” can't be read: its events take more than 2 seconds to work out. What was read before stays in use, up to",
  );
  expect((await ask(curfew, "alice", line.replace("thu", "fri"))).text).toContain("Left out: 2026-12-25.");
});
