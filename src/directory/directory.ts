import { z } from "zod";
import type { PlacesOf } from "../commands/exclusion/resource-place.ts";
import type { EntityKind } from "../commands/field.ts";
import {
  Action,
  ActionExclusion,
  Credential,
  ManagedPolicy,
  Plan,
  Project,
  Selector,
  User,
} from "../service/resources.ts";

/** A resource group saved from Slack, as changes of it tell: it is Curfew's own, and no answer of the service is about it. Its type may be one that only a newer version knows. */
export const SavedGroup = z.object({
  group: z.string(),
  type: z.string(),
  project: z.string(),
  ids: z.array(z.string()),
});

/** The shape of the last answer for each kind of thing Curfew remembers (the "directory" of design.md). */
export const entityBodies = {
  action: Action,
  credential: Credential,
  exclusion: ActionExclusion,
  group: SavedGroup,
  plan: Plan,
  policy: ManagedPolicy,
  project: Project,
  selector: Selector,
  user: User,
} as const satisfies Record<EntityKind, z.ZodType>;

export type EntityBody<K extends EntityKind> = z.output<(typeof entityBodies)[K]>;

export interface Entity<K extends EntityKind = EntityKind> {
  readonly kind: K;
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly projectId: string | null;
  /** The Slack user who created it through Curfew. */
  readonly ownerId: string | null;
  /** When it came to be no more, in epoch ms. */
  readonly endedAt: number | null;
  readonly body: EntityBody<K>;
}

/** What Curfew knows of the service's things: remembered answers and the config's directory. */
export interface Directory {
  get<K extends EntityKind>(kind: K, id: string): Promise<Entity<K> | undefined>;
  /** The thing with exactly this id, else every one with exactly this name or e-mail address, without regard to case. */
  match<K extends EntityKind>(kind: K, text: string): Promise<readonly Entity<K>[]>;
  /** At most `limit` things whose id, name or e-mail address contains the text, without regard to case; names first. */
  search<K extends EntityKind>(kind: K, text: string, limit: number): Promise<readonly Entity<K>[]>;
  /**
   * Exclusions neither ended nor expired at `now`, soonest expiry first; also those that are switched off. `resourceIds`: only those
   * that name one of these, without regard to case.
   */
  liveExclusions(now: number, resourceIds?: readonly string[]): Promise<readonly Entity<"exclusion">[]>;
  /**
   * Of the exclusions that name one of these, also of those that have ended or expired, the latest few for each resource. An ARN is
   * found by the name at its end as well.
   */
  exclusionsNaming(resourceIds: readonly string[]): Promise<readonly Entity<"exclusion">[]>;
}

/** The same, and where resources belong. */
export interface PlacedDirectory extends Directory {
  readonly placesOf: PlacesOf;
}
