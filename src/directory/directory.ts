import { z } from "zod";
import { type ResourceGroup as ConfigGroup, directoryItems, type Machine } from "../config/settings.ts";
import { type ResourceKind, resourceKindNames, resourceKinds } from "../service/resources.ts";
import type { PlacesOf } from "./resources.ts";

/** A resource group saved from Slack, as its changes record it. It is Curfew's own. Only a newer version may know its type. */
export const SavedGroup = z.object({
  group: z.string(),
  type: z.string(),
  project: z.string(),
  ids: z.array(z.string()).readonly(),
  actions: z.array(z.string()).readonly().optional(),
});

/** The kinds of entity that Curfew knows: the service's resources, its own resource groups, and imported machines. */
export type EntityKind = ResourceKind | "group" | "machine";

const kinds = {
  ...resourceKinds,
  group: { schema: SavedGroup, idField: "group" },
  machine: { schema: z.object({ ...directoryItems.machines.shape, projectId: z.string() }), idField: "id" },
} as const;
export const entityKinds: readonly EntityKind[] = [...resourceKindNames, "group", "machine"];

/** The schema of an entity's body, and the field that holds its id. */
export function entityKind<K extends EntityKind>(kind: K): (typeof kinds)[K] {
  return kinds[kind];
}

export type EntityBody<K extends EntityKind> = z.output<(typeof kinds)[K]["schema"]>;

export interface Entity<K extends EntityKind = EntityKind> {
  readonly kind: K;
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly projectId: string | null;
  /** The Slack user who created it through Curfew. */
  readonly ownerId: string | null;
  /** When it was deleted or ended, in epoch ms. */
  readonly endedAt: number | null;
  readonly body: EntityBody<K>;
}

export function isOfKind<K extends EntityKind>(entity: Entity, kind: K): entity is Entity<K> {
  return entity.kind === kind;
}

/** The entities that Curfew knows, from remembered answers and the config. */
export interface Directory {
  /** Ids are compared as the service does: without regard to case. */
  get<K extends EntityKind>(kind: K, id: string): Promise<Entity<K> | undefined>;
  /** The entity with this id, else all with exactly this name or e-mail address, ignoring case. */
  match<K extends EntityKind>(kind: K, text: string): Promise<readonly Entity<K>[]>;
  /** At most `limit` entities whose id, name or e-mail address contains the text, ignoring case; names first. */
  search<K extends EntityKind>(kind: K, text: string, limit: number): Promise<readonly Entity<K>[]>;
  /**
   * The entities of every kind with exactly this id, name or e-mail address, the latter two ignoring case; ended and expired ones
   * too. The latest of too many.
   */
  named(text: string): Promise<readonly Entity[]>;
  /**
   * Exclusions neither ended nor expired at `now`, soonest expiry first, including those that are switched off. `resourceIds`: only
   * those that name one of these, ignoring case.
   */
  liveExclusions(now: number, resourceIds?: readonly string[]): Promise<readonly Entity<"exclusion">[]>;
  /**
   * The latest few exclusions for each of these resources, including ended and expired ones. An ARN is also found by the name at
   * its end.
   */
  exclusionsNaming(resourceIds: readonly string[]): Promise<readonly Entity<"exclusion">[]>;
  /** Exclusions of any resources that were neither ended nor expired at this moment, or are later ones. */
  exclusionsSince(at: number): Promise<readonly Entity<"exclusion">[]>;
}

/** The directory, with the places of resources. */
export interface PlacedDirectory extends Directory {
  readonly placesOf: PlacesOf;
  /** The imported machines, whoever may see them. */
  readonly machines: () => readonly Machine[];
}

/** An entity to remember. `weak`: only if it is not known yet. */
export interface NewEntity<K extends EntityKind = EntityKind> {
  readonly kind: K;
  readonly id: string;
  readonly body: EntityBody<K>;
  readonly ownerId?: string;
  readonly weak?: true;
}

/** An entity that was deleted. */
export interface RemovedEntity {
  readonly kind: EntityKind;
  readonly id: string;
  readonly at: number;
}

export interface DirectoryStore extends Directory {
  /** Replaces the entities of the config file. */
  configure(entities: Iterable<NewEntity>): Promise<void>;
  remember(entities: readonly (NewEntity | RemovedEntity)[]): Promise<void>;
}

/** For one request, whose preview and whose check ask for the same exclusions: they are looked up once. */
export function oneLookEach<D extends Directory>(directory: D): D {
  const looks = new Map<string, ReturnType<Directory["liveExclusions"]>>();
  return {
    ...directory,
    liveExclusions: (now, resourceIds) => {
      const key = JSON.stringify([now, resourceIds]);
      const look = looks.get(key) ?? directory.liveExclusions(now, resourceIds);
      looks.set(key, look);
      return look;
    },
  };
}

/** A name for resources of one type in one project: from the config file, or saved from Slack. */
export interface ResourceGroup extends ConfigGroup {
  /** From Slack. Operators answer only for those of the config file. */
  readonly isSaved?: true;
}

/** A saved group as this version can read it: the type may be unknown to it, and ids that it cannot read are left out. */
export interface KeptGroup extends Omit<ResourceGroup, "type"> {
  readonly type: string;
}
