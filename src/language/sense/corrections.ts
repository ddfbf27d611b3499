import { weekdayNames } from "../time-words/words.ts";
import type { Word } from "../tokenize.ts";
import type { Names } from "./names.ts";
import { plain } from "./tag.ts";

type Class = "clock" | "range" | "day" | "date" | "thing";

const clocks =
  /^(?:\d{1,2}(?:[:.h]\d\d)?(?:am|pm|h)?|noon|midnight|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/;
/** Says that what stands in front of it was a slip. A bare "no" does so only between two times, or with a comma behind it. */
const marks =
  /^(?:(?:or|ah|oh|oops|ups|hm+|wait|sorry|actually|well|argh|nein) )*(?:no|nope|sorry|scratch that|strike that|i mean|i meant|correction|rather|make that|wait)(?: (?:no|wait|sorry|actually|rather|better|i mean|i meant|make it|make that|it's|its|stop))*$/;
const leads = /^(?:the|on|at|until|till|til|to|from|of|for|by|please|keep|hold|only|this|next|o'clock)$/;
const mostMarks = 5;

/**
 * The words as somebody means them who corrects himself: "till 8 no wait 9", "qa, no sorry, staging", "not 22 but 23", "23 not 22". Only
 * what is of the same kind takes the place of what was said: a time of day, a day, a machine.
 */
export function selfCorrected(words: readonly Word[], names: Names): readonly Word[] {
  const typed = words.map(({ value, isQuoted }) => (isQuoted ? "" : plain(value)));
  if (!typed.some((word) => /^(?:no|nope|sorry|mean|meant|correction|rather|that|wait|not)$/.test(word))) return words;
  const classes = typed.map((word, at) => classOf(word, typed, at, names));
  const meant = notBut(words, typed, classes) ?? slip(words, typed, classes);
  return meant ? selfCorrected(meant, names) : words;
}

function classOf(word: string, typed: readonly string[], at: number, names: Names): Class | undefined {
  if (clocks.test(word)) return "clock";
  if (/^\d{1,2}(?:[:.]\d\d)?[-–]\d{1,2}(?:[:.]\d\d)?(?:am|pm|h)?$/.test(word)) return "range";
  if (weekdayNames.has(word) || /^(?:today|tonight|tomorrow)$/.test(word)) return "day";
  if (/^\d{1,2}(?:st|nd|rd|th)$/.test(word)) return "date";
  const name = names.at(typed, at);
  return name?.kind === "thing" && name.length === 1 ? "thing" : undefined;
}

/** Past words that only lead to a time or a name. */
const ahead = (typed: readonly string[], from: number): number => {
  let at = from;
  while (leads.test(typed[at] ?? "") || typed[at] === "") at++;
  return at;
};

/** "not until 22 but until 23", and behind a time of day "not 22". */
function notBut(words: readonly Word[], typed: readonly string[], classes: readonly (Class | undefined)[]) {
  const not = typed.indexOf("not");
  const old = ahead(typed, not + 1);
  if (not === -1 || !classes[old]) return undefined;
  const isBut = typed[old + 1] === "but" && classes[ahead(typed, old + 2)] === classes[old];
  if (isBut) return words.toSpliced(not, old + 2 - not);
  // "should end 23 not 22" is about an end that there is.
  const isBehind = old === not + 1 && classes[old] === "clock" && classes[not - 1] === "clock";
  const [time, at] = [words[not - 1], words[not]];
  if (!isBehind || leads.test(typed[not - 2] ?? "") || !time || !at) return undefined;
  return words.toSpliced(not - 1, 3, { ...at, value: "at" }, time, { ...at, value: "instead" });
}

function slip(words: readonly Word[], typed: readonly string[], classes: readonly (Class | undefined)[]) {
  for (let from = 1; from < words.length - 1; from++) {
    const things = classes.slice(0, from).filter((each) => each === "thing").length;
    for (let to = Math.min(from + mostMarks, words.length - 1); to > from; to--) {
      const mark = typed.slice(from, to).filter(Boolean).join(" ");
      if (!marks.test(mark)) continue;
      const first = ahead(typed, to);
      let end = first;
      while (classes[end] || (end > first && leads.test(typed[end] ?? "") && classes[end + 1])) end++;
      const all = Array.from({ length: end - first }, (_, at) => first + at).filter((at) => classes[at]);
      const placeOf = (at: number) => classes.slice(0, from).lastIndexOf(classes[at]);
      // What was not said before is added: "until 6, sorry, 7 tomorrow".
      const added = all.findIndex((at) => placeOf(at) === -1);
      const meant = added === -1 ? all : all.slice(0, added);
      end = added === -1 ? end : (meant.at(-1) ?? first) + 1;
      const put = new Map(meant.map((at) => [placeOf(at), at] as const));
      const last = Math.max(...put.keys());
      // What is corrected is what was said last, and of machines the only one.
      const isLast = typed
        .slice(last + 1, from)
        .every((word, at) => classes[last + 1 + at] || leads.test(word) || !word);
      const isApart = /sorry|mean|rather/.test(mark) || /[,.;:!–—-]$/.test(words[from - 1]?.value ?? "");
      const isOnly = meant.every((at) => classes[at] !== "thing" || (things === 1 && isApart));
      const isClear = mark !== "no" || classes[first] === "clock" || /[,.:!]$/.test(words[to - 1]?.value ?? "");
      const isPart = [...put.keys()].some((place) => /^(?:past|quarter|half)$/.test(typed[place - 1] ?? ""));
      if (!isClear || !isLast || !isOnly || isPart || meant.length === 0 || put.size < meant.length) continue;
      return [
        ...words.slice(0, from).map((word, at) => ofSameHalf(words[put.get(at) ?? at] ?? word, word)),
        ...words.slice(end),
      ];
    }
  }
  return undefined;
}

/** "8pm, no 9" */
const ofSameHalf = (word: Word, before: Word): Word => {
  const [half] = /[ap]m$/i.exec(plain(before.value)) ?? [];
  return half && /^\d{1,2}$/.test(word.value) ? { ...word, value: `${word.value}${half}` } : word;
};
