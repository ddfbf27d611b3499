import { expect, test } from "vitest";
import { findSpan } from "../../src/language/periods/read-span.ts";
import { aTimeContext, dayAndTime, split } from "./time-readings.ts";

/** On Wednesday 25 November 2026, 10:40 in Berlin. */
const read = (text: string) => {
  const words = split(text);
  const found = findSpan(words, aTimeContext());
  if (!found) return "not a time";
  const said = words.slice(found.start, found.end).join(" ");
  const shown = found.spans.map(({ from, to }) => `${short(from)} to ${short(to)}`);
  return said === text ? shown.join(" or ") : `“${said}” ${shown.join(" or ")}`;
};
const short = (at: number) => dayAndTime(at).replace(" 2026", "");

test.each([
  ["tonight", "Wed 25 Nov, 18:00 to Thu 26 Nov, 06:00"],
  ["today", "Wed 25 Nov, 00:00 to Thu 26 Nov, 00:00"],
  ["web on 25 dec", "“on 25 dec” Fri 25 Dec, 00:00 to Sat 26 Dec, 00:00"],
  ["thursday evening", "Thu 26 Nov, 17:00 to Fri 27 Nov, 00:00"],
  ["tomorrow morning", "Thu 26 Nov, 05:00 to Thu 26 Nov, 12:00"],
  ["this weekend", "Sat 28 Nov, 00:00 to Mon 30 Nov, 00:00"],
  ["saturday to sunday", "Sat 28 Nov, 00:00 to Mon 30 Nov, 00:00"],
  ["week", "Mon 30 Nov, 00:00 to Mon 7 Dec, 00:00"],
  ["at 7", "Wed 25 Nov, 19:00 to Wed 25 Nov, 20:00"],
  ["tomorrow at 7", "Thu 26 Nov, 07:00 to Thu 26 Nov, 08:00 or Thu 26 Nov, 19:00 to Thu 26 Nov, 20:00"],
  ["wednesday", "Wed 25 Nov, 00:00 to Thu 26 Nov, 00:00 or Wed 2 Dec, 00:00 to Thu 3 Dec, 00:00"],
  ["in the next 2 days", "Wed 25 Nov, 10:40 to Fri 27 Nov, 10:40"],
  ["between 18:00 and 22:00 tomorrow", "Thu 26 Nov, 18:00 to Thu 26 Nov, 22:00"],
  ["friday 18:00 to monday 8:00", "Fri 27 Nov, 18:00 to Mon 30 Nov, 08:00"],
  ["until friday", "Wed 25 Nov, 10:40 to Sat 28 Nov, 00:00"],
  ["before 8pm", "Wed 25 Nov, 10:40 to Wed 25 Nov, 20:00"],
  ["last night", "Tue 24 Nov, 18:00 to Wed 25 Nov, 06:00"],
  ["yesterday", "Tue 24 Nov, 00:00 to Wed 25 Nov, 00:00"],
  ["yesterday 19:00", "Tue 24 Nov, 19:00 to Tue 24 Nov, 20:00"],
  ["last friday", "Fri 20 Nov, 00:00 to Sat 21 Nov, 00:00"],
  ["last week", "Mon 16 Nov, 00:00 to Mon 23 Nov, 00:00"],
  ["since monday", "Mon 23 Nov, 00:00 to Wed 25 Nov, 10:40"],
  ["Morning start of web", "not a time"],
  ["i-0a1 and reports backup", "not a time"],
])("%j asks about %s", (text, spans) => {
  expect(read(text)).toBe(spans);
});

test("in the small hours tonight is also the night that ends", () => {
  const now = Date.UTC(2026, 10, 25, 1);
  expect(findSpan(["tonight"], aTimeContext({ now }))?.spans.map(({ from }) => short(from))).toEqual([
    "Wed 25 Nov, 02:00",
    "Wed 25 Nov, 18:00",
  ]);
});
