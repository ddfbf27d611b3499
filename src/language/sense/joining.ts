import { isSense, type Sense } from "./lexicon.ts";
import { content, has, type Tag } from "./tag.ts";

export const negation =
  /^(?:don't|dont|don|not|never|no|nor|nothing|neither|doesn't|doesnt|didn't|didnt|shouldn't|shouldnt|won't|wont|can't|cant|cannot|isn't|isnt|mustn't|mustnt|without|none|nobody|needn't|neednt|aren't|arent|ain't)$/;

/** How far apart words of one sense may stand. */
const reach = 6;

/** The tags of a clause, and how their senses are found and joined. */
export type Joined = ReturnType<typeof joining>;
export function joining(tags: readonly Tag[]) {
  const all = [...tags];
  const within = (from: number, ...senses: readonly Sense[]) =>
    all.findIndex((tag, at) => at > from && at <= from + reach && has(tag, ...senses));
  /** Without `as`, it says nothing any more. */
  const put = (at: number, as: Partial<Tag> = {}) => {
    const tag = all[at];
    if (tag)
      all[at] = { ...tag, kind: "small", senses: new Set(), ...(Object.keys(as).length > 0 ? as : { text: "" }) };
  };
  const become = (sense: Sense, ...places: readonly number[]) => {
    for (const at of places) if (all[at]) put(at, { kind: "sense", senses: new Set([sense]) });
  };
  const places = (...senses: readonly Sense[]) => all.flatMap((tag, at) => (has(tag, ...senses) ? [at] : []));
  return { all, within, put, become, places };
}

type Test = (tag: Tag) => boolean;

/**
 * One of several, with `|` between them: `#sense`, `@kind`, `NOT` for a negation that is not used up, `NEGATED` for any, or a word, with `_` for
 * a blank.
 */
function testOf(text: string): Test {
  const tests = text.split("|").map((each): Test => {
    const name = each.slice(1);
    if (each.startsWith("#") && isSense(name)) return (tag) => tag.senses.has(name);
    if (each.startsWith("@")) return ({ kind }) => kind === name;
    if (each === "NOT") return ({ text: said, senses }) => senses.size === 0 && negation.test(said);
    if (each === "NEGATED") return ({ text: said }) => negation.test(said);
    const word = each.replaceAll("_", " ");
    return (tag) => tag.text === word || (tag.said === word && (tag.kind === "self" || tag.isCorrected === true));
  });
  return (tag) => tests.some((test) => test(tag));
}

interface Terms {
  /** Anywhere in the clause. */
  readonly with?: string;
  /** Nowhere in it. */
  readonly unless?: string;
  /** What takes the new sense too, wherever it stands. */
  readonly also?: string;
  readonly when?: (found: readonly Tag[], all: readonly Tag[]) => boolean;
}

interface Rule extends Pick<Terms, "when"> {
  readonly steps: readonly { readonly is: Test; readonly how: string }[];
  readonly sense: Sense | "nothing";
  readonly with?: Test;
  readonly unless?: Test;
  readonly also?: Test;
}

/**
 * Rules that give several words of a clause one sense, or none. The words stand in this order, not far apart. In front of a word: `=` it
 * keeps its own sense; `+` it follows at once; `>` nothing but small words is between; `~` nothing but small words, names and "keep"; `^` it
 * is the first that says anything.
 */
export const rulesFrom = (rows: readonly (readonly [string, Sense | "nothing", Terms?])[]): readonly Rule[] =>
  rows.map(([said, sense, { with: beside, unless, also, ...terms } = {}]) => ({
    steps: said.split(" ").map((step) => {
      const [how = ""] = /^[=+>~^]*/.exec(step) ?? [];
      return { how, is: testOf(step.slice(how.length)) };
    }),
    ...{ sense, ...terms, ...(beside && { with: testOf(beside) }) },
    ...{ ...(unless && { unless: testOf(unless) }), ...(also && { also: testOf(also) }) },
  }));

/** Joins what these rules find in a clause. */
export function joinedBy(rules: readonly Rule[], { all, put, become }: Joined): void {
  for (const { steps, sense, also, when, ...rule } of rules)
    for (const from of all.keys()) {
      const places = placesOf(steps, all, from);
      const found = places?.flatMap((at) => all[at] ?? []);
      if (!places || !found || (when && !when(found, all))) continue;
      if ((rule.with && !all.some(rule.with)) || (rule.unless && all.some(rule.unless))) break;
      const own = places.filter((_, index) => !steps[index]?.how.includes("="));
      const more = also ? all.flatMap((tag, at) => (also(tag) ? [at] : [])) : [];
      for (const at of [...own, ...more])
        if (sense === "nothing") put(at);
        else become(sense, at);
    }
}

/** Where the words of a rule stand, from this place on. */
function placesOf(steps: Rule["steps"], all: readonly Tag[], from: number): readonly number[] | undefined {
  const places: number[] = [];
  for (const { is, how } of steps) {
    const last = places.at(-1) ?? from - 1;
    const isFirst = places.length === 0;
    const end = isFirst || how.includes("+") ? last + 2 : from + reach + 1;
    const at = all.findIndex((tag, index) => index > last && index < end && is(tag));
    const between = all.slice(last + 1, Math.max(at, 0));
    const isApart =
      (how.includes(">") && between.some(content)) ||
      (how.includes("~") &&
        between.some((tag) => content(tag) && !/^(?:thing|pronoun)$/.test(tag.kind) && !has(tag, "keep"))) ||
      (how.includes("^") && all.slice(0, from).some((tag) => content(tag) && !/^(?:self|pronoun)$/.test(tag.kind)));
    if (at === -1 || isApart) return undefined;
    places.push(at);
  }
  return places;
}
