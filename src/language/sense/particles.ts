import type { Sense } from "./lexicon.ts";
import type { Tag } from "./tag.ts";

/** Verbs whose particle stands behind what they are about: "lock dave out", "drag web out", "cut the hold short". */
const separable: readonly (readonly [verb: RegExp, particle: RegExp, about: RegExp, sense: Sense])[] = [
  [/^(?:lock|kick|boot|throw|shut)$/, /^out$/, /^person$/, "disable"],
  [/^let$/, /^in$/, /^person$/, "enable"],
  [/^(?:drag|stretch|draw|push|carry)$/, /^(?:out|on|back)$/, /^(?:thing|pronoun)$/, "extend"],
  [/^(?:cut)$/, /^(?:short|back|down)$/, /^(?:thing|pronoun)$/, "shorten"],
  [/^(?:pull|bring)$/, /^forward$/, /^(?:thing|pronoun)$/, "shorten"],
  [/^call$/, /^off$/, /^(?:thing|pronoun)$/, "end"],
  [/^sign$/, /^off$/, /^pronoun$/, "approve"],
];

/** The sense and the place of the particle of the verb at this place. */
export function particleOf(
  all: readonly Tag[],
  at: number,
): { readonly sense: Sense; readonly place: number } | undefined {
  for (const [verb, particle, about, sense] of separable) {
    if (!verb.test(all[at]?.text ?? "")) continue;
    const behind = all.slice(at + 1, at + 6);
    const place = behind.findIndex(({ text }) => particle.test(text));
    const between = behind.slice(0, Math.max(place, 0));
    const isPlain = between.every(({ kind, senses }) => about.test(kind) || kind === "small" || senses.has("keep"));
    if (between.some(({ kind }) => about.test(kind)) && isPlain) return { sense, place: at + 1 + place };
  }
  return undefined;
}
