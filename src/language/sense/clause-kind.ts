import { negation } from "./joining.ts";
import type { Sense } from "./lexicon.ts";
import { content, has, type Tag } from "./tag.ts";

/** What a clause is by its words: a sentence that tells something, an order, a question. Each looks behind what only opens it. */

const opener =
  /^(?:and|but|so|as|since|because|bc|cause|while|when|then|also|plus|btw|fyi|well|just|now|ok|okay|hi|hey|hello|hallo|dear|sorry|sry|oh|hm+|ugh|where|which|that|who|unfortunately|luckily|apparently|anyway|yes|no|though|however|for|seems|looks|like)$/;
const polite =
  /^(?:hi|hello|hey|please|pls|plz|so|and|but|ok|okay|well|sorry|sry|btw|also|good|morning|afternoon|evening|dear|guys|curfew|bot|hallo|the|oh|hm+|right|fyi|thanks|thank|thx|yes|then|now|just)$/;
const pronoun =
  /^(?:i|we|he|she|they|it|there|this|that|these|those|you|u|nobody|everyone|everybody|someone|somebody|people|everything|nothing|something|half)(?:'\w+)?$|^(?:im|ive|its|shes|hes|theyre|theres|thats|whats|ill)$/;
/** Begins a sentence whose subject is left out: "can't get in", "don't trust it". */
const unsaid =
  /^(?:ca|could|did|does)n'?t (?!say|tell|know|decide|promise|agree|approve|allow|want|need|be\b)|^don'?t (?:think|trust|care|remember)\b|^(?:was|were) (?:only|just|originally|previously|until|till?)\b/;
const possessive = /^(?:my|our|her|his|their|your|the|a|an|this|that|some|another|both|all|most|many|two|three)$/;
/** A verb in a form that has a subject. */
const finite =
  /^(?:(?:is|are|was|were|has|have|had|do|does|did|ca|could|wo|would|might|must|should)(?:n'?t)?|am|can|cannot|may|will|says|said|runs|ran|works|takes|took|needs|needed|comes|came|goes|went|gone|wants|wanted|finds|found|loses|lost|leaves|left|gets|got|gave|gives|made|makes|knows|knew|told|thinks|thought|feels|felt|sees|saw|keeps|kept|began|begins|broke|breaks|forgot|seems|looks|became|brings|brought|hates|likes|hangs|hung|sits|sat|stands|stood|fell|falls|spoke|speaks|wrote|pays|paid|sent|sends|meets|met|lies|means|meant|begged|yelled|asked|called)$/;
/** The same, which alone would be an order. */
const plural =
  /^(?:take|run|come|show|fail|hang|crash|start|work|say|think|finish|leave|get|have|do|expect|meet|test|rehearse|arrive|visit|write|use|look|seem|wait|ask|begin|migrate)$/;
const needs = /^(?:need|want|require|would|'d|wanna|gotta|should|must)s?$/;
const state =
  /^(?:yet|done|over|finished|ready|complete|completed|through|green|stable|running|failing|open|working|passing|slow)$/;
const nouns = [
  ...(["machine", "user", "account", "phone", "project", "backup", "newcomer", "action", "work", "deploy"] as const),
  ...(["holiday", "budget", "email"] as const),
];

const told = new WeakMap<readonly Tag[], boolean>();

/** A sentence with its subject first: "her tests are not done", "marketing begged me". */
export function isStatement(clause: readonly Tag[]): boolean {
  const known = told.get(clause) ?? tells(clause);
  told.set(clause, known);
  return known;
}

function tells(clause: readonly Tag[]): boolean {
  const from = clause.findIndex((tag) => !opener.test(tag.said) || !/^(?:small|sense|unknown)$/.test(tag.kind));
  const all = clause.slice(Math.max(from, 0));
  const behind = (words: RegExp) => all.some(({ said }, at) => at > 0 && words.test(said));
  // "tests not done"
  if (all.some(({ said }, at) => /^(?:not|still)$/.test(said) && state.test(all[at + 1]?.said ?? ""))) return true;
  const [first, second] = all;
  if (!first) return false;
  if (unsaid.test(`${first.said} ${second?.said}`)) return true;
  if (first.kind !== "person" && pronoun.test(first.said)) {
    const verb = all.find(
      ({ said }, at) => at > 0 && !/^(?:just|really|also|still|already|only|all|both|never|always)$/.test(said),
    );
    if (verb === undefined || /^(?:i'd|we'd|id)$/.test(first.said)) return false;
    if (/^(?:i|we|it|they|this|that)$/.test(first.said) && needs.test(verb.said)) return false;
    // "this weekend", "that group"
    return !/^(?:this|that|these|those|half|something|everything|nothing)$/.test(first.said) || behind(finite);
  }
  const isNoun = /^(?:person|thing|unknown|project|policy|time)$/.test(first.kind) || has(first, ...nouns);
  if ((!isNoun && !possessive.test(first.said)) || second === undefined) return false;
  // "her tests" is no sentence.
  const subject = possessive.test(first.said) ? 1 : 0;
  const isInflected = ({ kind, said }: Tag, at: number) =>
    at > subject && /^(?:unknown|sense)$/.test(kind) && /..ed$/.test(said);
  // "regression tests take longer", but not "staging machines start"
  const noun = all.findIndex(({ kind, said }) => kind !== "thing" && /...s$|^(?:people|team|folks)$/.test(said));
  const isPlural =
    !/^(?:thing|time)$/.test(first.kind) && noun !== -1 && all.slice(noun + 1).some(({ said }) => plural.test(said));
  return behind(finite) || all.some(isInflected) || isPlural;
}

/** Whether the clause orders what stands at this place: the verb comes first, apart from small words, or behind the thing. */
export const isVerb = (clause: readonly Tag[], at: number): boolean => {
  const before = clause.slice(0, Math.max(at, 0));
  return (
    at !== -1 &&
    !/^(?:my|our|his|her|their|a|an|the)$/.test(before.at(-1)?.text ?? "") &&
    before.every(
      (tag) =>
        /^(?:small|self|ticket|pronoun)$/.test(tag.kind) ||
        has(tag, "allowed", "go", "need", "turnOff", "turnOn", "polite"),
    )
  );
};

/** Whether a clause orders one of these. */
export const isOrdering = (clause: readonly Tag[], senses: readonly Sense[] = []): boolean =>
  isVerb(
    clause,
    clause.findIndex((tag) => has(tag, ...senses)),
  );

const done: readonly Sense[] = [
  ...(["keep", "keepUp", "extend", "shorten", "release", "end", "stop", "turnOff", "move"] as const),
  ...(["disable", "enable", "offboard", "detach", "rename", "unlock", "approve", "deny", "withdraw"] as const),
];
const subject = /^(?:i|we|he|she|they|you|it|that|this|somebody|someone|everybody|everyone|people|i've|ive|we've)$/;
const aside =
  /^(?:already|just|also|have|has|had|finally|again|yesterday|oops|sorry|sry|oh|ok|okay|so|and|but|hi|hey|hello|well|fyi|btw|then|now|the)$/;
const always = /^(?:always|usually|normally|often|sometimes|generally|mostly|regularly|used|to)$/;

/** "bob extended web until 22", "i already kept it up", "they keep web up": what somebody did or does, which asks for nothing. */
export function isDoneBySomebody(clause: readonly Tag[]): boolean {
  const at = clause.findIndex((tag) => tag.kind === "sense" && has(tag, ...done));
  const verb = clause[at];
  if (!verb || clause.some(({ text }) => /^(?:please|pls|plz|plse|kindly)$/.test(text))) return false;
  const [word = ""] = verb.text.split(" ");
  // "qa stayed up that evening"
  if (/^(?:stayed|remained|survived)$/.test(word) && clause.slice(0, at).some(({ kind }) => kind === "thing"))
    return true;
  const isPast =
    !verb.isCorrected &&
    /(?:ed|kept|held|left)$/.test(word) &&
    !/^(?:need|needed|locked|booked|reserved|exempted)$/.test(word);
  const before = clause.slice(0, at);
  const after = clause.slice(at + 1).find(({ text }) => !/^(?:the|our|my|her|his|their|all|both|a|an)$/.test(text));
  const isSubject = (tag: Tag) => tag.kind === "person" || subject.test(tag.said);
  const isOnlyTold = before.every((tag) => isSubject(tag) || aside.test(tag.said) || tag.kind === "time");
  const isOfThing = /^(?:thing|person|pronoun|action|project|credential|policy)$/.test(after?.kind ?? "");
  const isOver = after?.kind === "time" && (before.some(isSubject) || /^(?:ended|stopped)$/.test(word));
  // "dave left us last week", "dave was fired": the person named is the one who leaves.
  if (has(verb, "offboard") && !/^off/.test(word) && after?.kind !== "person") return false;
  if (isPast && isOnlyTold && (isOfThing || isOver)) return true;
  const [first, be, ...more] = before.filter(({ said }) => !aside.test(said) && said !== "that");
  // "frank was disabled", "web is kept up", "web that was extended"
  const isState = first?.kind === "thing" ? /^(?:is|are|was|were)$/ : /^(?:was|were)$/;
  if (isPast && /^(?:thing|person)$/.test(first?.kind ?? "") && before.length < 5 && isState.test(be?.said ?? ""))
    return true;
  const habit = [first, be, ...more].flatMap((tag) => (tag ? [tag.said] : []));
  const isHabit = habit.length > 0 && habit.every((said) => subject.test(said) || always.test(said));
  return (
    isHabit &&
    /^keeps?$/.test(word) &&
    habit.some((said) => always.test(said) || /^(?:they|you|he|she|it|people|everybody|everyone)$/.test(said))
  );
}

const asking: readonly Sense[] = ["when", "why", "who", "what", "howLong", "howMuch"];
const kept: readonly Sense[] = ["keepUp", "skip", "keepOff", "release", "extend"];
/** What a clause may order. */
export const acting: readonly Sense[] = [
  ...([
    "keepUp",
    "keepOff",
    "release",
    "dontKeep",
    "extend",
    "shorten",
    "end",
    "skip",
    "warn",
    "mute",
    "move",
  ] as const),
  ...(["disable", "enable", "unlock", "offboard", "detach", "rename", "approve", "deny", "withdraw", "undo"] as const),
  ...(["start", "stop", "restart", "turnOn", "turnOff", "save", "create", "deploy"] as const),
];
const auxiliary =
  /^(?:is|are|am|was|were|does|do|did|has|have|had|isn't|aren't|doesn't|don't|didn't|hasn't|will|would|can|could|may|should|which|what|who|whose|when|where|why|how|till|until|any|anyone|anybody|anything)$/;
const wish = /^(?:can|could|would|will|may|might|shall)$/;
const you = /^(?:you|u|someone|somebody|curfew|sb)$/;

/** The clause without what people say before what they say. */
export function opened(clause: readonly Tag[]): readonly Tag[] {
  const from = clause.findIndex(({ text, kind }) => kind === "thing" || !polite.test(text));
  return from === -1 ? [] : clause.slice(from);
}

/** "could you …" */
export const isWish = (clause: readonly Tag[]): boolean => {
  const [first, second] = opened(clause);
  return wish.test(first?.text ?? "") && you.test(second?.said ?? "");
};
export const isAsking = (clause: readonly Tag[]): boolean => clause.some((tag) => has(tag, ...asking));

/** "could you tell me", in front of what is asked. */
export const isTelling = (clause: readonly Tag[]): boolean =>
  clause.some((tag) => has(tag, "warn")) &&
  clause.every(
    ({ kind, text }) => /^(?:small|self)$/.test(kind) || /^(?:tell|inform|let (?:me|us) know|lmk)$/.test(text),
  );

/** "could you please remove …" */
export const isRequest = (clause: readonly Tag[]): boolean =>
  isWish(clause) &&
  !isTelling(clause) &&
  clause.some((tag) => tag.kind === "sense" && has(tag, ...acting, "email", "reset")) &&
  !clause.some((tag) => tag.kind === "sense" && has(tag, ...asking, "list"));

/** "list me …", "please show …" */
export function isToShow(clause: readonly Tag[]): boolean {
  const first = clause.find(
    (tag) => tag.kind === "sense" || !(polite.test(tag.text) || !content(tag) || has(tag, "mine")),
  );
  if (/^(?:list|show|display|summari[sz]e|enumerate|explain|guide|gimme_all)$/.test(first?.text ?? "")) return true;
  // "all that happened to web", "everything bob did"
  const [all, that, ...rest] = opened(clause);
  if (all?.text === "tell" && has(all, "status")) return true;
  const isAll = /^(?:all|everything|anything|whatever)$/.test(all?.text ?? "");
  return (
    isAll &&
    /^(?:that|which|what|i|we|she|he|they)$/.test(that?.said ?? "") &&
    rest.some((tag) => has(tag, "change", "run"))
  );
}

/** Whether somebody or something follows: "the dev machines", "we". */
function isSubject(tags: readonly Tag[]): boolean {
  const next = tags.find(({ kind, said }) => kind !== "time" && !/^(?:the|our|my|all|any|both)$/.test(said));
  return (
    /^(?:i|we|they|you|u|people|i'd|it|this|that|these|those)$/.test(next?.said ?? "") ||
    /^(?:thing|project|action|person)$/.test(next?.kind ?? "") ||
    has(next, "machine")
  );
}

/** `isMarked`: its sentence ends with a question mark. */
export function isQuestion(clause: readonly Tag[], raw: string, isMarked = false): boolean {
  const [tag, ...rest] = opened(clause);
  const [next] = rest;
  if (!tag) return isMarked;
  if (isRequest(clause)) return false;
  // "will web be up on monday", "do the machines start", "may bob do that", but not "will you" and "do keep".
  const isOfYou = tag.text === "will" && /^(?:you|u)$/.test(next?.text ?? "");
  if (/^(?:will|do|must|shall)$/.test(tag.text) && isSubject(rest) && !isOfYou) return true;
  if (tag.text === "may" && next?.kind === "person") return true;
  // "can erin hold web for ten days?"
  const [, does] = rest;
  if (tag.text === "can" && next?.kind === "person" && isMarked && has(does, ...acting, "keep")) return true;
  const isKept = clause.some((each) => has(each, ...kept));
  const shows = clause.some((each) => has(each, ...asking, "allowed"));
  if (isKept && /\bis (?:it )?pos+ible\b/.test(raw)) return false;
  // "can they be on until half past eleven?"
  const isUntil = clause.some(
    ({ kind, text }) => kind === "time" && /\b(?:until|till?|to|through|thru|-)\b/i.test(text),
  );
  const said = clause.flatMap(({ words }) => words.map(({ value }) => value.toLowerCase())).join(" ");
  const isPlease = /\b(?:can|could|would|will|may)\b[^?]{0,40}\b(?:please|pls|plz)\b/.test(said);
  if (!shows && (isPlease || (/^(?:can|could|may)$/.test(tag.text) && isUntil && isSubject(rest)))) return false;
  if (isMarked && clause.some((each) => has(each, "budget"))) return true;
  if (isMarked && has(tag, "allowed") && !clause.some(({ kind }) => kind === "time")) return true;
  const isAskedFor =
    wish.test(tag.text) && (isKept || you.test(next?.said ?? "") || /^(?:i|we)$/.test(next?.said ?? ""));
  if (isAskedFor) return shows && !isKept;
  // "is not needed any more"
  const isDenied = negation.test(next?.text ?? "") || has(next, "anymore", "release");
  if (/^(?:is|are|was|were|has|have)$/.test(tag.text) && isDenied && !isMarked) return false;
  // "dave married and is dave@example.com now"
  if (/^(?:and|but)$/.test(clause[0]?.text ?? "") && /^(?:is|was|has|had)$/.test(tag.text) && !isMarked) return false;
  const [sense] = tag.senses;
  if (sense && asking.includes(sense)) return true;
  if (auxiliary.test(tag.text) && !wish.test(tag.text) && !/^(?:do|have|don't|until|till|any)$/.test(tag.text))
    return true;
  return isMarked && !(isKept && /\b(?:pl[sz]|please)\b/.test(raw));
}
