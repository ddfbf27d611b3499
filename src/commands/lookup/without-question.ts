const before: ReadonlySet<string> = new Set("a about an are did do does for in is of on the was were".split(" "));
const after: ReadonlySet<string> = new Set(
  "down excluded not off on running start started starting still stop stopped stopping up".split(" "),
);

/** The words without those of a question around them: "why *is* staging *still up?*". */
export function withoutQuestion(text: string): string {
  const words = text
    .trim()
    .split(/[\s?]+/)
    .filter(Boolean);
  const is = (word: string | undefined, set: ReadonlySet<string>) => word !== undefined && set.has(word.toLowerCase());
  const start = words.findIndex((word) => !is(word, before));
  const end = words.findLastIndex((word) => !is(word, after));
  return start === -1 ? "" : words.slice(start, end + 1).join(" ");
}
