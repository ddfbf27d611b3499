import type { Frame } from "./frame.ts";
import type { Sense } from "./lexicon.ts";
import type { Tag } from "./tag.ts";

const has = (tag: Tag, senses: readonly Sense[]): boolean => senses.some((sense) => tag.senses.has(sense));

/** Whether the clause orders it: the verb comes first, apart from small words, or behind the thing. */
export const isVerb = (tags: readonly Tag[], at: number): boolean => {
  const before = tags.slice(0, Math.max(at, 0));
  return (
    at !== -1 &&
    !/^(?:my|our|his|her|their|a|an|the)$/.test(before.at(-1)?.text ?? "") &&
    before.every(
      ({ kind, senses }) =>
        kind === "small" ||
        kind === "self" ||
        kind === "ticket" ||
        kind === "pronoun" ||
        senses.has("allowed") ||
        senses.has("go") ||
        senses.has("need") ||
        senses.has("turnOff") ||
        senses.has("turnOn"),
    )
  );
};

/** Whether a clause orders what the frame does. */
export const isOrdering = (tags: readonly Tag[], [first = []]: Frame["must"]): boolean =>
  isVerb(
    tags,
    tags.findIndex((tag) => has(tag, first)),
  );

const orders: readonly Sense[] = ["disable", "enable", "offboard", "detach", "turnOff", "unlock", "email"];
/** "and freeze her login" beside "rejected" is another order. */
export function isOtherOrder(tags: readonly Tag[], must: Frame["must"]): boolean {
  const at = tags.findIndex((tag) => has(tag, orders) && !has(tag, must.flat()));
  return at !== -1 && isVerb(tags, at) && !/(?:ed|ost|oken|len)$/.test(tags[at]?.text ?? "");
}
