let count = 0;

export function event(...lines: readonly string[]): string {
  const uid = lines.some((line) => line.startsWith("UID:")) ? [] : [`UID:${count++}@example.com`];
  return ["BEGIN:VEVENT", ...uid, "DTSTAMP:20260101T000000Z", ...lines, "END:VEVENT"].join("\r\n");
}

export const calendar = (...events: readonly string[]): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", ...events, "END:VCALENDAR", ""].join("\r\n");

export const christmas = event("DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261227", "SUMMARY:Christmas");

export const every = (rule: string): string => calendar(event("DTSTART;VALUE=DATE:20260101", `RRULE:${rule}`));

/** As many events as fit in 1.8 MB. */
export function many(one: () => string): string {
  const events: string[] = [];
  for (let size = 0; size < 1_800_000; size += events.at(-1)?.length ?? 0) events.push(one());
  return calendar(...events);
}

/** Each of many events gets each of many exceptions. */
export const memoryBomb = calendar(
  ...Array.from({ length: 2000 }, (_, index) => event("UID:one", `RECURRENCE-ID;VALUE=DATE:${1000 + index}0101`)),
  ...Array.from({ length: 12_000 }, () => event("UID:one", "DTSTART;VALUE=DATE:20260101")),
);
