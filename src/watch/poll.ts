import type { Action } from "../service/resources.ts";
import type { ActionEvent, WatchedAction } from "./watched-action.ts";

/** What one poll found. */
export interface Poll {
  readonly now: number;
  readonly actions: readonly Action[];
  /** By id, as they are now. */
  readonly watched: ReadonlyMap<string, WatchedAction>;
  readonly events: readonly ActionEvent[];
  /** After a pause: when Curfew had looked last. */
  readonly since: number | null;
}
