import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createCalendars } from "../../../src/directory/calendars/calendars.ts";
import { readCalendar } from "../../../src/directory/calendars/days-off.ts";
import { fetchCalendar } from "../../../src/directory/calendars/fetch-calendar.ts";

const event = (...lines: readonly string[]) =>
  ["BEGIN:VEVENT", `UID:${lines.join("")}@example.com`, "DTSTAMP:20260101T000000Z", ...lines, "END:VEVENT"].join(
    "\r\n",
  );
const calendar = (...events: readonly string[]) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", ...events, "END:VCALENDAR", ""].join("\r\n");
const christmas = event("DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261227", "SUMMARY:Christmas");

test("reads all-day events, recurring ones and those of several days, and no others", async () => {
  const daysOff = await readCalendar(
    calendar(
      christmas,
      event("DTSTART;VALUE=DATE:20200101", "RRULE:FREQ=YEARLY", "EXDATE;VALUE=DATE:20280101"),
      event("DTSTART;VALUE=DATE:20261216"),
      event("DTSTART:20261217T090000Z", "DTEND:20261217T100000Z"),
      event("DTSTART;VALUE=DATE:20261218", "STATUS:CANCELLED"),
    ),
  );
  expect(daysOff("2026-12-01", "2027-01-31")).toEqual([
    "2026-12-16",
    "2026-12-24",
    "2026-12-25",
    "2026-12-26",
    "2027-01-01",
  ]);
  expect(daysOff("2026-12-26", "2026-12-31")).toEqual(["2026-12-26"]);
  expect(daysOff("2028-01-01", "2028-01-02")).toEqual([]);
});

test.each(["", "BEGIN:VCALENDAR", "<html>not a calendar</html>", "BEGIN:VCARD\r\nEND:VCARD\r\n"])(
  "refuses what is no calendar: %j",
  async (text) => {
    await expect(readCalendar(text)).rejects.toThrow();
  },
);

/** A server whose answer can change. Calendars are https; here only the reading is of interest. */
async function startServer() {
  const answer = { status: 200, body: calendar(christmas) };
  const server = createServer((_request, response) => response.writeHead(answer.status).end(answer.body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  let calls = 0;
  const fetchIt = async (_url: string, options: { readonly signal: AbortSignal }) => {
    calls++;
    const { status, body } = await fetch(`http://127.0.0.1:${port}/`, options);
    return new Response(body, { status });
  };
  return { answer, fetch: fetchIt, calls: () => calls };
}

test("is fetched once a day, and what was read last counts while it cannot be", async () => {
  const { answer, fetch, calls } = await startServer();
  let now = Date.parse("2026-12-01T10:00:00Z");
  const calendars = createCalendars({
    sources: () => [{ name: "holidays", url: "https://calendar.example.com/holidays.ics" }],
    ...{ configFile: "curfew.yaml", fetch, now: () => now, log: { warn: () => undefined } },
  });
  const days = () => calendars.daysOff("holidays", { from: now, lastDay: "2026-12-31", zone: "Europe/Berlin" });
  const known = { days: ["2026-12-24", "2026-12-25", "2026-12-26"] };
  expect(await days()).toEqual(known);
  expect(await days()).toEqual(known);
  expect(calls()).toBe(1);
  now += 25 * 3_600_000;
  answer.status = 503;
  expect(await days()).toEqual(known);
  expect(calls()).toBe(2);
  expect(await calendars.load()).toEqual([{ name: "holidays", reason: "the answer is 503" }]);
  expect(await days()).toEqual(known);
});

test("of another name, never read, too large or reached without https is a problem with a next step", async () => {
  const { answer, fetch } = await startServer();
  const calendars = createCalendars({
    sources: () => [{ name: "holidays", url: "https://calendar.example.com/holidays.ics" }],
    ...{ configFile: "curfew.yaml", fetch, now: Date.now, log: { warn: () => undefined } },
  });
  const span = { from: Date.now(), lastDay: "2026-12-31", zone: "UTC" };
  answer.body = "x".repeat(2_000_001);
  expect(await calendars.daysOff("holidays", span)).toEqual({ problem: expect.stringContaining("more than 2 MB") });
  expect(await calendars.daysOff("others", span)).toEqual({ problem: expect.stringContaining("There are: holidays.") });
  const elsewhere = async () => Object.defineProperty(new Response("x"), "url", { value: "http://example.com/" });
  await expect(fetchCalendar(elsewhere, "https://example.com/")).rejects.toThrow("without https");
});
