import { type Asked, askedIn, isGeneral, withAsked } from "./asked.ts";
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
  /** Somebody said that it is the reason: "because …". */
  readonly isExplicit: boolean;
  readonly explained: number;
  /** It is what some clauses ask for, beside others that are not understood. */
  readonly isNear?: true;
}

/** The frames that fit, the best first: that which leaves least, then that which explains most. */
export function fits(tags: readonly Tag[], asks: Frame["asks"], known: Known): readonly Fit[] {
  const said = new Set(tags.flatMap(({ senses }) => [...senses]));
  const clauses = clausesOf(tags);
  const card = asks === "question" && isGeneral(tags) ? undefined : known.card;
  const found = frames
    .filter(({ asks: each, on }) => each === asks && (on === undefined || on === card))
    .filter(({ must }) => must.every((senses) => senses.some((sense) => said.has(sense))))
    .filter(
      (frame) =>
        !wantsMore(frame, clauses) && !(known.card === "exclusion" && frame.on === undefined && isOfRun(frame)),
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

/** Whether a clause says what a frame is about. */
const saidIn =
  ({ asks, must }: Frame) =>
  (clause: readonly Tag[]): boolean =>
    asks === "question" || must.length === 0 || clause.some((tag) => must.some((senses) => has(tag, ...senses)));

/** Whether a clause that says it speaks against it too, or it is no order. */
function isRuledOut(frame: Frame, clauses: readonly Clause[]): boolean {
  const { must, not, isOrder } = frame;
  const isSaid = saidIn(frame);
  if (not.length > 0 && clauses.some(({ tags }) => isSaid(tags) && tags.some((tag) => has(tag, ...not)))) return true;
  return isOrder === true && !clauses.some(({ tags }) => isOrdering(tags, must[0]));
}

function fitting(frame: Frame, tags: readonly Tag[], clauses: readonly Clause[], known: Known): Fit | undefined {
  const { must, may, needs, takes } = frame;
  const isSaid = saidIn(frame);
  if (isRuledOut(frame, clauses)) return undefined;
  const wanted = new Set<Slot>([...needs, ...takes]);
  const senses = [...must.flat(), ...may];
  const isNamed = wanted.has("name");
  const name = isNamed ? newName(tags, wanted) : undefined;
  if (isNamed && !name && needs.includes("name")) return undefined;
  const inName = new Set(name?.tags);
  const isWhole = tags.every(({ kind }) => kind !== "thing");
  const isUsed = (tag: Tag) => tag.kind === "sense" && (has(tag, ...senses) || (isWhole && has(tag, "everything")));
  const asides = frame.asks === "change" ? asidesIn(clauses, isSaid) : new Set<Tag>();
  // A warning comes each time.
  const isWarning = frame.asks === "change" && must[0]?.includes("warn") === true;
  // "b2 isn't needed, only b1 and b3"
  const isApart = clauses.filter((clause) => clause.tags.some(({ kind }) => kind === "thing")).length > 1;
  const slotFor = (tag: Tag) =>
    isWhole && tag.kind === "project" && wanted.has("thing") && !wanted.has("project") ? "thing" : slotIn(tag, wanted);
  const isExplained = (tag: Tag) =>
    inName.has(tag) ||
    slotFor(tag) !== undefined ||
    isUsed(tag) ||
    !(isContent(tag) || (tag.text === "only" && (isWarning || isApart))) ||
    (tag.kind === "person" && (frame.on !== undefined || (needs.includes("thing") && isOwner(tag))));
  const beside = frame.asks === "change" ? besides(frame, clauses, isExplained) : nothingBeside;
  const own = tags.filter((tag) => !beside.story.includes(tag));
  const taken = own.filter(
    (tag) => !inName.has(tag) && !asides.has(tag) && slotFor(tag) !== undefined && !beside.apart.has(tag),
  );
  const of = (slot: Slot) => {
    const found = taken.filter((tag) => slotFor(tag) === slot);
    return slot === "person" && frame.asks === "change"
      ? peopleMeant(found, wanted.has(slot) ? beside.story : [], clauses, isStatement)
      : found;
  };
  const isOnCard = known.card === "exclusion" && isWhole;
  const joined = (slot: Slot) => [...new Set(of(slot).map(({ text }) => text))].join(slot === "person" ? " and " : " ");
  const person = joined("person") || (frame.asks === "change" && needs.includes("person") ? whoElse(tags, known) : "");
  for (const slot of needs) {
    if (slot === "name" || (slot === "person" && person !== "" && frame.asks === "change")) continue;
    if (slot === "time" && must.length === 0 && of(slot).every(({ text }) => nowadays.test(text))) return undefined;
    // No answer is about two people.
    if (slot === "person" && frame.asks === "question" && new Set(of(slot).map(({ text }) => text)).size > 1)
      return undefined;
    if (of(slot).length === 0 && !(slot === "thing" && isOnCard && frame.asks === "question")) return undefined;
  }
  const left = own.filter((tag) => !isExplained(tag) || (beside.apart.has(tag) && isContent(tag)));
  const fit: Fit = {
    // A request has no machines: who names some means something else.
    ...{
      frame,
      left:
        frame.reasons === "any"
          ? left.filter((tag) => beside.others.has(tag) || (!frame.on && isThing(tag.kind)))
          : left,
      ...beside,
    },
    explained:
      taken.length + 2 * own.filter(isUsed).length + (frame.on ? 3 : 0) + (frame.asks === "change" ? must.length : 0),
    slots: withAsked({ ...slotsOf(tags, of, joined), person, name: name?.text ?? "" }, askedIn(tags, known)),
  };
  return frame.when && !frame.when(fit.slots) ? undefined : fit;
}

/** "erin's" in "erin's exception on qa": the thing says which is meant. */
const isOwner = ({ words, text }: Tag): boolean =>
  /[^s]['’]?s['’]?[,.]?$/i.test(words.at(-1)?.value ?? "") && !/s$/i.test(text);
const isThing = (kind: Tag["kind"]): boolean => /^(?:thing|action|project)$/.test(kind);

/** In the thread of a hold, "leave i-0b2 out" is no run to skip. */
const isOfRun = ({ must }: Frame): boolean => must[0]?.includes("skip") === true;

/** "I need web every friday, just skip the 4th" asks for more than to skip a run. */
const wantsMore = ({ must }: Frame, clauses: readonly Clause[]): boolean =>
  must[0]?.includes("skip") === true &&
  clauses.some(({ tags }) => !tags.some((tag) => has(tag, "skip")) && tags.some(({ text }) => wants.test(text)));
const wants = /^(?:need|needs|want|wants|(?:would|i'd|id|we'd) love|require|keep|hold|could use|could do with)$/;

function slotsOf(
  tags: readonly Tag[],
  of: (slot: Slot) => readonly Tag[],
  joined: (slot: Slot) => string,
): Omit<Slots, "person" | "name" | keyof Asked> {
  return {
    ...{ thing: joined("thing"), time: joined("time"), action: joined("action"), project: joined("project") },
    ...{ plan: joined("plan"), policy: joined("policy"), credential: joined("credential") },
    ...{ selector: joined("selector"), address: newAddress(of("address"), tags), verb: verbOf(tags) },
    doer: of("person").find((tag) => isDoer(tag, tags))?.text ?? "",
    policies: of("policy").length,
    senses: new Set(tags.flatMap((tag) => [...tag.senses])),
  };
}

function verbOf(tags: readonly Tag[]): Slots["verb"] {
  const is = (...senses: readonly Sense[]) => tags.some((tag) => has(tag, ...senses));
  const [stops, starts] = [is("stop", "turnOff", "off"), is("start", "turnOn")];
  if (is("backup")) return "backups";
  if (stops === starts) return "";
  return stops ? "stops" : "starts";
}

function slotIn({ kind }: Tag, wanted: ReadonlySet<Slot>): Slot | undefined {
  const slot = slotOf[kind];
  return slot !== undefined && wanted.has(slot) ? slot : undefined;
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
    .replace(/^[\s([,;:–—-]+|[\s)\],;:.–—-]+$/g, "");
