import { acting, isOrdering, isStatement, isVerb } from "./clause-kind.ts";
import type { Clause } from "./clauses.ts";
import type { Frame, Slot } from "./frame.ts";
import { negation } from "./joining.ts";
import type { Sense } from "./lexicon.ts";
import { has, type Tag } from "./tag.ts";

/** The slot that a name or a time fills. */
export const slotOf: Partial<Record<Tag["kind"], Slot>> = {
  ...{ thing: "thing", person: "person", time: "time", action: "action", project: "project", plan: "plan" },
  ...{ policy: "policy", credential: "credential", selector: "selector", address: "address" },
};

/** Turns round what is said, wherever it stands. */
export const turning =
  /^(?:if|unless|except|excluding|minus|or|either|instead|maybe|perhaps|whether|otherwise|wait|rather|not sure|scratch|forget)$/;
/** "when he is back", "until he is" */
export const isCondition = ([first]: readonly Tag[]): boolean =>
  /^(?:when|once|until|till?|while|before|after)$/.test(first?.text ?? "");
/** Words that limit, choose or doubt. While one is unexplained, nothing may be done. */
const limits =
  /^(?:only|probably|sure|but|before|after|while|whatever|whichever|first|second|third|last|others?|rest|half|none|nothing|neither|most|any|every|each|everything|until|till?|not)$/;
/** Makes a sentence of one more word. */
const subjects =
  /^(?:is|are|was|were|has|have|had|he|she|it|they|we|its|it's|he's|she's|they're|theyre|we're|there|will|the|a|an|my|our)$/;

export const isLimit = (tag: Tag): boolean =>
  turning.test(tag.text) || limits.test(tag.text) || negation.test(tag.text) || /^\d/.test(tag.text);

/** "go ahead and deny" */
const isContrary = (tag: Tag): boolean => isLimit(tag) || has(tag, "deny", "withdraw");

/** What is asked for is done now in any case. */
export const nowadays =
  /^(?:(?:for|as of|of|from|since|starting) )?(?:now|today|tonight|this evening|this morning|right now|yesterday)$|^(?:un)?till? further notice$/i;

/** What stands beside what is asked for. */
export interface Beside {
  readonly story: readonly Tag[];
  /** What of it agrees with what is asked for, word for word. */
  readonly why: ReadonlySet<Tag>;
  readonly isExplicit: boolean;
  /** Of sentences that hold times of their own, which are not those of what is asked for. */
  readonly apart: ReadonlySet<Tag>;
  /** Of clauses that order something else. */
  readonly others: ReadonlySet<Tag>;
}

export const nothingBeside: Beside = {
  story: [],
  why: new Set(),
  isExplicit: false,
  apart: new Set(),
  others: new Set(),
};

/**
 * Whole clauses beside the asking one are its reason, if they hold nothing known, no time, no number and no word that limits or doubts:
 * "…, the demo runs late". What follows "because" is always the reason.
 */
export function besides(frame: Frame, clauses: readonly Clause[], isExplained: (tag: Tag) => boolean): Beside {
  const { must, needs, reasons } = frame;
  const from = clauses.findIndex(({ reason }, index) => index > 0 && reason === "always");
  const asks = clauses.filter(({ tags }, index) => {
    if (from !== -1 && index >= from) return false;
    return must.length > 0
      ? tags.some((tag) => must.some((senses) => has(tag, ...senses)))
      : tags.some(({ kind }) => needs.some((slot) => slotOf[kind] === slot));
  });
  const timed = (of: readonly Tag[], words: RegExp) => of.some(({ kind, text }) => kind === "time" && words.test(text));
  const isAsked = (words: RegExp) => asks.some(({ tags }) => timed(tags, words));
  const isApart = (tags: readonly Tag[]) =>
    isStatement(tags) &&
    timed(tags, /./) &&
    (isAsked(isEnd) || (isAsked(day) && !timed(tags, isEnd) && !timed(tags, /\d/))) &&
    !asks.some((each) => each.tags === tags);
  const isOfAccount = needs.includes("person");
  const kindAt = clauses.map((clause, index): "story" | "why" | "also" | "apart" | "own" | "other" => {
    const { tags } = clause;
    if (from !== -1 && index >= from) return "story";
    if (reasons && isOtherOrder(tags, must) && !isStatement(tags)) return "other";
    const hasAll = (of: readonly Tag[]) => must.every((senses) => of.some((tag) => has(tag, ...senses)));
    // "disable dave and remove his mfa"
    const isOther = isOfAccount && must.length > 0 && !clause.reason && !isStatement(tags) && !hasAll(tags);
    // "new phone"
    const isNoun = tags.find(({ kind }) => kind !== "small")?.text === "new";
    if (isOther && !isNoun && isOrdering(tags, accountOrders) && clauses.some((each) => hasAll(each.tags)))
      return "other";
    if (tags.every(isExplained) && !isApart(tags)) {
      const isTold = isOfAccount ? clause.reason || isStatement(tags) : isStatement(tags) && tags.some(isSense);
      const asks = isTold ? clauses.filter((each) => each.tags !== tags) : clauses.slice(0, index);
      const isSaid = isOfAccount && isWhy(tags) && isOrdered(asks, must);
      return !isSaid ? "own" : tags.some(isSense) && !clause.reason ? "why" : "also";
    }
    if ((reasons || isOfAccount) && isOrdering(tags, must[0]) && !isStatement(tags)) return "own";
    const others = clauses.filter((each) => each.tags !== tags);
    if (!must.every((senses) => others.some((each) => each.tags.some((tag) => has(tag, ...senses))))) return "own";
    if (isOfAccount && isCondition(tags)) return "own";
    if (reasons) return must.length > 0 && (reasons === "any" || !tags.some(isContrary)) ? "story" : "own";
    if (isStory(clause, agreeing(frame), frame)) return "story";
    return isApart(tags) ? "apart" : "own";
  });
  // Beside an account, a ticket is part of the reason.
  const isTicket = ({ kind }: Tag) => kind === "ticket" && isOfAccount && !frame.hasNoReason;
  // What says nothing that counts is only told beside what does.
  const isMore = kindAt.includes("story") || clauses.some(({ tags }) => tags.some(isTicket));
  const told = isMore ? ["why", "also"] : ["why"];
  const those = (...kinds: readonly string[]) =>
    clauses.flatMap(({ tags }, index) =>
      kinds.includes(kindAt[index] ?? "") ? tags : kinds.includes("why") && isMore ? tags.filter(isTicket) : [],
    );
  return {
    story: those("story", ...told),
    why: new Set(those(...told)),
    isExplicit: from !== -1 && kindAt.every((each, index) => !/^(?:story|why)$/.test(each) || index >= from),
    apart: new Set(those("apart")),
    others: new Set(those("other")),
  };
}

/** What may be said beside it and means the same. */
function agreeing({ must, may, needs }: Frame): readonly Sense[] {
  const isDecisive = must.flat().some((sense) => decisive.includes(sense));
  const same = isDecisive ? may.filter((sense) => sense === "release" || sense === "offboard") : may;
  return [...must.flat(), ...same, ...(needs.includes("person") ? ofMachines : [])];
}

/** "…, she lost her phone": it gives the reason for a change of an account, and asks for nothing. */
const isWhy = (tags: readonly Tag[]): boolean =>
  !/^(?:so|to|for)$/.test(tags[0]?.text ?? "") &&
  !isCondition(tags) &&
  !tags.some(({ text }) => /^(?:might|may|could|would|when)$/.test(text)) &&
  tags.every(
    ({ kind, text }) =>
      !(kind in slotOf) || kind === "person" || (kind === "time" && (isPast(tags) || nowadays.test(text))),
  ) &&
  (isStatement(tags) || tags.some((tag) => has(tag, "phone", "offboard", "newcomer")));
/** "he has left us on friday" */
const isPast = (tags: readonly Tag[]): boolean =>
  isStatement(tags) &&
  tags.some(({ said }) => /^(?:has|have|had|was|were|did|left|got|went|came|\p{L}{3,}ed)$/u.test(said));
/** Whether these ask for it without the rest. */
const isOrdered = (clauses: readonly Clause[], must: Frame["must"]): boolean =>
  must.every((senses) => clauses.some(({ tags }) => !isStatement(tags) && tags.some((tag) => has(tag, ...senses))));

/** What is ordered by itself, beside another change of an account. */
export const accountOrders: readonly Sense[] = [...acting.filter((sense) => sense !== "unlock"), "email"];
const orders: readonly Sense[] = ["disable", "enable", "offboard", "detach", "turnOff", "unlock", "email"];
/** "and freeze her login" beside "rejected" is another order. */
function isOtherOrder(tags: readonly Tag[], must: Frame["must"]): boolean {
  const at = tags.findIndex((tag) => has(tag, ...orders) && !has(tag, ...must.flat()));
  return isVerb(tags, at) && !/(?:ed|ost|oken|len)$/.test(tags[at]?.text ?? "");
}

const isSense = ({ kind }: Tag): boolean => kind === "sense";
const ofMachines: readonly Sense[] = ["keepUp", "keepOff", "release"];

/** Whether a time belongs to what is asked for. */
export const isTimed = ({ takes, needs }: Frame): boolean =>
  takes.includes("time") || needs.some((slot) => slot === "time" || slot === "thing" || slot === "action");

/** Whether a time says when something ends. */
export const isEnd = /^(?:'till|thru|by)\b|\b(?:until|till?|to|for|through)\b|\d[-–]\d/i;

const day = /day\b|\btomorrow\b/i;

/** Whether a clause says something about the matter, and asks for nothing. */
function isStory({ tags: clause, reason, isSetOff }: Clause, own: readonly Sense[], frame: Frame): boolean {
  const isTimedFrame = isTimed(frame);
  const content = clause.filter(({ kind }) => kind === "unknown" || kind === "sense" || kind === "quoted");
  const says = isStatement(clause);
  // "code freeze" locks nobody's account.
  const isCode = (tag: Tag) =>
    has(tag, "disable", "enable") &&
    isTimedFrame &&
    clause.every(({ kind }) => kind !== "person" && kind !== "pronoun");
  if (content.length === 0 || content.some((tag) => has(tag, ...decisive) && !has(tag, ...own) && !isCode(tag)))
    return false;
  if (isTimedFrame && !says && content.some((tag) => has(tag, "holiday"))) return false;
  if (content.some((tag) => has(tag, "keep", "keepUp")) && content.some((tag) => has(tag, "end"))) return false;
  const isWord =
    isSetOff && content.every((tag) => isCode(tag) || (tag.kind === "unknown" && /^\p{L}{4,}$/u.test(tag.text)));
  if (!reason && !says && !isWord && content.length < 2 && !clause.some(({ text }) => subjects.test(text)))
    return false;
  return clause.every(
    (tag) =>
      (!isLimit(tag) || (says && (negation.test(tag.text) || clause[0]?.text === "otherwise"))) &&
      (tag.kind === "person" ||
        !(tag.kind in slotOf) ||
        // "disable dave, he broke staging"
        (tag.kind === "thing" && says && frame.needs.includes("person")) ||
        (tag.kind === "time" &&
          (!isTimedFrame || nowadays.test(tag.text) || (frame.needs.includes("person") && isPast(clause))))),
  );
}

/** What a clause that only tells something can't hold. */
export const decisive: readonly Sense[] = [
  ...(["keepUp", "keepOff", "release", "dontKeep", "skip", "mute", "disable", "enable", "offboard"] as const),
  ...(["approve", "deny", "withdraw", "detach", "undo", "wording"] as const),
];

/** What is only said of machines beside those that are meant: "keep web up, qa is broken". */
export function asidesIn(clauses: readonly Clause[], isSaid: (clause: readonly Tag[]) => boolean): ReadonlySet<Tag> {
  const isThing = ({ kind }: Tag) => kind === "thing";
  const statements = clauses.filter(
    ({ tags }) =>
      tags.some((tag, at) => isThing(tag) && telling.test(tags[at + 1]?.text ?? "")) &&
      tags.every((tag) => tag.kind !== "time" && !has(tag, "keepUp", "need")),
  );
  const others = clauses.filter((clause) => !statements.includes(clause));
  if (!others.some(({ tags }) => isSaid(tags) && tags.some(isThing))) return new Set();
  return new Set(statements.flatMap(({ tags }) => tags.filter(isThing)));
}
const telling = /^(?:is|are|was|were|has|had|isn't|aren't|wasn't|hasn't|looks|seems|got|keeps|does|did|will)$/;
