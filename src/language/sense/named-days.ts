import { isCommon } from "../../directory/common-words.ts";
import { isSmall, lexicon } from "./lexicon.ts";
import { plain } from "./tag.ts";

const leads = /^(?:on|at|until|till?|from|before|for|over|during|not|except|excluding|without|but|by|skip|only|of)$/;
const verbs = /^(?:is|being|will|falls|has)$/;

/**
 * Writes the date for the name of a day off where it stands for a time: "skip the start on founders' day", "founders' day: …". `days`: by
 * their names in lower case, as `YYYY-MM-DD`.
 */
export function withNamedDays(line: string, days: ReadonlyMap<string, string> | undefined): string {
  const words = days && days.size > 0 && !/["“]/.test(line) ? line.split(" ") : [];
  const typed = words.map((word) => bare(plain(word)));
  const all = ` ${typed.join(" ")} `;
  for (const [name, day] of days ?? []) {
    const said = bare(name);
    if (!all.includes(` ${said} `) || !isName(said)) continue;
    const parts = said.split(" ");
    const at = typed.findIndex((_, from) => parts.every((part, index) => typed[from + index] === part));
    const end = at + parts.length;
    const lead = typed[at - 1] === "the" ? typed[at - 2] : typed[at - 1];
    const mark = /[,.;:!?]+$/.exec(words[end - 1] ?? "")?.[0] ?? "";
    const isTime = leads.test(lead ?? "") || verbs.test(typed[end] ?? "") || (at === 0 && mark !== "");
    if (isTime) return withNamedDays([...words.slice(0, at), `${day}${mark}`, ...words.slice(end)].join(" "), days);
  }
  return line;
}

const bare = (text: string): string => text.replaceAll(/['’]/g, "");

/** One word may be any other. */
const isName = (name: string): boolean =>
  name.includes(" ") || (name.length > 5 && !isCommon(name) && !isSmall(name) && !lexicon().senses.has(name));
