import type { WebClient } from "@slack/web-api";
import type { CardSubject } from "../../../changes/queries/card-subject.ts";
import type { Names } from "../../../language/sense/names.ts";
import type { LineSplit } from "../../../language/split-line.ts";
import type { Logger } from "../../../observability/log.ts";
import type { Actor } from "../../../permissions/actor.ts";
import type { Access } from "../access.ts";
import type { Replies } from "../replies.ts";
import type { ContextOf, Origin } from "../request-context.ts";
import type { RunCommand } from "../run-command.ts";

/** The ports of `handleLine`. */
export interface LinePorts {
  readonly contextOf: ContextOf;
  readonly access: Access;
  readonly runCommand: RunCommand;
  readonly replies: Replies;
  readonly client: WebClient;
  readonly slashCommand: string;
  readonly log: Logger;
  /** What is known by name to this person. */
  readonly names: (actor: Actor) => Promise<Names>;
}

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
