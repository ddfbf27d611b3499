import { clausesOf } from "./clauses.ts";
import { negation } from "./joining.ts";
import type { Sense } from "./lexicon.ts";
import { isVerb } from "./orders.ts";
import { isCited, isDoneBySomebody, isFelt, isSupposed } from "./said-of-others.ts";
import { isStatement } from "./statement.ts";
import type { Tag } from "./tag.ts";

/** How a line is meant. Only an order may change something. */
export type Mood =
  | "order"
  | "question"
  | "negated"
  | "open"
  | "hearsay"
  | "takenBack"
  | "told"
  | "toOther"
  | "contrary";

/** A line in its clauses. */
export interface Heard {
  readonly tags: readonly Tag[];
  /** The clauses that may ask for something. */
  readonly asking: readonly (readonly Tag[])[];
  /** What stands beside it as its reason. */
  readonly story: readonly Tag[];
  /** It may be read as a change that explains nearly each word. */
  readonly isWhole: boolean;
  /** In the thread of a request, "scrap that" takes back the request. */
  readonly isWithdrawn: boolean;
  /** As typed, in lower case. */
  readonly raw: string;
}

/** Makes all depend on something that is not known. */
const condition =
  /\b(?:what if|what would|would it|would that|suppose|supposing|assume|assuming|theoretically|hypothetically|in theory|if|unless|in case|depending|depends|provided|assuming|subject to|on condition|pending (?:the |her |his |their |an? )?(?:approval|review|ok|okay|confirmation|decision|sign-?off|go-ahead)|(?:as|so) long as (?!possible|you can|it takes|needed|necessary)|^were \w+|^were (?:the|my|our) |whether|once (?:i|you|she|he|we|they)|as soon as (?!possible|you can|u can))\b/;
const doubt =
  /\b(?:not sure|unsure|maybe|perhaps|might|dunno|don'?t (?:yet )?know|do not know|(?:not|haven'?t|hasn't) (?:yet )?(?:been )?(?:decided|agreed|settled)|undecided|possibly|probably|thinking (?:about|of|whether)|considering|let me think|let'?s see|we'll see|hm+|could be that|it could be|or maybe|wonder(?:ing)?|someday|one day|at some point|hang fire|tbd|tbc|can'?t say yet|not yet)\b/;
const heard =
  /\b(?:heard|apparently|rumou?rs?|supposedly|allegedly|gossip|(?:someone|somebody|everyone|people|they|colleagues?|users?) (?:in .{1,20} )?(?:said|says|say|told|mentioned|wants?|thinks?|claims?)|told (?:me|us|him|her|that)|was told|is it true|says? that (?!later|again|to|as|in|with)|said (?:that|he|she|it|we|they))\b/;
const takenBack =
  /\b(?:scratch that|scrap that|strike that|(?:no,? wait|wait,? no|hold on|actually,? no|actually don'?t|oh no,? (?:wait|leave|don'?t)|hm+,? no|no,? (?:better not|leave|keep it|let it|forget|don'?t|stay|not|scrap))|forget (?:it|that|about it|i said)|never ?mind|nvm|on second thoughts?|changed my mind|(?:better|rather) not|ignore (?:that|this|me|my last)|cancel that|as you were|(?:leave|keep) (?:it |that |this |all |everything )?as (?:it )?(?:is|was)|not needed after all|don'?t bother|kidding|just joking|jk)\b/;
/** What somebody was or is going to do himself. */
const plan =
  /^(?:(?:i|we|he|she|they) )?(?:(?:was|were|had been) (?:just |only |already )?(?:about|abt|going|gonna|planning|thinking|wondering|considering|supposed)|(?:'ll|will|shall|gonna|going to|(?:am|are) going to|plan to|intend to) (?:then |later |probably |just |do it )?(?:look|check|set|decide|think|see|ask|discuss|let you know|come back|get back|handle|take care|do (?:it|that|this)|extend|prolong|keep|hold|release|end|cancel|approve|deny|disable|enable|remove|withdraw|shorten|move|skip|request|file|raise|finish it))\b/;
const noNeed =
  /\bno (?:need|reason|point|plans?|intention)(?: (?:for (?:me|us|you|anyone)|at all|now|yet))? (?:to|in|of) (?:extend|prolong|make|keep|keeping|hold|change|changing|do|doing|act|touch|lengthen|add|move|extending|making|shorten|end|worry|run|leave|approve|remove|disable|reset|unlock)/;
const ceased = /\b(?:quit|cease) (?:extending|keeping|holding|prolonging|skipping)\b/;
const done = /\b(?:please do(?: so| it| that)?|just do it|go ahead|do it(?: please| pls)?)[\s.!]*$/;

/** What was said before is no longer so, or never was asked for. */
const reversed =
  /\b(?:(?:don'?t|do not) do (?:it|that|this|anything)(?! any ?more| any longer| with)|not yet|decided against|decided not to|(?:told|tell) (?:her|him|them|you|\w+) no\b|turned (?:it|that|this|him|her) down|rejected (?:it|that|this)|(?:is|was|as|just|only) an? (?:example|idea|joke|suggestion|thought)|(?:was|is) the idea|(?:that|this) (?:is|was) what \w+ (?:wanted|wants|would like|suggested|said|asked)|that was \w+(?:'s)? (?:idea|suggestion|wish)|(?:says?|thinks?|wants?|wanted) (?:so|it|that),? i don'?t|looks like phishing|please leave it|so i won'?t|obviously not|not what i want|i mean (?:no|yes)|or no(?=,))\b|\bi (?:don'?t|do not)[.!]*$/;

/** Whether a line takes back, outside of quotes, what it says. */
export const isReversed = (line: string): boolean =>
  reversed.test(
    line
      .toLowerCase()
      .replaceAll("’", "'")
      .replaceAll(/"[^"]*"|“[^”]*”|--reason .*/g, ""),
  );

const asked = new Set<Sense>(["when", "why", "who", "what", "howLong", "howMuch"]);
const ordered: readonly Sense[] = [
  ...(["keepUp", "keepOff", "release", "extend", "shorten", "end", "skip", "warn", "mute", "move", "undo"] as const),
  ...(["disable", "enable", "unlock", "offboard", "detach", "rename", "approve", "deny", "withdraw", "reset"] as const),
  ...(["restart", "deploy", "create", "save", "email"] as const),
];
const auxiliary =
  /^(?:is|are|am|was|were|does|do|did|has|have|had|isn't|aren't|doesn't|don't|didn't|hasn't|will|would|can|could|may|should|which|what|who|whose|when|where|why|how|till|until|any|anyone|anybody|anything)$/;
const wish = /^(?:can|could|would|will|may|might|shall)$/;

/**
 * How the clauses are meant that ask for something. A condition or a doubt counts wherever it stands, but for the reason of an order;
 * a negation only in the clause that asks.
 */
export function moodOf({ tags, asking, story, isWhole, isWithdrawn, raw }: Heard): Mood {
  const has = (...senses: readonly Sense[]) => tags.some((tag) => senses.some((sense) => tag.senses.has(sense)));
  const beside = new Set(story);
  const isBeside = (clause: readonly Tag[]) => clause.every((tag) => beside.has(tag)) || isAside(clause);
  const others = asking.filter((clause) => !isBeside(clause));
  const own = others.length > 0 ? others : asking;
  if (isToOther(tags, isWhole)) return "toOther";
  if (reversed.test(raw)) return "takenBack";
  if (!isWithdrawn && isTakenBack(raw)) return "takenBack";
  if (!raw.includes("?") && own.some((clause) => plan.test(opened(clause)) || isDoneBySomebody(clause))) return "told";
  if (!raw.includes("?") && isFelt(raw)) return "told";
  const certain = done.test(raw)
    ? raw.replace(/\b(?:asks?|asked|wonders?|wants to know) (?:me |us )?(?:if|whether)\b/, "")
    : raw;
  const said = beside.size > 0 ? saidIn(tags.filter((tag) => !beside.has(tag))) : certain;
  const isAsked = (clause: readonly Tag[], isMarked: boolean) =>
    (isMarked ? asking.includes(clause) : asking.includes(clause) && !isAside(clause)) &&
    isQuestion(clause, raw, isMarked);
  if (
    sentencesOf(clausesOf(tags).map((clause) => clause.tags)).some(
      ({ clauses, isMarked }) =>
        !clauses.some((clause) => asking.includes(clause) && isRequest(clause)) &&
        clauses.some((clause) => isAsked(clause, isMarked)),
    )
  )
    return "question";
  if (own.some(isToShow)) return "question";
  if (isEmbedded(said) || /\b(?:wants?|like|needs?|wanted|love) (?:to )?know\b/.test(said)) return "question";
  if (condition.test(withoutReason(tags, certain)) || doubt.test(said) || isSupposed(raw)) return "open";
  const isImperative =
    own.some((clause) =>
      isVerb(
        clause,
        clause.findIndex(({ senses }) => senses.size > 0),
      ),
    ) && !/\b(?:said|says|told \w+)\s*[:,"“]/.test(raw);
  const isHeard =
    heard.test(isImperative ? saidIn(own.flat()) : certain) || isSaidBySomebody(isImperative ? own.flat() : tags);
  if (isCited(raw)) return "hearsay";
  if (isHeard && !done.test(raw) && !has("unlock", "lockedOut", "mfa")) return "hearsay";
  if (noNeed.test(said) || ceased.test(said) || has("dontKeep")) return "negated";
  const isNegated = own.some((clause) =>
    clause.some(({ text }, at) => negation.test(text) && !isException(clause, at)),
  );
  return isNegated && !has("keepUp", "keepOff", "release", "lockedOut", "anymore", "mute") ? "negated" : "order";
}

/** What stands before "because": the rest is a reason in any case. */
function withoutReason(tags: readonly Tag[], certain: string): string {
  const clauses = clausesOf(tags);
  const from = clauses.findIndex(({ reason }, index) => index > 0 && reason === "always");
  return from === -1 ? certain : saidIn(clauses.slice(0, from).flatMap((clause) => clause.tags));
}

const saidIn = (tags: readonly Tag[]): string =>
  tags.map(({ words }) => words.map(({ value }) => value.toLowerCase()).join(" ")).join(" ");

/** The clause without what people say before what they say. */
const opened = (clause: readonly Tag[]): string => {
  const from = clause.findIndex(({ text, kind }) => !(opener.test(text) && kind !== "thing"));
  return saidIn(clause.slice(Math.max(from, 0)))
    .replaceAll(/(\w)'ll\b/g, "$1 will")
    .replaceAll(/\b(i)'?m\b/g, "$1 am")
    .replaceAll(/(\w)'re\b/g, "$1 are");
};

const named: ReadonlySet<Tag["kind"]> = new Set([
  "thing",
  "action",
  "project",
  "plan",
  "selector",
  "credential",
  "policy",
]);
const decisive: readonly Sense[] = [
  "keepUp",
  "keepOff",
  "release",
  "dontKeep",
  "extend",
  "disable",
  "enable",
  "offboard",
  "skip",
];
/** Tells something about the matter, and names nothing that could be changed: "she can't get in". */
const isAside = (clause: readonly Tag[]): boolean =>
  isStatement(clause) &&
  clause.every(({ kind, senses }) => !named.has(kind) && !decisive.some((each) => senses.has(each)));

/** What is asked for is taken back behind it: "… wait no, leave it". */
function isTakenBack(raw: string): boolean {
  const found = takenBack.exec(raw);
  return (
    found !== null &&
    /[\p{L}\d]{2}/u.test(
      raw.slice(0, found.index).replace(/\b(?:ok|okay|oh|well|hm+|and|but|so|oops|sorry|hi|hey|hello)\b/g, ""),
    )
  );
}

/** "bob, can you tell me …", "carol did you …", "… you verify that, bob?" */
function isToOther(tags: readonly Tag[], isWhole: boolean): boolean {
  const from = tags.findIndex(
    ({ text, kind }) => !(opener.test(text) || (kind === "sense" && /^(?:hi|hey|hello)$/.test(text))),
  );
  const [first, next] = [tags[from], tags[from + 1]];
  const isYou = tags.some(({ words }) =>
    words.some(({ value }) => /^(?:you|u|your|yours|ur|you're|you've)[,.?!]*$/i.test(value)),
  );
  if (!isYou) return false;
  const last = tags.at(-1);
  const isCalledLast =
    last?.kind === "person" &&
    /,$/.test(tags.at(-2)?.words.at(-1)?.value ?? "") &&
    /^(?:did|do|are|have|were|can|could|will|would)$/.test(first?.text ?? "");
  if (isCalledLast) return true;
  const isCalled = /[,:]$/.test(first?.words.at(-1)?.value ?? "");
  const asksYou =
    /^(?:can|could|would|will|did|do|are|have|were|should)$/.test(next?.text ?? "") &&
    /^(?:you|u)$/i.test(tags[from + 2]?.words[0]?.value ?? "");
  // Not everybody knows the names of all accounts here.
  const isName = first?.kind === "unknown" && isCalled && (!isWhole || /^\p{Lu}/u.test(first.words[0]?.value ?? ""));
  if (isName) return asksYou;
  return first?.kind === "person" && (asksYou || isCalled);
}

/** "Can you tell me whether …", "I want to know if …". */
const isEmbedded = (raw: string): boolean =>
  /\b(?:tell me|know|check|see|find out|look|show me|ask|doubt|understand|wonder(?:ing)?)\b[^,;.?!]{0,30}\b(?:if|whether)\b/.test(
    raw,
  );

/** "not on holidays", "not at noon", "not 22". */
const isException = (tags: readonly Tag[], at: number): boolean =>
  tags[at + 1]?.kind === "time" || /^\d/.test(tags[at + 1]?.text ?? "") || tags[at]?.senses.size !== 0;

/** "alice said she needs …", but not "tell alice". */
const isSaidBySomebody = (tags: readonly Tag[]): boolean =>
  tags.some(
    ({ kind }, at) =>
      kind === "person" &&
      /^(?:said|says|thinks|believes|reckons|mentioned|claims|told|might|wants)$/.test(tags[at + 1]?.text ?? ""),
  );

/** Whether somebody or something follows: "the dev machines", "we". */
function isSubject(tags: readonly Tag[]): boolean {
  const next = tags.find(
    ({ kind, words }) => kind !== "time" && !/^(?:the|our|my|all|any|both)$/i.test(words[0]?.value ?? ""),
  );
  const said = next?.words[0]?.value.toLowerCase() ?? "";
  return (
    /^(?:i|we|they|you|u|people|i'd|it|this|that|these|those)$/.test(said) ||
    /^(?:thing|project|action|person)$/.test(next?.kind ?? "") ||
    (next?.senses.has("machine") ?? false)
  );
}

const opener =
  /^(?:hi|hello|hey|please|pls|plz|so|and|but|ok|okay|well|sorry|sry|btw|also|good|morning|afternoon|evening|dear|guys|curfew|bot|hallo|the|oh|hm|hmm|right|fyi|thanks|thank|thx|yes|then|now|just)$/;

/** Clauses up to a mark that ends a sentence. One that ends as a wish is no question: "web till eight, can you do that?". */
function sentencesOf(
  clauses: readonly (readonly Tag[])[],
): readonly { clauses: readonly (readonly Tag[])[]; isMarked: boolean }[] {
  const sentences: (readonly Tag[])[][] = [[]];
  for (const clause of clauses) {
    sentences.at(-1)?.push(clause);
    if (/[.?!][)"']?$/.test(clause.at(-1)?.words.at(-1)?.value ?? "")) sentences.push([]);
  }
  return sentences
    .filter((each) => each.length > 0)
    .map((each) => {
      const [last = []] = each.slice(-1);
      const end = last.at(-1)?.words.at(-1)?.value ?? "";
      return {
        clauses: each,
        isMarked:
          /\?[)"']?$/.test(end) &&
          !(agreed.test(end) && !each.flat().some(({ senses }) => senses.has("approve"))) &&
          !isWish(last),
      };
    });
}

/** "poke me before it stops, ok?" */
const agreed = /^(?:ok|okay|please|pls|plz|thanks|thx|deal)\?+$/i;

const isWish = (clause: readonly Tag[]): boolean => {
  const from = clause.findIndex(({ text, kind }) => !(opener.test(text) && kind !== "thing"));
  const shows = clause.some(({ senses }) => [...senses].some((sense) => asked.has(sense)));
  return (
    wish.test(clause[from]?.text ?? "") &&
    /^(?:you|u|someone|somebody|curfew|sb)$/.test(clause[from + 1]?.words[0]?.value.toLowerCase() ?? "") &&
    !shows
  );
};

/** "list me …", "please show …" */
function isToShow(clause: readonly Tag[]): boolean {
  const first = clause.find(
    ({ text, kind, senses }) => kind === "sense" || !(opener.test(text) || kind === "small" || senses.has("mine")),
  );
  return first !== undefined && /^(?:list|show|display|summari[sz]e|enumerate|explain|gimme_all)$/.test(first.text);
}

/** "could you please remove …" */
function isRequest(clause: readonly Tag[]): boolean {
  const first = clause.findIndex(({ text, kind }) => !(opener.test(text) && kind !== "thing"));
  const isYou = /^(?:you|u|someone|somebody|curfew|sb)$/.test(clause[first + 1]?.words[0]?.value.toLowerCase() ?? "");
  const is = (any: readonly Sense[]) =>
    clause.some(({ senses, kind }) => kind === "sense" && any.some((each) => senses.has(each)));
  return isYou && wish.test(clause[first]?.text ?? "") && is(ordered) && !is([...asked, "list"]);
}

export function isQuestion(asking: readonly Tag[], raw: string, isMarked = false): boolean {
  const first = asking.findIndex(({ text, kind }) => !(opener.test(text) && kind !== "thing"));
  const [tag, next] = [asking[first], asking[first + 1]];
  if (!tag) return isMarked;
  const isAskedFor =
    wish.test(tag.text) &&
    /^(?:you|u|i|we|someone|somebody|curfew|sb)$/.test(next?.words[0]?.value.toLowerCase() ?? "");
  if (isRequest(asking)) return false;
  const isKept = asking.some(
    ({ senses }) =>
      senses.has("keepUp") ||
      senses.has("skip") ||
      senses.has("keepOff") ||
      senses.has("release") ||
      senses.has("extend"),
  );
  // "will web be up on monday", "do the machines start", "may bob do that", but not "will you" and "do keep".
  const rest = asking.slice(first + 1);
  if (
    /^(?:will|do|must|shall)$/.test(tag.text) &&
    isSubject(rest) &&
    !(tag.text === "will" && /^(?:you|u)$/.test(next?.text ?? ""))
  )
    return true;
  if (tag.text === "may" && next?.kind === "person") return true;
  const shows = asking.some(({ senses }) => [...senses].some((sense) => asked.has(sense) || sense === "allowed"));
  if (isKept && /\bis (?:it )?pos+ible\b/.test(raw)) return false;
  // "can they be on until half past eleven?"
  const isUntil = asking.some(
    ({ kind, text }) => kind === "time" && /\b(?:until|till?|to|through|thru|-)\b/i.test(text),
  );
  if (/^(?:can|could|may)$/.test(tag.text) && isUntil && isSubject(rest) && !shows) return false;
  const isPlease = /\b(?:can|could|would|will|may)\b[^?]{0,40}\b(?:please|pls|plz)\b/.test(saidIn(asking));
  if (isPlease && !shows) return false;
  const isTimed = asking.some(({ kind }) => kind === "time") || /\b(?:pl[sz]|please|get|have)\b/.test(raw);
  if (isMarked && tag.senses.has("allowed") && !isTimed) return true;
  if (isAskedFor || (wish.test(tag.text) && isKept)) return shows && !isKept;
  // "is not needed any more"
  if (/^(?:is|are|was|were|has|have)$/.test(tag.text) && negation.test(next?.text ?? "") && !isMarked) return false;
  if (
    asked.has([...tag.senses][0] ?? "help") ||
    (auxiliary.test(tag.text) && !wish.test(tag.text) && !/^(?:do|have|don't|until|till|any)$/.test(tag.text))
  )
    return true;
  if (/^(?:do|have|any)$/.test(tag.text) && isMarked) return true;
  return isMarked && !(isKept && /\b(?:pl[sz]|please)\b/.test(raw));
}
