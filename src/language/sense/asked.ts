import { isQuestion, isTelling, isToShow } from "./clause-kind.ts";
import { clausesOf } from "./clauses.ts";
import type { Slots } from "./frame.ts";
import { negation } from "./joining.ts";
import type { Sense } from "./lexicon.ts";
import { has, type Known, lastWord, type Tag } from "./tag.ts";

export type Asked = Pick<
  Slots,
  "senses" | "verb" | "dayOff" | "isByWhom" | "isOver" | "isNow" | "isComing" | "isOwn" | "isNegated" | "span" | "past"
>;

const is = (tags: readonly Tag[], ...senses: readonly Sense[]): boolean => tags.some((tag) => has(tag, ...senses));

/** Each frame that competes for a line asks for this. */
const read = new WeakMap<readonly Tag[], Asked>();

/** What a question says beside the senses of its words. */
export function askedIn(tags: readonly Tag[], known: Known): Asked {
  const found = read.get(tags) ?? askedOf(tags, known);
  read.set(tags, found);
  return found;
}

/** What was found in a line with what it asks, whose times are read when they are needed. */
export const withAsked = (found: Omit<Slots, keyof Asked>, asked: Asked): Slots => Object.setPrototypeOf(found, asked);

function askedOf(tags: readonly Tag[], known: Known): Asked {
  const times = tags.flatMap(({ kind, text }, at) =>
    kind === "time" ? [has(tags[at - 1], "before") ? `until ${text}` : text] : [],
  );
  const said = [...(times.length > 1 ? [times.join(" ")] : []), ...times.flatMap(formsOf)];
  const inPast = [...said, ...times.flatMap(beginnings)].slice(0, 2 * mostForms);
  let [span, past]: (string | undefined)[] = [];
  const isSupposed = tags.some(({ text }) => /^(?:would|suppose|assume|assuming)$/.test(text));
  return {
    senses: new Set(tags.flatMap(({ senses }) => [...senses])),
    verb: verbOf(tags),
    dayOff: tags.find((tag) => has(tag, "holiday") && /[a-z]s day$/.test(tag.text))?.text ?? "",
    // "who disabled frank", but not "who is disabled"
    isByWhom: tags.some(({ text }, at) => text === "who" && /..ed$/.test(tags[at + 1]?.said ?? "")),
    isOver: !isSupposed && tags.some(({ text }) => over.test(text)),
    isNow: tags.some(({ text }) => now.test(text)),
    isComing: tags.some(({ text }) => coming.test(text)),
    isOwn: tags.some((_, at) => isOwnAt(tags, at)),
    isNegated: tags.some(({ text, senses }) => negation.test(text) || senses.has("lacking")),
    // Only few answers need a time, and to read one takes longer than all the rest.
    get span() {
      span ??= said.slice(0, mostForms).find((time) => known.isSpan(time.split(" "))) ?? "";
      return span;
    },
    get past() {
      past ??= isSupposed ? "" : (inPast.find((time) => known.isPast(time.replace(sinceWord, "").split(" "))) ?? "");
      return past;
    },
  };
}

/** Which runs are meant. */
function verbOf(tags: readonly Tag[]): Slots["verb"] {
  const [stops, starts] = [is(tags, "stop", "turnOff", "off"), is(tags, "start", "turnOn")];
  if (is(tags, "backup")) return "backups";
  if (stops === starts) return "";
  return stops ? "stops" : "starts";
}

/** More than any question needs. */
const mostForms = 24;

const over =
  /^(?:was|were|did|didn't|didnt|wasn't|been|has|have|hasn't|happened|changed|ran|went|got|gone|since|who's been|last)$/;
const coming =
  /^(?:will|gonna|going|happening|coming|upcoming|planned|scheduled|ahead|next|happens|happenning|runs|due)$/;
const now = /^(?:do|does|would|will|is|are|can|could|touches)$/;
const sinceWord = /^(?:since|from|after) /i;

/** A time as it was typed, and without the words around it that are not of it: "on at 9 last night". */
function formsOf(text: string): readonly string[] {
  const words = text.split(" ").filter(Boolean);
  const forms = [
    text.replace(/^(?:on|at) (?=this|next)/i, ""),
    `${text}.`,
    text.replace(/ (?:in|at|on) (?:the )?/gi, " "),
    text.replace(/\b(\d\d?)h\b/i, "$1:00"),
    text.replace(/ a day$/i, ""),
  ];
  for (let from = 1; from < words.length; from++) forms.push(words.slice(from).join(" "));
  const early = words.map((word) => word.replace(/^(?:yday|yda)$/i, "yesterday")).join(" ");
  const once = early.replace(/^every /i, "").replace(/days\b/gi, "day");
  return [...new Set([...forms, early, once].map((form) => form.replace(/^the (?=\d)/i, "")))];
}

/** "since monday morning" begins on monday. */
const beginnings = (text: string): readonly string[] =>
  text
    .split(" ")
    .flatMap((_, at, words) =>
      /^(?:since|after)$/i.test(words[0] ?? "") && at > 0 ? [words.slice(0, -at).join(" ")] : [],
    );

/** "my changes", "what did I do", "I've done", but not "I was out, what was changed". */
function isOwnAt(tags: readonly Tag[], at: number): boolean {
  const tag = tags[at];
  if (tag?.senses.has("owned")) return true;
  if (tag?.kind !== "self") return /^(?:own|mine)$/.test(tag?.text ?? "");
  const typed = tag.said;
  const [before, after] = [tags[at - 1]?.text ?? "", tags[at + 1]];
  if (/^(?:my|mine)$/.test(typed)) return after === undefined || after.kind !== "unknown" || typed === "mine";
  if (typed === "i've" || typed === "ive") return has(after, "change", "done", "keep", "next");
  return (
    typed === "i" &&
    (/^(?:did|have|do|had|am)$/.test(before) ||
      has(after, "change", "keep") ||
      (/^(?:have|did)$/.test(after?.text ?? "") && has(tags[at + 2], "change")))
  );
}

/** Whether a question in a thread is not about its card: "how many have we removed this month?" */
export function isGeneral(tags: readonly Tag[]): boolean {
  if (tags.some(({ kind, text }) => kind === "pronoun" && /^(?:it|this|that)$/.test(text))) return false;
  const ofAll = tags.some(({ text }) =>
    /^(?:we|people|everybody|everyone|users|accounts|month|year|week|all|any|ever)$/.test(text),
  );
  return (is(tags, "howMuch", "list") && ofAll) || is(tags, "help", "holiday", "who_am_i", "budget");
}

/** Without what a list is asked for without: "what is held besides web" shows all. */
export const withoutExcepted = (tags: readonly Tag[]): readonly Tag[] => {
  const at = tags.findIndex(({ text }) => /^(?:besides|beside|except|excluding|apart|other than)$/.test(text));
  const from = tags.slice(at + 1).findIndex(({ kind }) => kind !== "small" && kind !== "self");
  if (at < 1 || !isName(tags[at + 1 + from] ?? { kind: "small" })) return tags;
  return [...tags.slice(0, at), ...tags.slice(at + from + 2)];
};

/** Without clauses that only say that nothing is to be done: "don't change anything, just checking". */
export function withoutDisclaimers(clauses: readonly (readonly Tag[])[]): readonly Tag[] {
  const isDisclaimer = (clause: readonly Tag[]) =>
    clause.every(({ kind }) => /^(?:small|sense|self|pronoun|unknown)$/.test(kind)) &&
    clause.some(({ text }) => negation.test(text) || text === "nothing") &&
    !clause.some((tag) => has(tag, "what", "who", "when", "why", "list") && tag.text !== "anything") &&
    (is(clause, "change", "move") || clause.some(({ text }) => /^(?:do|touch|act|anything)$/.test(text)));
  const asking = clauses.filter((clause) => !isDisclaimer(clause) && !isTelling(clause));
  return (asking.length > 0 ? asking : clauses).flat();
}

/** What nobody can know here, and is said beside the nearest answer. */
const unknown: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:costs?|prices?|pric(?:ey|ing)|euros?|dollars?|eur|usd|bill|bills|invoice|spend|spending|savings?|expensive|cheaper|pay|paying)\b|[€$]/,
    "I don't know prices.",
  ],
  [/\b(?:cpu|memory|load average|traffic|latency|disk usage|free space)\b/, "I don't know how busy machines are."],
  [/\b(?:ip|ips|ip address|hostname|url|dns)\b/, "I don't know addresses of machines."],
  [/\bhow many\b.*\b(?:running|on|up|online)\b/, "I don't see machines themselves, only their schedules."],
  [
    /\b(?:logged in|signed in|log ?ins? today|last login|last seen|online right now)\b/,
    "I don't see who is logged in.",
  ],
];

export const cannotKnow = (line: string): string | undefined => unknown.find(([said]) => said.test(line))?.[1];

/** Each question of a line: what is told before and behind them asks nothing, but may name what "it" is. */
export function questionsIn(said: readonly Tag[], raw: string): readonly (readonly Tag[])[] {
  const sentences: { readonly told: readonly Tag[]; readonly asked: readonly Tag[] }[] = [];
  let told: readonly Tag[] = [];
  let asking: readonly Tag[] = [];
  let topic: readonly Tag[] = [];
  let isWhy = false;
  for (const { tags } of clausesOf(said)) {
    const isEnd = /\?[)"']?$/.test(lastWord(tags.at(-1)));
    if (asking.length === 0 && !isEnd && isTopic(tags)) {
      topic = [...topic, ...tags];
      continue;
    }
    // "…, so that I can tell my people" says why it is asked.
    isWhy ||= why.test(tags[0]?.text ?? "") && asking.some((tag) => isName(tag) || tag.kind === "sense");
    const asks = asking.length > 0 || isQuestion(tags, raw, isEnd) || isToShow(tags);
    if (asks && !isWhy) [asking, topic] = [[...asking, ...topic, ...tags], []];
    else if (!isWhy) told = [...told, ...tags];
    if (!isEnd || asking.length === 0) continue;
    sentences.push({ told, asked: asking });
    [told, asking, isWhy] = [[], [], false];
  }
  if (asking.length > 0 && (sentences.length === 0 || asking.some(isName))) sentences.push({ told, asked: asking });
  return sentences.map(({ told: before, asked: each }, at) => {
    const isPointing = each.some(
      ({ kind, said: word }) => kind === "pronoun" || /^(?:her|his|their|there)$/.test(word),
    );
    const isWhole = each.some(isName) || (each.some(({ kind }) => kind === "sense") && !isPointing);
    const former = sentences
      .slice(0, at)
      .flatMap((sentence) => sentence.asked)
      .filter(isName);
    return isWhole ? each : [...(before.some(isName) ? before : [...former, ...before]), ...each];
  });
}

/** "web - until when?", "tomorrow at 20:30, which machines are up?": not "bob, who …", which speaks to somebody. */
const isTopic = (tags: readonly Tag[]): boolean =>
  tags.some(({ kind }) => /^(?:thing|person|action|project|time)$/.test(kind)) &&
  tags.every(({ kind }) => /^(?:thing|person|action|project|time|small)$/.test(kind)) &&
  !(tags.some(({ kind }) => kind === "person") && lastWord(tags.at(-1)).endsWith(","));

const why = /^(?:because|bc|cause|since|so|as|otherwise)$/;
const isName = ({ kind }: Pick<Tag, "kind">): boolean =>
  !/^(?:small|unknown|sense|self|pronoun|time|ticket|quoted)$/.test(kind);
