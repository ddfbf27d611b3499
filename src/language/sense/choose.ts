import { askedIn, isGeneral, withAsked } from "./asked.ts";
import { asidesIn, besides, isLimit, nothingBeside, nowadays, slotOf } from "./beside.ts";
import { isOrdering, isStatement } from "./clause-kind.ts";
import { type Clause, clausesOf } from "./clauses.ts";
import type { Frame, Slot, Slots } from "./frame.ts";
import { frames } from "./frames.ts";
import type { Sense } from "./lexicon.ts";
import { newName } from "./new-name.ts";
import { isDoer, newAddress, peopleMeant, whoElse } from "./people.ts";
import { has, type Known, type Tag } from "./tag.ts";

/** A frame, filled from a line. */
export interface Fit {
  readonly frame: Frame;
  readonly slots: Slots;
  /** What it leaves unexplained, apart from its reason. */
  readonly left: readonly Tag[];
  readonly story: readonly Tag[];
  readonly why: ReadonlySet<Tag>;
  /** Somebody said that it is the reason: "because …". */
  readonly isExplicit: boolean;
  readonly explained: number;
  /** It is what some clauses ask for, beside others that are not understood. */
  readonly isNear?: true;
}

/** The frames that fit, the best first: that which leaves least, then that which explains most. */
export function fits(tags: readonly Tag[], asks: Frame["asks"], known: Known): readonly Fit[] {
  const said = new Set(tags.flatMap(({ senses }) => [...senses]));
  const kinds = new Set<string>(tags.map(({ kind }) => kind));
  const clauses = clausesOf(tags);
  const card = asks === "question" && isGeneral(tags) ? undefined : known.card;
  const found = frames
    .filter(({ asks: each, on, isAlone }) => each === asks && (on ?? card) === card && !(isAlone && card === "request"))
    .filter(({ must }) => must.every((senses) => senses.some((sense) => said.has(sense))))
    .filter(({ needs }) => needs.every((slot) => kinds.has(slot) || /^(?:name|person|thing)$/.test(slot)))
    .filter(
      (frame) =>
        !wantsMore(frame, clauses) &&
        (!frame.reasons || clauses.some((clause) => hasAll(frame, clause.tags))) &&
        !(known.card === "exclusion" && frame.on === undefined && isOfRun(frame)),
    )
    .flatMap((frame) => fitting(frame, tags, clauses, known) ?? []);
  const own = asks === "question" && card !== undefined && !tags.some(isOfAnother) ? found.filter(isOnCard) : [];
  return (own.length > 0 ? own : found).toSorted(
    (one, other) => weightOf(one) - weightOf(other) || other.explained - one.explained,
  );
}

const isOnCard = ({ frame }: Fit): boolean => frame.on !== undefined;
/** In a thread, what names something else than people is not about its card. */
const isOfAnother = ({ kind }: Tag): boolean =>
  kind in slotOf && kind !== "person" && kind !== "time" && kind !== "address";

/** What it costs to leave these words: a name more than an unknown word. */
export const weightOf = ({ left }: Fit): number =>
  left.reduce(
    (sum, { kind }) => sum + (kind === "unknown" || kind === "small" || kind === "sense" ? 1 : kind === "time" ? 2 : 3),
    0,
  );

function fitting(frame: Frame, tags: readonly Tag[], clauses: readonly Clause[], known: Known): Fit | undefined {
  const { asks, must, may, not, needs, takes, on, isOrder } = frame;
  const isChange = asks === "change";
  /** Whether a clause says what it is about. */
  const isSaid = (clause: readonly Tag[]) =>
    !isChange || must.length === 0 || clause.some((tag) => must.some((senses) => has(tag, ...senses)));
  const isAgainst = ({ tags: clause }: Clause) => isSaid(clause) && clause.some((tag) => has(tag, ...not));
  if (clauses.some(isAgainst) || (isOrder && !clauses.some((clause) => isOrdering(clause.tags, must[0])))) return;
  const wanted = new Set<Slot>([...needs, ...takes]);
  const name = wanted.has("name") ? newName(tags, wanted) : undefined;
  if (!name && needs.includes("name")) return;
  const senses = [...must.flat(), ...may];
  const isWhole = tags.every(({ kind }) => kind !== "thing");
  const isUsed = (tag: Tag) => tag.kind === "sense" && (has(tag, ...senses) || (isWhole && has(tag, "everything")));
  // Where no machine is named, a project stands for its own.
  const hasOwn = isWhole && wanted.has("thing") && !wanted.has("project");
  const slotFor = ({ kind }: Tag) => {
    const slot = kind === "project" && hasOwn ? "thing" : slotOf[kind];
    return slot !== undefined && wanted.has(slot) ? slot : undefined;
  };
  // "b2 isn't needed, only b1 and b3" names others.
  const limitsOnly = clauses.filter((clause) => clause.tags.some(({ kind }) => kind === "thing")).length > 1;
  const isExplained = (tag: Tag): boolean =>
    name?.tags.includes(tag) === true ||
    slotFor(tag) !== undefined ||
    isUsed(tag) ||
    !(isContent(tag) || (tag.text === "only" && limitsOnly)) ||
    (tag.kind === "person" && (on !== undefined || (needs.includes("thing") && isOwner(tag, frame, tags))));
  const beside = isChange ? besides(frame, clauses, isExplained) : nothingBeside;
  const asides = isChange ? asidesIn(clauses, isSaid) : new Set<Tag>();
  const own = tags.filter((tag) => !beside.story.includes(tag));
  const taken = own.filter(
    (tag) => slotFor(tag) !== undefined && !name?.tags.includes(tag) && !asides.has(tag) && !beside.apart.has(tag),
  );
  const found: Found = {};
  for (const tag of taken) found[slotFor(tag) ?? "name"] = [...(found[slotFor(tag) ?? "name"] ?? []), tag];
  if (isChange && wanted.has("person")) found.person = peopleMeant(found.person ?? [], beside.story, clauses);
  const someone = isChange && needs.includes("person") ? whoElse(tags, known) : "";
  const isOfCard = known.card === "exclusion" && isWhole && !isChange;
  const isFound = (slot: Slot) =>
    (found[slot]?.length ?? 0) > 0 ||
    slot === "name" ||
    (slot === "person" && someone !== "") ||
    (slot === "thing" && isOfCard);
  if (!needs.every(isFound)) return;
  // "staging now" asks for nothing, and no answer is about two people.
  if (needs.includes("time") && must.length === 0 && found.time?.every(({ text }) => nowadays.test(text))) return;
  const slots = filled(found, { name: name?.text ?? "", someone }, tags, known);
  if (!isChange && needs.includes("person") && slots.person.includes(" and ")) return;
  if (frame.when && !frame.when(slots)) return;
  const isElse = (tag: Tag) => beside.apart.has(tag) || (!frame.reasons && beside.others.has(tag));
  const left = own.filter((tag) => !isExplained(tag) || (isElse(tag) && isContent(tag)));
  if (frame.isAlone && (left.length > 0 || (beside.story.length > 0 && !beside.isExplicit))) return;
  const isTold = clauses.every(({ tags: each }) => !isSaid(each) || isStatement(each));
  // A request has no machines: who names some means something else.
  const isOther = (tag: Tag) => beside.others.has(tag) || (!on && /^(?:thing|action|project)$/.test(tag.kind));
  return {
    ...{ frame, slots, ...beside },
    left: frame.reasons === "any" ? left.filter(isOther) : left,
    explained: taken.length + 2 * [...own, ...beside.why].filter(isUsed).length + bonusOf(frame, isTold),
  };
}

/** "remove the mfa of dave, he submitted the complaint" withdraws no request. */
const hasAll = ({ must }: Frame, clause: readonly Tag[]): boolean =>
  must.every((senses) => clause.some((tag) => has(tag, ...senses)));

/** `isTold`: it stands only in a sentence that tells something. In "dave left the company, lock him out" the second part is an order. */
const bonusOf = ({ asks, on, must, needs }: Frame, isTold: boolean): number =>
  (on ? 3 : 0) + (asks === "change" ? must.length - (isTold && needs.includes("person") ? 9 : 0) : 0);

/** "erin's" in "erin's exception on qa", "the thursdays of erin": the thing says which is meant. */
const isOwner = (tag: Tag, { must }: Frame, tags: readonly Tag[]): boolean =>
  (/[^s]['’]?s['’]?[,.]?$/i.test(tag.words.at(-1)?.value ?? "") && !/s$/i.test(tag.text)) ||
  (must[0]?.includes("times") === true && tags[tags.indexOf(tag) - 1]?.text === "of");
/** In the thread of a hold, "leave i-0b2 out" is no run to skip. */
const isOfRun = ({ must }: Frame): boolean => must[0]?.[0] === "skip";

/** "I need web every friday, just skip the 4th" asks for more than to skip a run. */
const wantsMore = (frame: Frame, clauses: readonly Clause[]): boolean =>
  isOfRun(frame) &&
  clauses.some(({ tags }) => !tags.some((tag) => has(tag, "skip")) && tags.some(({ text }) => wants.test(text)));
const wants = /^(?:need|needs|want|wants|(?:would|i'd|id|we'd) love|require|keep|hold|could use|could do with)$/;

type Found = Partial<Record<Slot, readonly Tag[]>>;

/** What was found, as the grammar takes it. `someone`: who is meant where nobody is named. */
function filled(
  found: Found,
  { name, someone }: { readonly name: string; readonly someone: string },
  tags: readonly Tag[],
  known: Known,
): Slots {
  const joined = (slot: Slot, by = " ") => [...new Set(found[slot]?.map(({ text }) => text))].join(by);
  return withAsked(
    {
      ...{ thing: joined("thing"), time: joined("time"), action: joined("action") },
      project: found.project?.[0]?.text ?? "",
      ...{ plan: joined("plan"), policy: joined("policy"), credential: joined("credential") },
      ...{ selector: joined("selector"), person: joined("person", " and ") || someone, name },
      address: newAddress(found.address ?? [], tags),
      doer: found.person?.find((tag) => isDoer(tag, tags))?.text ?? "",
      policies: found.policy?.length ?? 0,
    },
    askedIn(tags, known),
  );
}

function isContent(tag: Tag): boolean {
  if (tag.kind === "self" || tag.kind === "pronoun" || tag.kind === "ticket") return false;
  if (tag.kind === "time") return !nowadays.test(tag.text);
  if (tag.kind === "small") return isLimit(tag) && tag.text !== "only";
  return tag.kind !== "sense" || !has(tag, ...weak);
}

/** Senses that say nothing by themselves. */
const weak: readonly Sense[] = [
  "go",
  "fromNow",
  "status",
  "mine",
  "need",
  "allowed",
  "machine",
  "work",
  "polite",
  "owned",
  "okay",
  "slot",
  "also",
  "same",
];

/** The words of tags as they were typed. */
export const typedOf = (tags: readonly Tag[]): string =>
  tags
    .flatMap(({ words }) => words.map(({ value, isQuoted }) => (isQuoted ? `"${value}"` : value)))
    .join(" ")
    .replace(/^(?:because|bc|cause|cuz|cos|coz|since|reason:?|due to|as|so|for|and|while)\s+/i, "")
    .replace(/^[\s([,;:–—-]+|[\s)\],;:.–—-]+$/g, "")
    .replace(/\([^)]*$/, "$&)");
