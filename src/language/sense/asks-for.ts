import { bySense, type Cannot, cannots, patternOf, powers, schedules } from "./cannot.ts";
import { isQuestion, isStatement, isVerb } from "./clause-kind.ts";
import type { Sense } from "./lexicon.ts";
import type { Mood } from "./mood.ts";
import { plain, type Tag } from "./tag.ts";

const kinds: Partial<Record<Tag["kind"], string>> = {
  ...{ thing: "@machine", person: "@person", action: "@job", project: "@project", plan: "@plan" },
  ...{ policy: "@policy", credential: "@key", selector: "@selector", address: "@address", ticket: "" },
};

const isEnd = /^(?:until|till?|'till|til|untill|thru|through|for|up to)\b|\b(?:until|till|til)\b/i;

/** A clause with its names by their kind: "please restart @machine". */
function rendered(tags: readonly Tag[]): string {
  const said = tags.flatMap(({ kind, words, text }) => {
    if (kind === "action" && /^(?:start|stop)$/.test(plain(words[0]?.value ?? ""))) {
      const verb = plain(words[0]?.value ?? "");
      return text.toLowerCase().startsWith(verb) ? `@${verb}job` : `${verb} @machine`;
    }
    if (kind === "time") return isEnd.test(text) ? "@until" : "@time";
    const name = kinds[kind];
    if (name === undefined)
      return kind === "self" || kind === "pronoun" ? words.map(({ value }) => plain(value)) : text;
    return name === "@person" && /['’]s?[,.:]?$/i.test(words.at(-1)?.value ?? "") ? "@person's" : name;
  });
  return said.join(" ").replaceAll(/\s+/g, " ").trim();
}

/** What people say before the verb. Each is taken away as often as it stands there. */
const preamble =
  /^(?:(?:please|pls|plz|plse|kindly|hi|hello|hey|hallo|dear|curfew|bot|ok|okay|so|and|but|then|also|just|now|sorry|sry|well|oh|urgent|asap|btw|to|quickly|quick|once|again|maybe|next|first|finally|only|ah|um|yes|yo|man|guys|afterwards|immediately|simply|actually|go|one more thing|by the way|good morning|good afternoon|good evening|@time|@person's)|(?:can|could|would|will|cn|cud|may|should|shall|must) (?:you|u|we|i|someone|somebody|sb|curfew|one|please)|(?:how|where) (?:do|can|could|would|should) (?:you|u|we|i|one)|are you able to|(?:i|we)(?:'d| would| do)?(?: also| really| just| now| urgently| then)? (?:need|want|wanted|like|love|wish|would like|'d like)(?: you| u| someone| somebody| it)? to|(?:need|want|have|has|got|time|try|remember|be able|like|able|you need|you have|gotta|wanna|ought|make sure|help me|help us|help)(?: (?:you|u))? to|let'?s|let us|you (?:should|must|can|could)|gotta|wanna|i'd like|i would like|(?:i|we)(?:'ll| will)? (?:also |really |just |urgently )?(?=(?:need|want)\b)|help me|help us|(?:for|on|at|in|of) (?:the )?@(?:machine|project) ?:?|@machine (?=(?:restart|reboot)\b)) /;

function fromVerb(clause: string): string {
  let said = `${clause} `;
  for (let times = 0; times < 8; times++) {
    const next = said.replace(preamble, "");
    if (next === said) break;
    said = next;
  }
  return said.trim();
}

interface Compiled extends Cannot {
  readonly asOrder: RegExp | undefined;
  readonly anywhere: RegExp | undefined;
  readonly unless: RegExp | undefined;
}
let built: readonly Compiled[] | undefined;
/** Built when the first line is read. What is for good goes before what is for now. */
function compiled(): readonly Compiled[] {
  built ??= [...schedules, ...cannots, ...powers].map((each) => ({
    ...each,
    asOrder: each.order === undefined ? undefined : patternOf(each.order, true),
    anywhere: each.said === undefined ? undefined : patternOf(each.said, false),
    unless: each.not === undefined ? undefined : patternOf(each.not, false),
  }));
  return built;
}

/**
 * What one of the clauses asks for that nobody can do here. `mood`: "sure" where the line is a change, so that only a plain order
 * counts; in a question, only what is asked there too.
 */
export function whyCannot(clauses: readonly (readonly Tag[])[], mood: Mood | "sure"): Cannot | undefined {
  for (const clause of clauses) {
    const all = rendered(clause);
    const order = fromVerb(all);
    const found = compiled().find(({ asOrder, anywhere, unless, isAsked }) => {
      const isSaid = mood === "order" || (mood !== "sure" && isAsked === true);
      return (asOrder?.test(order) || (isSaid && anywhere?.test(all))) && !unless?.test(all);
    });
    if (found) return found;
  }
  const ordered = clauses.filter((clause) => !isQuestion(clause, ""));
  const all = ordered.flat();
  const told = bySense.find((each) =>
    each.isOrder ? ordered.some((clause) => asksFor(each, clause, clause)) : mood !== "sure" && asksFor(each, all, all),
  );
  return told?.as;
}

function asksFor(
  { must, not, needs, isOrder }: (typeof bySense)[number],
  clause: readonly Tag[],
  all: readonly Tag[],
): boolean {
  const is = ({ senses }: Tag, any: readonly Sense[]) => any.some((sense) => senses.has(sense));
  const at = clause.findIndex((tag) => is(tag, must));
  if (at === -1 || clause.some((tag) => is(tag, not))) return false;
  if (isOrder && (isStatement(clause) || !isVerb(clause, at))) return false;
  const isIt = ({ kind, text }: Tag) => needs === "thing" && kind === "pronoun" && /^(?:it|this|them)$/.test(text);
  if (needs === "address" && all.some(({ kind }) => kind === "person")) return false;
  if (needs === "thing" && all.some(({ text }) => /^(?:all|both|everything)$/.test(text))) return true;
  return all.some((tag) => tag.kind === needs || isIt(tag));
}
