import { z } from "zod";
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
import type { KnownKind } from "./field.ts";
import type { PlacesOf } from "./resource-place.ts";

/** A resource group saved from Slack, as changes of it tell: it is Curfew's own, and no answer of the service is about it. Its type may be one that only a newer version knows. */
export const SavedGroup = z.object({
  group: z.string(),
  type: z.string(),
  project: z.string(),
  ids: z.array(z.string()),
});

/** The shape of the last answer for each kind of thing Curfew remembers (the "directory" of design.md). */
export const knownBodies = {
  action: Action,
  credential: Credential,
  exclusion: ActionExclusion,
  group: SavedGroup,
  plan: Plan,
  policy: ManagedPolicy,
  project: Project,
  selector: Selector,
  user: User,
} as const satisfies Record<KnownKind, z.ZodType>;

export type KnownBody<K extends KnownKind> = z.output<(typeof knownBodies)[K]>;

export interface KnownThing<K extends KnownKind = KnownKind> {
  readonly kind: K;
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly projectId: string | null;
  /** The Slack user who created it through Curfew. */
  readonly ownerId: string | null;
  /** When it came to be no more, in epoch ms. */
  readonly endedAt: number | null;
  readonly body: KnownBody<K>;
}

/** What Curfew knows of the service's things: remembered answers and the config's directory. */
export interface Known {
  get<K extends KnownKind>(kind: K, id: string): Promise<KnownThing<K> | undefined>;
  /** The thing with exactly this id, else every one with exactly this name or e-mail address, without regard to case. */
  match<K extends KnownKind>(kind: K, text: string): Promise<readonly KnownThing<K>[]>;
  /** At most `limit` things whose id, name or e-mail address contains the text, without regard to case; names first. */
  search<K extends KnownKind>(kind: K, text: string, limit: number): Promise<readonly KnownThing<K>[]>;
  /**
   * Exclusions neither ended nor expired at `now`, soonest expiry first; also those that are switched off. `resourceIds`: only those
   * that name one of these, without regard to case.
   */
  liveExclusions(now: number, resourceIds?: readonly string[]): Promise<readonly KnownThing<"exclusion">[]>;
  /**
   * Of the exclusions that name one of these, also of those that have ended or expired, the latest few for each resource. An ARN is
   * found by the name at its end as well.
   */
  exclusionsNaming(resourceIds: readonly string[]): Promise<readonly KnownThing<"exclusion">[]>;
}

/** The same, and where resources belong. */
export interface Directory extends Known {
  readonly placesOf: PlacesOf;
}
