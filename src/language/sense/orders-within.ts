import { accountOrders, decisive, isCondition, isEnd, isLimit, isTimed, nowadays, turning } from "./beside.ts";
import { type Fit, fits, weightOf } from "./choose.ts";
import { acting, isOrdering, isQuestion, isStatement, isVerb } from "./clause-kind.ts";
import { type Clause, clausesOf } from "./clauses.ts";
import { negation } from "./joining.ts";
import { content, has, type Known, lastWord, type Tag } from "./tag.ts";

/** No order takes more clauses. */
const mostClauses = 4;

/**
 * The change that some clauses side by side ask for, where each of their words is explained and all others only tell something: "between
 * the years only a skeleton crew is here: qa on until wednesday 20:00".
 */
export function orderWithin(tags: readonly Tag[], known: Known): Within {
  const clauses = clausesOf(tags);
  if (clauses.length < 2 || clauses.length > mostRead) return {};
  const found: Fit[] = [];
  const near: Placed[] = [];
  for (let from = 0; from < clauses.length; from++)
    for (let to = from + 1; to <= Math.min(clauses.length, from + mostClauses); to++) {
      if (to - from === clauses.length) continue;
      const inside = clauses.slice(from, to);
      if (!inside.some(({ tags: each }) => each.some(isDecisive))) continue;
      if (inside.filter((each) => isOrderAlone(each) && !each.isTelling).length > 1) continue;
      // "…, but staging should stay": another machine, and no limit
      const own = inside.flatMap(({ tags: each, isSetOff }) =>
        isSetOff && each[0]?.text === "but" && isOrderAlone({ tags: each }) ? each.slice(1) : each,
      );
      const [fit] = fits(withPerson(own, tags), "change", known);
      if (!fit || fit.left.length > 0 || fit.frame.isGuess || fit.frame.isAlone || isApproval(fit)) continue;
      const others = [...clauses.slice(0, from), ...clauses.slice(to)];
      if (others.some((clause) => isAsked(clause, clauses))) continue;
      const isAside = isOfAccount(fit) ? isBesideAccount : isTold;
      const unclear = others.filter((clause) => !isAside(clause, fit, own)).flatMap((clause) => clause.tags);
      const told = others.flatMap((clause) => clause.tags).filter((tag) => !unclear.includes(tag));
      const story = tags.filter((tag) => told.includes(tag) || fit.why.has(tag));
      if (unclear.length === 0) found.push({ ...fit, story, isExplicit: false });
      else
        near.push({
          ...{ from, to },
          ...fit,
          isNear: true,
          story,
          left: unclear.filter((tag) => content(tag) && tag.kind !== "self"),
        });
    }
  return { order: best(found), near: best(near), several: found.length > 0 ? [] : severalOf(near, clauses) };
}

/** "web can go back to its schedule, and reports-db up till midnight": clauses that each ask for something about other machines. */
function severalOf(near: readonly Placed[], clauses: readonly Clause[]): readonly Fit[] {
  const taken: Placed[] = [];
  // "change frank's address to … and enable him"
  const isOther = (fit: Placed, other: Placed) =>
    isOfAccount(fit)
      ? other.slots.person === fit.slots.person && other.frame !== fit.frame && !isOpposite(fit, other.frame)
      : namedBy(other).every((name) => !namedBy(fit).includes(name));
  const isFree = (fit: Placed) =>
    (isOfAccount(fit) || namedBy(fit).length > 0) &&
    fit.frame.on === undefined &&
    (fit.frame.must.length > 0 || fit.slots.time !== "") &&
    taken.every((other) => isOther(fit, other) && (other.to <= fit.from || other.from >= fit.to));
  for (const fit of near.toSorted((one, other) => other.explained - one.explained)) if (isFree(fit)) taken.push(fit);
  const others = clauses.filter((_, at) => !taken.some(({ from, to }) => from <= at && at < to));
  // A machine may be one of a group.
  const isMixed = new Set(taken.map(({ slots }) => /\d/.test(slots.thing))).size > 1;
  const isSaid =
    !isMixed && taken.length > 1 && others.every((clause) => taken.every((fit) => isTold(clause, fit, [])));
  return isSaid
    ? taken
        .toSorted((one, other) => one.from - other.from)
        .map((fit) => ({
          ...fit,
          left: [],
          story: others.filter((each) => each.tags.some(content)).flatMap((each) => each.tags),
        }))
    : [];
}

const namedBy = ({ slots: { thing, action } }: Fit): readonly string[] =>
  [...thing.split(" "), action].filter((name) => name !== "");

/** "staging till 21": it needs nothing of another that says as much. */
const isOrderAlone = ({ tags }: Pick<Clause, "tags">): boolean =>
  tags.some(({ kind }) => kind === "thing") && tags.some(({ kind }) => kind === "time");
/** "disable alice. enable alice" */
const isOpposite = (fit: Fit, frame: Fit["frame"]): boolean => {
  const both = [...fit.frame.must, ...frame.must].flat();
  return both.includes("enable") && both.includes("disable");
};

interface Within {
  /** All others only tell something. */
  readonly order?: Fit | undefined;
  /** Others are not understood: it may be offered. */
  readonly near?: Fit | undefined;
  /** Each asks for something about other machines. */
  readonly several?: readonly Fit[];
}

/** What the clauses from one to the next ask for. */
interface Placed extends Fit {
  readonly from: number;
  readonly to: number;
}

const best = (found: readonly Fit[]): Fit | undefined =>
  found.toSorted((one, other) => other.explained - one.explained || weightOf(one) - weightOf(other))[0];

/** More is a letter. */
const mostRead = 14;

/** Whoever approves says nothing else that may limit it. */
const isApproval = ({ frame }: Fit): boolean => frame.on === "request" && frame.must.flat().includes("approve");

const isOfAccount = ({ frame, slots }: Fit): boolean => slots.person !== "" && !frame.on && !frame.isShown;

/** Whether it is a question: not if its mark is that of the sentence that it ends. */
function isAsked(clause: Clause, clauses: readonly Clause[]): boolean {
  const before = clauses[clauses.indexOf(clause) - 1];
  const begins = before === undefined || /[.!?)…]$/.test(lastWord(before.tags.at(-1)));
  return (
    (begins && /\?[)"']?$/.test(lastWord(clause.tags.at(-1)))) || (!clause.reason && isQuestion(clause.tags, "", false))
  );
}

/** "Take the MFA off her account": of the only one who is named in the line. */
function withPerson(own: readonly Tag[], all: readonly Tag[]): readonly Tag[] {
  const people = new Map(all.flatMap((tag) => (tag.kind === "person" ? [[tag.text, tag] as const] : [])));
  const [person, ...others] = people.values();
  const isMeant = person && others.length === 0 && own.every(({ kind }) => kind !== "person");
  return isMeant && own.some(({ words }) => words.some(({ value }) => theirs.test(value))) ? [...own, person] : own;
}
const theirs = /^(?:his|her|hers|him|them|their|he|she|they)[,.!?]*$/i;

/** What stands beside a change of an account is shown with it to be confirmed, so it may tell anything but ask for nothing. */
function isBesideAccount({ tags, reason }: Clause, { frame }: Fit): boolean {
  if (reason === "always") return true;
  const said = tags.filter(content);
  // "…, tomorrow"
  const isTime = said.length > 0 && said.every(({ kind }) => kind === "time");
  if (isTime || isCondition(tags) || tags.some(({ text }) => turning.test(text))) return false;
  if (!isStatement(tags) && tags.some(({ text }) => negation.test(text))) return false;
  const isOfOther = tags.some(({ kind }) => (kind === "policy" || kind === "address") && !frame.needs.includes(kind));
  if (!isStatement(tags) && isOfOther) return false;
  const isWhole = frame.must.every((senses) => tags.some((tag) => has(tag, ...senses)));
  if (!isStatement(tags) && !isWhole && isOrdering(tags, accountOrders)) return false;
  const acts = tags.findIndex((tag) => has(tag, ...acting) && !has(tag, ...frame.must.flat()));
  return acts === -1 || (isStatement(tags) && !isVerb(tags, acts));
}

const isDecisive = (tag: Tag): boolean => content(tag) && (tag.senses.size > 0 || tag.kind === "thing");

/** Whether a clause tells something about the matter, and neither asks nor limits nor takes back. */
function isTold(
  { tags, reason, isSetOff, isTelling: says }: Clause,
  { frame, slots }: Fit,
  own: readonly Tag[],
): boolean {
  if (reason === "always") return true;
  if (tags.some(({ text }) => turning.test(text))) return false;
  // "9 is fine"
  if (tags.some((tag, at) => /^\d{1,2}$/.test(tag.text) && tag.kind === "unknown" && !isNumbered(tags, at)))
    return false;
  if (!says && tags.some((tag, at) => changing.test(tag.text) || (isLimit(tag) && !isNumbered(tags, at)))) return false;
  if (!tags.some(content)) return true;
  // A day off that is not known here may be the day that is meant.
  if (isTimed(frame) && tags.some((tag) => has(tag, "holiday"))) return false;
  const times = tags.filter(({ kind, text }) => kind === "time" && !nowadays.test(text));
  const isSaidToo = ({ text }: Tag) => own.some((tag) => tag.text === text);
  if (
    times.length > 0 &&
    isTimed(frame) &&
    !(says && !tags.some(({ text }) => /^(?:said|says|meant)$/.test(text))
      ? isWhole(slots.time, times)
      : times.every(isSaidToo))
  )
    return false;
  const things = tags.filter(({ kind }) => kind === "thing");
  // "web may stop, and i-0a1 stays till eight": something else is asked of other machines.
  const asks = (tag: Tag) =>
    tag.kind === "time" ||
    has(tag, "keep", "keepUp", "keepOff", "extend", "go", "stop", "turnOff") ||
    /^(?:can|may|should|must)$/.test(tag.text);
  if (!things.every(isSaidToo) && tags.some(asks)) return false;
  const must = frame.must.flat();
  const isElse = (tag: Tag) => !has(tag, ...must, ...frame.may);
  if (tags.some((tag) => has(tag, ...decisive) && isElse(tag))) return false;
  if (things.length > 0 && tags.some((tag) => has(tag, "end", "extend", "shorten") && !has(tag, ...must))) return false;
  const acts = tags.findIndex((tag) => has(tag, ...acting) && isElse(tag));
  const isOwn =
    tags.some(({ kind }) => kind === "self") &&
    !tags.some(({ kind }) => /^(?:thing|action|project|person)$/.test(kind));
  if (acts !== -1 && (!says || (isVerb(tags, acts) && !isOwn))) return false;
  return (
    says ||
    ((isSetOff || reason !== undefined) && tags.every(({ kind }) => /^(?:unknown|small|sense|self)$/.test(kind)))
  );
}

/** Where they are no sentence, these may change what is asked for. */
const changing = /^(?:no|same|then|later|actually|sorry|both|mostly|apart|from|to)$/;

/** "release 9": a number behind a noun. */
const isNumbered = (tags: readonly Tag[], at: number): boolean =>
  /^\d+$/.test(tags[at]?.text ?? "") && tags[at - 1]?.kind === "unknown" && tags[at]?.kind === "unknown";

const day =
  /\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b|\btomorrow\b|\bweek|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d\.\d|\d(?:st|nd|rd|th)\b/i;
const clock =
  /\d[:.]\d\d|\d ?(?:am|pm|h|uhr)\b|\b(?:noon|midnight)\b|\b(?:until|till?|to|at|by|around|about|before|after) \d/i;

/** Whether the time of an order needs nothing of what is told beside it: a day, or an hour. */
const isWhole = (time: string, beside: readonly Tag[]): boolean =>
  (isEnd.test(time) || beside.every(({ text }) => !isEnd.test(text))) &&
  beside.every(
    ({ text }) =>
      past.test(text) ||
      (time !== "" && (day.test(time) || !day.test(text)) && (clock.test(time) || !clock.test(text))),
  );
const past = /\b(?:yesterday|last|ago)\b/i;
