import type { Sense } from "./lexicon.ts";
import type { Tag } from "./tag.ts";

export const negation =
  /^(?:don't|dont|don|not|never|no|nor|nothing|neither|doesn't|doesnt|didn't|didnt|shouldn't|shouldnt|won't|wont|can't|cant|cannot|isn't|isnt|mustn't|mustnt|without|none|nobody|needn't|neednt|aren't|arent|ain't)$/;

/** How far apart words of one sense may stand. */
const reach = 6;

/** The tags of a clause, and how their senses are found and joined. */
export type Joining = ReturnType<typeof joining>;
export function joining(tags: readonly Tag[]) {
  const all = [...tags];
  const has = (at: number, ...senses: readonly Sense[]) => senses.some((sense) => all[at]?.senses.has(sense));
  const within = (from: number, ...senses: readonly Sense[]) => {
    for (let at = from + 1; at <= from + reach && at < all.length; at++) if (has(at, ...senses)) return at;
    return -1;
  };
  const become = (sense: Sense, ...places: readonly number[]) => {
    for (const at of places) {
      const tag = all[at];
      if (tag && at >= 0) all[at] = { ...tag, kind: "sense", senses: new Set([sense]) };
    }
  };
  const places = (...senses: readonly Sense[]) => all.flatMap((_, at) => (has(at, ...senses) ? [at] : []));
  return { all, has, within, become, places };
}
