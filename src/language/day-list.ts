import { weekdays } from "../service/resources.ts";

type Weekday = (typeof weekdays)[number];

/** White space is single spaces by then: two runs of it around a word would take quadratic time. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/[‐-―−]| (?:to|through|thru|until|till) /g, "-"],
  [/ ?- ?/g, "-"],
  [/\b(?:every|each) ?day\b|\ball days\b/g, "daily"],
  [/\b(?:working|work|business|week) ?days\b/g, "weekdays"],
  [/\bweekends\b|\bthe weekend\b/g, "weekend"],
  [/ ?(?:,|;|&|\+|\band\b) ?/g, " "],
];

const sets: Readonly<Record<string, readonly Weekday[]>> = {
  daily: weekdays,
  weekdays: weekdays.slice(0, 5),
  weekend: weekdays.slice(5),
};

/** "Mon–Fri", "weekends", "Mon, Wed and Fri": the days in the order of the week, or the first word that is none. */
export function readDays(text: string): { readonly days: readonly Weekday[] } | { readonly unknown: string } {
  const spaced = text.trim().toLowerCase().replace(/\s+/g, " ");
  const plain = phrases.reduce((said, [pattern, means]) => said.replace(pattern, means), spaced);
  const found = new Set<Weekday>();
  for (const word of plain.split(" ").filter(Boolean)) {
    const days = daysOf(word);
    if (days.length === 0) return { unknown: word };
    for (const day of days) found.add(day);
  }
  return { days: weekdays.filter((day) => found.has(day)) };
}

/** Whether a word on a line goes on with a list of days. */
export function isOfDays(word: string): boolean {
  return /^(?:-|–|—|to|through|and|&|,)$/i.test(word) || !("unknown" in readDays(word.replace(/^[-–—]|[-–—]$/g, "")));
}

function daysOf(word: string): readonly Weekday[] {
  const set = Object.hasOwn(sets, word) ? sets[word] : undefined;
  if (set) return set;
  const [from = "", to, ...rest] = word.split("-");
  const [first, last] = [dayNamed(from), dayNamed(to ?? from)];
  if (first === -1 || last === -1 || rest.length > 0) return [];
  const count = ((last - first + 7) % 7) + 1;
  return Array.from({ length: count }, (_each, index) => weekdays[(first + index) % 7]).flatMap((day) => day ?? []);
}

/** "mo", "mon", "tues", "fridays". */
function dayNamed(word: string): number {
  if (word.length < 2) return -1;
  const single = word.replace(/s$/, "");
  return weekdays.findIndex((day) => day.startsWith(word) || (single.length >= 3 && day.startsWith(single)));
}
