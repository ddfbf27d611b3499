import type { OperationName } from "../service/operations.ts";
import type { Actor } from "./actor.ts";
import type { WeekOfHours } from "./budgets/weekly-hours.ts";
import type { HeldTime } from "./held-time.ts";

/** An operation that somebody asks for, with the facts for conditions. An unknown fact is left out. */
export interface PermissionRequest {
  readonly actor: Actor;
  readonly operation: OperationName;
  /** Null outside any channel. */
  readonly channelId: string | null;
  readonly projectId?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly exclusionLengthMs?: number | undefined;
  /** For each machine that it holds; none where only its own length counts. */
  readonly held?: readonly HeldTime[] | undefined;
  readonly isOwn?: boolean | undefined;
  /** Who made the thing through Curfew. */
  readonly ownerId?: string | null | undefined;
  /** The hours that it adds to each week; none where nothing is kept running. */
  readonly hours?: readonly WeekOfHours[] | undefined;
}
