import type { DirectoryStore, NewEntity, RemovedEntity } from "../../src/changes/ports.ts";
import type { ResourceGroup } from "../../src/commands/command.ts";
import { resourceKeys } from "../../src/commands/exclusion/resource-keys.ts";
import type { EntityKind } from "../../src/commands/field.ts";
import { type Entity, type EntityBody, entityBodies, type PlacedDirectory } from "../../src/directory/directory.ts";
import { createPlacesOf } from "../../src/directory/resource-places.ts";

type Remembered = NewEntity & { readonly endedAt: number | null; readonly projectId: string | null };

/** What Curfew knows, kept in memory by the same rules as the database keeps it; both pass the same tests. */
export function createMemoryDirectory(
  things: readonly NewEntity[] = [],
  now: () => number = () => 0,
  configGroups: Readonly<Record<string, ResourceGroup>> = {},
): DirectoryStore & PlacedDirectory {
  const rows = new Map<string, Remembered>();
  const configured = new Set<string>();
  const remember = (thing: NewEntity | RemovedEntity): void => {
    const key = `${thing.kind} ${thing.id}`;
    const earlier = rows.get(key);
    if (!("body" in thing) || !thing.weak) configured.delete(key);
    if (!("body" in thing)) {
      if (earlier) rows.set(key, { ...earlier, endedAt: thing.at });
    } else if (!earlier) rows.set(key, { ...thing, projectId: textIn(thing.body, "projectId"), endedAt: null });
    else if (!thing.weak) {
      const news = isOutdated(thing, earlier) ? { ...thing, body: earlier.body } : { ...thing, endedAt: null };
      rows.set(key, { ...earlier, ...news, projectId: textIn(thing.body, "projectId") ?? earlier.projectId });
    }
  };
  const live = <K extends EntityKind>(kind: K): readonly Entity<K>[] =>
    [...rows.values()]
      .filter((row) => row.kind === kind && row.endedAt === null)
      .map((row) => thingOf(kind, row))
      .sort((one, other) => compare(one.id, other.id));
  const isUnexpired = ({ body }: Entity) => !(Date.parse(textIn(body, "expiryDate") ?? "") <= now());
  for (const thing of things) remember(thing);
  const exclusionsNaming: DirectoryStore["exclusionsNaming"] = async (resourceIds) => {
    const keys = resourceIds.map((id) => id.toLowerCase());
    return [...rows.values()]
      .filter((row) => row.kind === "exclusion")
      .map((row) => thingOf("exclusion", row))
      .filter(({ body }) => (body.resourceIds ?? []).flatMap(resourceKeys).some((key) => keys.includes(key)));
  };
  return {
    exclusionsNaming,
    placesOf: createPlacesOf({
      configGroups: () => configGroups,
      savedGroups: async () => ({}),
      exclusionsNaming,
    }),
    configure: async (entities) => {
      for (const key of configured) rows.delete(key);
      configured.clear();
      for (const [key, row] of rows) if (row.kind === "credential") rows.set(key, { ...row, projectId: null });
      for (const thing of entities) {
        const key = `${thing.kind} ${thing.id}`;
        const earlier = rows.get(key);
        const projectId = textIn(thing.body, "projectId");
        if (earlier && thing.kind === "credential") rows.set(key, { ...earlier, projectId });
        if (earlier && (earlier.endedAt !== null || thingOf(thing.kind, earlier).name !== null)) continue;
        rows.delete(key);
        remember(thing);
        configured.add(key);
      }
    },
    remember: async (entities) => entities.forEach(remember),
    get: async (kind, id) => {
      const row = rows.get(`${kind} ${id}`);
      return row && thingOf(kind, row);
    },
    match: async (kind, text) => {
      const key = text.trim().toLowerCase();
      const all = live(kind);
      const exact = all.filter(({ id }) => id === text.trim());
      const called = all
        .filter(isUnexpired)
        .filter(({ name, email }) => name?.toLowerCase() === key || email?.toLowerCase() === key);
      return exact.length > 0 ? exact : called;
    },
    search: async (kind, text, limit) => {
      const part = text.trim().toLowerCase();
      return live(kind)
        .filter(isUnexpired)
        .filter((thing) => [thing.id, thing.name, thing.email].some((said) => said?.toLowerCase().includes(part)))
        .sort((one, other) => compare(sortKey(one), sortKey(other)))
        .slice(0, limit);
    },
    liveExclusions: async (at, resourceIds) =>
      live("exclusion")
        .filter(({ body }) => Date.parse(body.expiryDate ?? "") > at)
        .filter(({ body }) => resourceIds === undefined || isAboutAny(body.resourceIds ?? [], resourceIds))
        .sort((one, other) => compare(one.body.expiryDate ?? "", other.body.expiryDate ?? "")),
  };
}

function isAboutAny(ids: readonly string[], others: readonly string[]): boolean {
  const keys = others.map((id) => id.toLowerCase());
  return ids.some((id) => keys.includes(id.toLowerCase()));
}

function thingOf<K extends EntityKind>(kind: K, row: Remembered): Entity<K> {
  const textAt = (key: string): string | null => textIn(row.body, key);
  return {
    kind,
    id: row.id,
    name: textAt("name") ?? textAt("username"),
    email: textAt("emailAddress"),
    projectId: row.projectId,
    ownerId: row.ownerId ?? null,
    endedAt: row.endedAt,
    // The schema is this very kind's; the compiler cannot follow that through the union of all kinds.
    body: entityBodies[kind].parse(row.body) as EntityBody<K>,
  };
}

function isOutdated(thing: NewEntity, earlier: Remembered): boolean {
  const [told, directory] = [thing, earlier].map(({ body }) => Date.parse(textIn(body, "lastModifiedDate") ?? ""));
  return told !== undefined && directory !== undefined && told < directory;
}

function textIn(body: object, key: string): string | null {
  const value = new Map<string, unknown>(Object.entries(body)).get(key);
  return typeof value === "string" ? value : null;
}

const sortKey = ({ name, id }: Entity): string => name?.toLowerCase() ?? id;
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
