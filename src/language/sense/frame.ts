import { isSense, type Sense } from "./lexicon.ts";

/** What was found in a line beside its senses, as the grammar takes it. */
export interface Slots {
  readonly thing: string;
  readonly person: string;
  readonly time: string;
  readonly action: string;
  readonly project: string;
  readonly plan: string;
  readonly policy: string;
  readonly credential: string;
  readonly selector: string;
  readonly address: string;
  /** What follows "to" or "called". */
  readonly name: string;
  /** Which runs are meant. */
  readonly verb: string;
  /** A day off by its name: "founders' day". */
  readonly dayOff: string;
  /** Who did what is asked about: carol in "what carol did to frank". */
  readonly doer: string;
  /** How many policies are named. */
  readonly policies: number;
  /** All senses of the line. */
  readonly senses: ReadonlySet<Sense>;
  readonly isNegated: boolean;
  /** It asks about what was. */
  /** Who did it is asked. */
  readonly isByWhom: boolean;
  readonly isOver: boolean;
  /** It asks about what is or would be. */
  readonly isNow: boolean;
  /** It asks about what comes. */
  readonly isComing: boolean;
  /** It asks about what the person who asks did or has. */
  readonly isOwn: boolean;
  /** The time that was said, as a question about runs takes it; empty if it takes none of what was said. */
  readonly span: string;
  /** The time that was said, as a question about what was takes it. */
  readonly past: string;
}

export type Slot = Exclude<
  keyof Slots,
  "senses" | "dayOff" | "isNegated" | "isOver" | "isNow" | "isComing" | "isOwn" | "span" | "past" | "doer" | "policies"
>;

/** What somebody may ask for, by its senses, and how the grammar says it. */
export interface Frame {
  readonly asks: "change" | "question";
  /** At least one sense of each. */
  readonly must: readonly (readonly Sense[])[];
  /** Senses that it explains too. */
  readonly may: readonly Sense[];
  /** Senses that speak against it. */
  readonly not: readonly Sense[];
  readonly needs: readonly Slot[];
  readonly takes: readonly Slot[];
  /** Only in the thread of such a card. */
  readonly on?: "exclusion" | "request" | undefined;
  /** All other clauses are its reason. `any`: even those with a condition. */
  readonly reasons?: "plain" | "any" | undefined;
  /** Only as a verb that orders it. */
  readonly isOrder?: boolean | undefined;
  /** It only shows what may be meant, and each of it has its own button. */
  readonly isShown?: boolean | undefined;
  /** It is offered, and never done at once. */
  readonly isGuess?: boolean | undefined;
  /** Where all else is explained, and not in the thread of a request. */
  readonly isAlone?: boolean | undefined;
  /** Its form is shown before it is done. */
  readonly isConfirmed?: boolean | undefined;
  /** It takes no reason. */
  readonly hasNoReason?: boolean | undefined;
  /** Why it can't be done as it was said. */
  readonly refuses?: ((slots: Slots) => string | undefined) | undefined;
  /** Only where this holds for what was found. */
  readonly when?: ((slots: Slots) => boolean) | undefined;
  readonly say: (slots: Slots) => string;
}

type Rules = Omit<Frame, "asks" | "must" | "may" | "not" | "needs" | "takes" | "say">;

const slots = [
  "thing",
  "person",
  "time",
  "action",
  "project",
  "plan",
  "policy",
  "credential",
  "selector",
  "address",
  "name",
  "verb",
] as const;

const sensesIn = (text: string): readonly Sense[] => text.split(/[ |]/).filter(isSense);

/**
 * `must`: senses with `|` between those of which one is enough: "keep|hold series". `say`: the line, with a slot in `{}`, or made from
 * all slots. `terms`: the slots that it needs or, with `?`, may take, then what else it explains, then what speaks against it:
 * "thing time? | need run | warn".
 */
function frame(asks: Frame["asks"], must: string, say: string | Frame["say"], terms = "", rules: Rules = {}): Frame {
  const [wanted = "", may = "", not = ""] = terms.split(" | ");
  const slotsIn = (mark: string) => slots.filter((slot) => wanted.split(" ").includes(`${slot}${mark}`));
  return {
    ...rules,
    ...{ asks, may: sensesIn(may), not: sensesIn(not), needs: slotsIn(""), takes: slotsIn("?") },
    must: must.split(" ").filter(Boolean).map(sensesIn),
    say:
      typeof say === "function"
        ? say
        : (found) => slots.reduce((line, slot) => line.replace(`{${slot}}`, found[slot]), say),
  };
}

type Row = (must: string, say: string | Frame["say"], terms?: string, rules?: Rules) => Frame;
export const change: Row = (...row) => frame("change", ...row);
export const question: Row = (...row) => frame("question", ...row);

export const quoted = (name: string): string => (name.includes(" ") ? `"${name}"` : name);
export const asked = "all everything what who when list status howLong why howMuch";
export const running = "run stop start turnOff turnOn next off up backup go";
export const oneOf = (senses: string): string => senses.replaceAll(" ", "|");
