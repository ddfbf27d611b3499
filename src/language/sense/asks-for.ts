import { type Cannot, readCannots } from "./cannot.ts";
import { isQuestion, isStatement, isVerb } from "./clause-kind.ts";
import type { Sense } from "./lexicon.ts";
import type { Mood } from "./mood.ts";
import { has, plain, type Tag } from "./tag.ts";

const kinds: Partial<Record<Tag["kind"], string>> = {
  ...{ thing: "@machine", person: "@person", action: "@job", project: "@project", plan: "@plan" },
  ...{ policy: "@policy", credential: "@key", selector: "@selector", address: "@address", ticket: "" },
};

const isEnd = /^(?:until|till?|'till|til|untill|thru|through|for|up to)\b|\b(?:until|till|til)\b/i;

/** A clause with its names by their kind: "please restart @machine". */
function rendered(tags: readonly Tag[]): string {
  const said = tags.flatMap(({ kind, words, text, senses }) => {
    if (kind === "action" && /^(?:start|stop)$/.test(plain(words[0]?.value ?? ""))) {
      const verb = plain(words[0]?.value ?? "");
      return text.toLowerCase().startsWith(verb) ? `@${verb}job` : `${verb} @machine`;
    }
    if (kind === "time") return isEnd.test(text) ? "@until" : "@time";
    // "would you mind restarting …"
    if (senses.has("restart") && text.endsWith("ing")) return "restart";
    const name = kinds[kind];
    if (name === undefined)
      return kind === "self" || kind === "pronoun" ? words.map(({ value }) => plain(value)) : text;
    return name === "@person" && /['’]s?[,.:]?$/i.test(words.at(-1)?.value ?? "") ? "@person's" : name;
  });
  return said.join(" ").replaceAll(/\s+/g, " ").trim();
}

/** What people say before the verb. Each is taken away as often as it stands there. */
const preamble =
  /^(?:(?:please|pls|plz|plse|kindly|hi|hello|hey|hallo|dear|curfew|bot|ok|okay|so|and|but|then|also|just|now|sorry|sry|well|oh|urgent|asap|btw|to|from now on|from now|quickly|quick|once|again|maybe|next|first|finally|only|ah|um|yes|yo|man|guys|afterwards|immediately|simply|actually|go|one more thing|by the way|good morning|good afternoon|good evening|@time|@person's)|(?:can|could|would|will|cn|cud|may|should|shall|must) (?:you|u|we|i|someone|somebody|sb|curfew|one|please)|(?:how|where) (?:do|can|could|would|should) (?:you|u|we|i|one)|are you able to|(?:i|we)(?:'d| would| do)?(?: also| really| just| now| urgently| then)? (?:need|want|wanted|like|love|wish|would like|'d like)(?: you| u| someone| somebody| it)? to|(?:need|want|have|has|got|time|try|remember|be able|like|able|you need|you have|gotta|wanna|ought|make sure|help me|help us|help)(?: (?:you|u))? to|let'?s|let us|you (?:should|must|can|could)|gotta|wanna|i'd like|i would like|(?:i|we)(?:'ll| will)? (?:also |really |just |urgently )?(?=(?:need|want)\b)|help me|help us|(?:for|on|at|in|of) (?:the )?@(?:machine|project) ?:?|@machine (?=(?:restart|reboot)\b)) /;

function fromVerb(clause: string): string {
  let said = `${clause} `;
  for (let times = 0; times < 8; times++) {
    const next = said.replace(preamble, "");
    if (next === said) break;
    said = next;
  }
  return said.trim();
}

let known: readonly Cannot[] | undefined;

/** What is asked by these senses, where no pattern knows its words. */
interface BySense {
  readonly must: readonly Sense[];
  readonly not: readonly Sense[];
  readonly needs: Tag["kind"];
  /** Only as an order. */
  readonly isOrder: boolean;
  /** How the answer begins, if it is one of the table. */
  readonly says: string;
}

const bySense: readonly BySense[] = [
  {
    must: ["end", "stop", "turnOff", "turnOn", "off", "prevent", "disable", "enable", "start", "rename", "move", "go"],
    not: ["list", "keepUp", "skip", "status", "what"],
    ...{ needs: "plan", isOrder: true },
    says: "I can't change plans, nor switch them on or off. I can show them. I can change which machines a selector covers.",
  },
  {
    must: ["create"],
    not: ["email", "move", "rename", "mfa", "phone", "save", "group", "instead"],
    ...{ needs: "address", isOrder: true, says: "I can't create accounts" },
  },
  {
    must: ["start", "turnOn"],
    not: ["keepUp", "keepOff", "release", "skip", "warn", "mute", "stop", "keep", "enable", "email"],
    ...{ needs: "thing", isOrder: true, says: "I can't start machines" },
  },
  {
    must: ["stop", "turnOff"],
    not: ["keepUp", "keepOff", "release", "skip", "warn", "mute", "start", "keep", "done", "end", "login", "account"],
    ...{ needs: "thing", isOrder: true, says: "I can't stop machines" },
  },
  {
    must: ["move", "undo", "change", "extend", "rename"],
    not: ["skip", "keepUp", "keepOff", "end"],
    ...{ needs: "action", isOrder: false, says: "I can't change schedules" },
  },
];

/**
 * What one of the clauses asks for that nobody can do here. `mood`: "sure" where the line is a change, so that only a plain order
 * counts; in a question, only what is asked there too.
 */
export function whyCannot(clauses: readonly (readonly Tag[])[], mood: Mood | "sure"): Cannot | undefined {
  known ??= readCannots();
  for (const clause of clauses) {
    const all = rendered(clause);
    const verb = fromVerb(all);
    const found = known.find(({ order, said, not, isAsked }) => {
      const isSaid = mood === "order" || (mood !== "sure" && isAsked === true);
      return (order?.test(verb) || (isSaid && said?.test(all))) && !not?.test(all);
    });
    if (found) return found;
  }
  const whole = mood === "sure" ? "" : clauses.map(rendered).join(" ");
  const across = known.find(({ said, not, isAsked }) => isAsked === true && said?.test(whole) && !not?.test(whole));
  if (across) return across;
  const ordered = clauses.filter((clause) => !isQuestion(clause, ""));
  const told = bySense.find((each) =>
    each.isOrder ? ordered.some((clause) => asksFor(each, clause)) : mood !== "sure" && asksFor(each, ordered.flat()),
  );
  return told && (known.find(({ says }) => says.startsWith(told.says)) ?? { says: told.says });
}

function asksFor({ must, not, needs, isOrder }: BySense, clause: readonly Tag[]): boolean {
  const at = clause.findIndex((tag) => has(tag, ...must));
  if (at === -1 || clause.some((tag) => has(tag, ...not))) return false;
  // "create bob's account new with bob@x" is about an account that is there.
  if (needs === "address" && clause.some(({ kind }) => kind === "person")) return false;
  if (isOrder && (isStatement(clause) || !isVerb(clause, at))) return false;
  const isOfThings = ({ kind, text }: Tag) =>
    kind === "thing" ||
    (/^(?:all|both|everything)$/.test(text) && clause.every((tag) => tag.kind !== "person")) ||
    (kind === "pronoun" && /^(?:it|this|them)$/.test(text));
  return clause.some((tag) => (needs === "thing" ? isOfThings(tag) : tag.kind === needs));
}
