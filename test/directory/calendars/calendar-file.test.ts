import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseSettings } from "../../../src/config/read-settings.ts";
import { readCalendarFile } from "../../../src/directory/calendars/read-calendar.ts";
import { runWithArgs } from "../../cli/run-with-args.ts";
import { titled } from "../../support/brief.ts";
import { exampleConfig } from "../../support/start-curfew.ts";
import { calendar, christmas } from "./calendar-texts.ts";

const place = mkdtempSync(join(tmpdir(), "curfew-calendar-"));
const folder = join(place, "config");
const configFile = join(folder, "curfew.yaml");
const secret = "SCHEDULER_API_KEY=sk_hunter2";

beforeAll(() => {
  mkdirSync(join(folder, "teams", "dir.ics"), { recursive: true });
  mkdirSync(join(place, "config-other"));
  for (const path of ["token.txt", ".env", "secret.ics"]) writeFileSync(join(folder, path), secret);
  for (const path of ["x.ics", "config-other/x.ics", "config/teams/own.ics"])
    writeFileSync(join(place, path), calendar(christmas));
  writeFileSync(join(folder, "large.ics"), "x".repeat(2_000_001));
  symlinkSync("../x.ics", join(folder, "out.ics"));
  symlinkSync("..", join(folder, "up"));
  symlinkSync(".env", join(folder, "env.ics"));
  symlinkSync("/dev/zero", join(folder, "zero.ics"));
  symlinkSync("teams/own.ics", join(folder, "linked.ics"));
  // As Kubernetes mounts a config map.
  mkdirSync(join(folder, "..2026_12_01"));
  writeFileSync(join(folder, "..2026_12_01", "mounted.ics"), calendar(christmas));
  symlinkSync("..2026_12_01", join(folder, "..data"));
  symlinkSync("..data/mounted.ics", join(folder, "mounted.ics"));
  execFileSync("mkfifo", [join(folder, "pipe.ics")]);
});
afterAll(() => rmSync(place, { recursive: true }));

const outside = "its file is not below the folder of curfew.yaml";
const otherName = "its file is not named *.ics";

test.each(
  titled([
    ["token.txt", otherName],
    [".env", otherName],
    ["env.ics", otherName],
    ["../x.ics", outside],
    ["../config-other/x.ics", outside],
    ["up/x.ics", outside],
    ["out.ics", outside],
    ["zero.ics", outside],
    [join(place, "x.ics"), outside],
    ["teams/dir.ics", "its file is no plain file"],
    ["pipe.ics", "its file is no plain file"],
    ["large.ics", "it has more than 2 MB"],
    ["none.ics", "its file does not exist"],
    ["x".repeat(5000), "its file can't be read (ENAMETOOLONG)"],
  ]),
)("refuses %s", async (_title, file, problem) => {
  expect(await readCalendarFile(configFile, file)).toEqual({ problem });
});

test.each(["teams/own.ics", "./linked.ics", "mounted.ics", join(folder, "teams", "own.ics")])(
  "reads %s",
  async (file) => {
    expect(await readCalendarFile(configFile, file)).toEqual({ text: calendar(christmas) });
  },
);

test.each(["token.txt", ".env", "/etc/passwd"])("a config that names %s as a calendar is refused", (file) => {
  const read = parseSettings(`${exampleConfig}\ncalendars: [{ name: days, file: ${file} }]\n`, "curfew.yaml");
  const problem = expect.stringMatching(/^curfew\.yaml:\d+:\d+ calendars\.0\.file.*must be a file named \*\.ics/);
  expect(read).toMatchObject({ problems: [problem] });
});

test.each(["secret.ics", "env.ics"])("no part of %s is shown", async (file) => {
  const files = { [configFile]: `${exampleConfig}\ncalendars: [{ name: days, file: ${file} }]\n` };
  const { output, errors } = await runWithArgs(["check", configFile], { files });
  expect(output).toContain("The calendar “days” can't be read: it");
  expect(`${output}${errors}`).not.toMatch(/SCHEDULER|hunter2/);
});
