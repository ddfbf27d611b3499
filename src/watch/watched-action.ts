import { z } from "zod";
import type { ChangedElsewhere } from "../commands/changed-elsewhere.ts";
import { type Action, Schedule } from "../service/resources.ts";

const text = z.string().nullable();

/** What Curfew keeps of an action, to see what changes. */
export const actionFacts = z.object({
  name: text,
  projectId: text,
  actionType: text,
  isEnabled: z.boolean().nullable(),
  schedule: Schedule.nullable(),
  tags: z.array(z.string()).readonly(),
  comments: text,
  lastModifiedBy: text,
  lastModifiedDate: text,
});
export type ActionFacts = z.output<typeof actionFacts>;

/** An action as it was at the last poll. Times are epoch ms. */
export interface WatchedAction {
  readonly id: string;
  readonly facts: ActionFacts;
  /** When it runs next; null if the service does not say. */
  readonly nextAt: number | null;
  /** When it was due last; null if that was not seen. */
  readonly lastAt: number | null;
  /** The first poll that did not list it; null while it is listed. */
  readonly missingSince: number | null;
  /** What somebody last did to it in the service; undefined if nothing was seen. */
  readonly change?: ChangedElsewhere | undefined;
}

/** What happened to an action between two polls. */
export type ActionEvent =
  | { readonly kind: "created"; readonly after: WatchedAction }
  | { readonly kind: "changed"; readonly before: WatchedAction; readonly after: WatchedAction }
  /** It was not listed by two polls. */
  | { readonly kind: "deleted"; readonly before: WatchedAction };

export function factsOf(action: Action): ActionFacts {
  const { name, projectId, actionType, isEnabled, schedule, tags, comments, lastModifiedBy, lastModifiedDate } = action;
  return {
    name: name ?? null,
    projectId: projectId ?? null,
    actionType: actionType ?? null,
    isEnabled: isEnabled ?? null,
    schedule: schedule ?? null,
    tags: tags ?? [],
    comments: comments ?? null,
    lastModifiedBy: lastModifiedBy ?? null,
    lastModifiedDate: lastModifiedDate ?? null,
  };
}

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
