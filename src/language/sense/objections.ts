import type { Fit } from "./choose.ts";
import { isOrdering, isStatement } from "./clause-kind.ts";
import { clausesOf } from "./clauses.ts";
import type { Sense } from "./lexicon.ts";
import { has, type Known, plain, type Tag } from "./tag.ts";

/** What speaks against a change, though each of its words is understood. */

const holding: readonly Sense[] = ["keepUp", "extend"];
const ending: readonly Sense[] = ["release", "end", "stop", "turnOff"];
/** Whether two clauses order the opposite of the same machines: "extend qa till ten and finish my booking". */
export function contradicts(asking: readonly (readonly Tag[])[], change: Fit | undefined, { card }: Known): boolean {
  const orders = asking
    .filter(
      (clause) =>
        !isStatement(clause) || clause.some(({ kind, text: said }) => kind === "small" && /^(?:can|may)$/.test(said)),
    )
    .filter((clause) => !clause.every((tag) => change?.story.includes(tag)))
    .map((clause) => clause.filter(({ text: said }) => !/^(?:and|also|but|so|or|better|rather|polite)$/.test(said)));
  const those = (senses: readonly Sense[], but: readonly Sense[]) =>
    orders.filter(
      (clause) =>
        isOrdering(clause, senses) &&
        !clause.some((tag) => has(tag, ...but) && !holdNouns.test(tag.text)) &&
        !clause.some(({ text: said }) => later.test(said)),
    );
  const thingsOf = (clause: readonly Tag[]) =>
    clause.filter(({ kind }) => kind === "thing").map(({ text: said }) => said);
  // "keep staging up, i-0a1 can go": what goes is not kept too.
  const kept = new Set(change?.slots.thing.split(" "));
  const isLet = (clause: readonly Tag[]) =>
    clause.some((tag) => has(tag, "release")) ||
    (clause.some(({ text: said }) => /^(?:can|may)$/.test(said)) && clause.some((tag) => has(tag, "go")));
  const goes = orders.filter((clause) => isLet(clause) && thingsOf(clause).some((each) => kept.has(each)));
  if (goes.length > 0 && orders.some((clause) => !goes.includes(clause) && clause.some((tag) => has(tag, "keepUp"))))
    return true;
  const ends = those(ending, holding);
  return those(holding, ending).some((one) =>
    ends.some((other) => {
      const [kept, ended] = [thingsOf(one), thingsOf(other)];
      if (kept.length === 0 && ended.length === 0) return card === "exclusion";
      return kept.length === 0 || ended.length === 0 || ended.some((each) => kept.includes(each));
    }),
  );
}
const holdNouns = /^(?:booking|booked|reservation|exception|exclusion|hold|window|slot|it|need)s?$/;
const later = /^(?:then|after|afterwards|later|thereafter|can|may|could|warning|warn|alert)$/;

/** "yes and no" */
export const isYesAndNo = (change: Fit | undefined): boolean =>
  change?.frame.on === "request" &&
  change.frame.must[0]?.includes("deny") === true &&
  change.story.some(
    ({ senses, text: said }) => senses.has("approve") && /^(?:yes|yep|yeah|sure|agreed|lgtm|\+1)$/.test(said),
  );

/** "staging until ten. Make it qa instead": of two machines, one. */
export const isSwapped = (tags: readonly Tag[]): boolean => {
  const [, ...later] = clausesOf(tags)
    .map((clause) => clause.tags)
    .filter((clause) => clause.some(({ kind }) => kind === "thing"));
  const isInstead = ({ text: said, senses }: Tag) =>
    senses.has("instead") || /^(?:instead|stays?|remains?)$/.test(said);
  const named = new Set(tags.flatMap(({ kind, text: said }) => (kind === "thing" ? [said] : [])));
  const isLast = tags.some((tag, at) => tag.text === "instead" && !/^(?:of|than)/.test(tags[at + 1]?.text ?? ""));
  return later.some((clause) => clause.some(isInstead)) || (named.size > 1 && isLast);
};

/** "I don't want to withdraw this": a request that stays. */
export const isKept = (change: Fit | undefined, raw: string): boolean =>
  change?.frame.on === "request" &&
  change.frame.must[0]?.includes("withdraw") === true &&
  /\b(?:don'?t|do not|not|never)\b[^.!?]{0,14}\b(?:want|wanted|wish|withdraw)\b/.test(raw) &&
  !/\b(?:any ?more|any longer|no longer)\b/.test(raw);

const halting =
  /^(?:not|don't|dont|doesn't|didn't|won't|wont|can't|cant|cannot|never|if|when|whenever|once|after|before|soon|later|first|unless|until|till|only|against|rejected|mean|meant|decide|decided|maybe|perhaps|would|should|wait|hold|wrong|mistake|mistaken|error|instead|else|except|disagree)$/;

/** "yes. tomorrow", "approved, as soon as I talked to her", "confirm with erin": beside a yes, only what is so already may be told. */
export const isHalted = (tags: readonly Tag[], cardPerson: string | undefined): boolean =>
  tags.some(
    ({ kind, text, words }, at) =>
      words.some(({ value }) => halting.test(plain(value))) ||
      (kind === "time" && !/^(?:today|now|yesterday|just now|this (?:morning|afternoon)|.* ago)$/i.test(text)) ||
      (kind === "time" && has(tags[at - 1], "approve") && /\b(?:yesterday|last|ago|earlier)\b/i.test(text)) ||
      (has(tags[at], "approve") &&
        /^(?:can|may|about|going)$/.test(tags[tags[at - 1]?.text === "to" ? at - 2 : at - 1]?.said ?? "")) ||
      (kind === "person" && text !== cardPerson && beforeOther.test(tags[at - 1]?.text ?? "")),
  );
const beforeOther = /^(?:with|to|as|by|from|than|via|for)$/;
