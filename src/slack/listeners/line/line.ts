import type { CardSubject } from "../../../changes/queries/card-subject.ts";
import type { LineSplit } from "../../../language/split-line.ts";
import type { Deps } from "../deps.ts";
import type { Origin } from "../request-context.ts";

/** The part of `Deps` that a line is handled with. */
export type LineDeps = Pick<
  Deps,
  "contextOf" | "access" | "runCommand" | "replies" | "names" | "client" | "slashCommand" | "log"
>;

export interface Line extends Origin {
  readonly text: string;
  /** Opens forms; undefined for a message, and after a restart. */
  readonly triggerId: string | undefined;
  /** Its idempotency key, and the id of its receipt. */
  readonly key: string;
  /** What was understood of it before. After a restart, that is all that is left of a line. */
  readonly split?: LineSplit | undefined;
  /** The card in whose thread it was written. */
  readonly card?: CardSubject | undefined;
  /** What a person would confirm in a form or by a button is confirmed with the line. */
  readonly isConfirmed?: boolean | undefined;
  /** When it was asked, if that is not now. */
  readonly askedAt?: number | undefined;
}
