import type { Fit } from "./choose.ts";
import type { Sense } from "./lexicon.ts";
import { isVerb } from "./orders.ts";
import { isStatement } from "./statement.ts";
import type { Known, Tag } from "./tag.ts";

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
    .map((clause) => clause.filter(({ text: said }) => !/^(?:and|also|but|so)$/.test(said)));
  const is = (tag: Tag, senses: readonly Sense[]) => senses.some((sense) => tag.senses.has(sense));
  const those = (senses: readonly Sense[], but: readonly Sense[]) =>
    orders.filter(
      (clause) =>
        isVerb(
          clause,
          clause.findIndex((tag) => is(tag, senses)),
        ) &&
        !clause.some((tag) => is(tag, but) && !holdNouns.test(tag.text)) &&
        !clause.some(({ text: said }) => later.test(said)),
    );
  const thingsOf = (clause: readonly Tag[]) =>
    clause.filter(({ kind }) => kind === "thing").map(({ text: said }) => said);
  // "keep staging up, i-0a1 can go": what goes is not kept too.
  const kept = new Set(change?.slots.thing.split(" "));
  const isLet = (clause: readonly Tag[]) =>
    clause.some((tag) => is(tag, ["release"])) ||
    (clause.some(({ text: said }) => /^(?:can|may)$/.test(said)) && clause.some((tag) => is(tag, ["go"])));
  const goes = orders.filter((clause) => isLet(clause) && thingsOf(clause).some((each) => kept.has(each)));
  if (goes.length > 0 && orders.some((clause) => !goes.includes(clause) && clause.some((tag) => is(tag, ["keepUp"]))))
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
