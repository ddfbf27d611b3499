import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { clockResult } from "../../src/cli/doctor-here.ts";
import { aHealthyPlace, complaints, examineWith, failed, withConfig } from "./doctor-place.ts";

describe("the service", () => {
  test.each([
    ["SCHEDULER_API_KEY", "sk_wrong", "401 InvalidAccessKey", "put a valid access key into SCHEDULER_API_KEY"],
    [
      "SCHEDULER_BASE_URL",
      "http://127.0.0.1:1",
      "Could not connect to the service (ECONNREFUSED)",
      "Check SCHEDULER_BASE_URL",
    ],
  ])("fails with a wrong %s", async (name, value, what, whatToDo) => {
    const { env, files } = await aHealthyPlace();
    const found = await complaints({ env: { ...env, [name]: value }, files });
    expect(found[0]).toEqual(failed("service", expect.stringContaining(what), expect.stringContaining(whatToDo)));
  });

  test.each(["/api", "/api/", "/API"])("is told which address to write when its own ends in %s", async (end) => {
    const { env, files } = await aHealthyPlace();
    const { SCHEDULER_BASE_URL: right } = env;
    const [found] = await complaints({ env: { ...env, SCHEDULER_BASE_URL: `${right}${end}` }, files });
    const whatToDo = expect.stringContaining(`Write SCHEDULER_BASE_URL=${right}, since Curfew adds /api itself.`);
    expect(found).toEqual(failed("service", expect.stringContaining("404"), whatToDo));
  });

  test.each([
    [{ kind: "status", status: 403 }, "failed", "does not let it list actions"],
    [{ kind: "status", status: 404 }, "failed", "without /api"],
    [{ kind: "status", status: 429 }, "warning", "Too many requests"],
    [{ kind: "status", status: 503 }, "failed", "The service failed"],
    [{ kind: "garbage" }, "failed", "without /api"],
    [{ kind: "reset-before" }, "failed", "Check the network"],
  ] as const)("is reported when it answers %o, and is called only once", async (fault, verdict, whatToDo) => {
    const place = await aHealthyPlace();
    place.service.faults.next(fault);
    const [found] = await complaints(place);
    expect(found).toMatchObject({ name: "service", verdict, whatToDo: expect.stringContaining(whatToDo) });
    expect(place.service.requests).toHaveLength(1);
  });
});

describe("the actions of resource groups", () => {
  const group = "actions: [a-00000001, a-00000002, a-00000003]";

  test("are looked for in the service, and are all there in the example", async () => {
    const found = await examineWith(await aHealthyPlace(), {});
    expect(found).toContainEqual(expect.objectContaining({ name: "group actions", verdict: "ok" }));
  });

  test.each([
    ["a-00000002, SAVINGS, start staging at 07:30", []],
    // Of another kind of resource, of another project, and of no action.
    ["Stop staging databases, web, a-00000099", ["Stop staging databases", "web", "a-00000099"]],
  ])("are reported when no action of the group's project and type has such a name: %s", async (names, missing) => {
    const place = await aHealthyPlace();
    const config = place.files["curfew.yaml"].replace(group, `actions: [${names}]`);
    const found = await complaints({ ...place, files: { "curfew.yaml": config } });
    const places = missing.map((name) => `resourceGroups.staging.actions: ${name}`);
    const what = expect.stringContaining(places.join("\n"));
    expect(found).toEqual(missing.length > 0 ? [expect.objectContaining({ name: "group actions", what })] : []);
  });

  test("are not looked for when no group names any", async () => {
    const place = await aHealthyPlace();
    const config = place.files["curfew.yaml"].replace(`, ${group}`, "");
    const found = await examineWith({ ...place, files: { "curfew.yaml": config } }, {});
    expect(found.map(({ name }) => name)).not.toContain("group actions");
  });
});

test("a calendar that cannot be read is named, with what to correct; one that can be is fine", async () => {
  const place = await aHealthyPlace();
  const calendars = (file: string) =>
    `${place.files["curfew.yaml"]}\ncalendars:\n  - { name: holidays, file: ${file} }\n`;
  const what = "The calendar “holidays” can't be read: its file does not exist.";
  const whatToDo = "Correct the calendar, or its url or file under `calendars`.";
  expect(await complaints(withConfig(place, calendars("./no-such.ics")))).toEqual([
    failed("calendars", what, whatToDo),
  ]);
  const folder = mkdtempSync(join(tmpdir(), "curfew-calendar-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "days.ics"), "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nEND:VCALENDAR\r\n");
  const configFile = join(folder, "curfew.yaml");
  writeFileSync(configFile, calendars("days.ics"));
  const found = await examineWith(place, { configFile });
  expect(found).toContainEqual(expect.objectContaining({ name: "calendars", verdict: "ok", what: "holidays" }));
});

describe("the clock", () => {
  const noon = Date.parse("2026-11-20T12:00:00Z");
  test.each([
    [0, "ok"],
    [-2000, "ok"],
    [5500, "ok"],
    [6500, "warning"],
    [-7000, "warning"],
    [90_000, "failed"],
    [-90_000, "failed"],
  ])("that is %s ms ahead is %s", (aheadMs, verdict) => {
    const reading = { sentAt: noon + aheadMs, receivedAt: noon + 200 + aheadMs, saidAt: noon };
    expect(clockResult("Slack's", reading)).toMatchObject({ verdict });
  });

  test("is not blamed for a slow answer", () => {
    expect(clockResult("Slack's", { sentAt: noon, receivedAt: noon + 90_000, saidAt: noon + 1000 }).verdict).toBe("ok");
  });

  test("is compared with Slack's and the service's", async () => {
    const found = await examineWith(await aHealthyPlace(), { now: () => Date.now() + 120_000 });
    const behind = expect.stringMatching(/^this machine's clock is 1(?:19|20) s ahead$/);
    expect(found.slice(-2)).toEqual([
      failed("clock (Slack's)", behind, expect.stringContaining("NTP")),
      failed("clock (the service's)", behind, expect.stringContaining("NTP")),
    ]);
  });
});
