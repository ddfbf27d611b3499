import { createPlacesOf } from "../../src/directory/action-directory.ts";
import {
  type DirectoryStore,
  type Entity,
  type EntityBody,
  type EntityKind,
  entityKind,
  type NewEntity,
  type PlacedDirectory,
  type RemovedEntity,
  type ResourceGroup,
} from "../../src/directory/directory.ts";
import { resourceKeys } from "../../src/directory/resources.ts";

type Remembered = NewEntity & { readonly endedAt: number | null; readonly projectId: string | null };

/** The directory in memory, by the same rules as in the database; both pass the same tests. */
export function createMemoryDirectory(
  entities: readonly NewEntity[] = [],
  now: () => number = () => 0,
  configGroups: Readonly<Record<string, ResourceGroup>> = {},
): DirectoryStore & PlacedDirectory {
  const rows = new Map<string, Remembered>();
  const configured = new Set<string>();
  const remember = (entity: NewEntity | RemovedEntity): void => {
    const key = `${entity.kind} ${entity.id}`;
    const earlier = rows.get(key);
    if (!("body" in entity) || !entity.weak) configured.delete(key);
    if (!("body" in entity)) {
      if (earlier) rows.set(key, { ...earlier, endedAt: entity.at });
    } else if (!earlier) rows.set(key, { ...entity, projectId: textIn(entity.body, "projectId"), endedAt: null });
    else if (!entity.weak) {
      const news = isOutdated(entity, earlier) ? { ...entity, body: earlier.body } : { ...entity, endedAt: null };
      rows.set(key, { ...earlier, ...news, projectId: textIn(entity.body, "projectId") ?? earlier.projectId });
    }
  };
  const live = <K extends EntityKind>(kind: K): readonly Entity<K>[] =>
    [...rows.values()]
      .filter((row) => row.kind === kind && row.endedAt === null)
      .map((row) => entityOf(kind, row))
      .sort((one, other) => compare(one.id, other.id));
  const isUnexpired = ({ body }: Entity) => !(Date.parse(textIn(body, "expiryDate") ?? "") <= now());
  for (const entity of entities) remember(entity);
  const exclusionsNaming: DirectoryStore["exclusionsNaming"] = async (resourceIds) => {
    const keys = resourceIds.map((id) => id.toLowerCase());
    return [...rows.values()]
      .filter((row) => row.kind === "exclusion")
      .map((row) => entityOf("exclusion", row))
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
      for (const entity of entities) {
        const key = `${entity.kind} ${entity.id}`;
        const earlier = rows.get(key);
        const projectId = textIn(entity.body, "projectId");
        if (earlier && entity.kind === "credential") rows.set(key, { ...earlier, projectId });
        if (earlier && (earlier.endedAt !== null || entityOf(entity.kind, earlier).name !== null)) continue;
        rows.delete(key);
        remember(entity);
        configured.add(key);
      }
    },
    remember: async (entities) => entities.forEach(remember),
    get: async (kind, id) => {
      const key = id.toLowerCase();
      const row =
        rows.get(`${kind} ${id}`) ??
        [...rows.values()].find((row) => row.kind === kind && row.id.toLowerCase() === key);
      return row && entityOf(kind, row);
    },
    match: async (kind, text) => {
      const key = text.trim().toLowerCase();
      const all = live(kind);
      const exact = all.filter(({ id }) => id.toLowerCase() === key);
      const called = all
        .filter(isUnexpired)
        .filter(({ name, email }) => name?.toLowerCase() === key || email?.toLowerCase() === key);
      return exact.length > 0 ? exact : called;
    },
    named: async (text) => {
      const key = text.trim().toLowerCase();
      return [...rows.values()]
        .map((row): Entity => entityOf(row.kind, row))
        .filter(
          ({ id, name, email }) =>
            id.toLowerCase() === key || name?.toLowerCase() === key || email?.toLowerCase() === key,
        );
    },
    search: async (kind, text, limit) => {
      const part = text.trim().toLowerCase();
      return live(kind)
        .filter(isUnexpired)
        .filter((entity) => [entity.id, entity.name, entity.email].some((each) => each?.toLowerCase().includes(part)))
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

function entityOf<K extends EntityKind>(kind: K, row: Remembered): Entity<K> {
  const textAt = (key: string): string | null => textIn(row.body, key);
  return {
    kind,
    id: row.id,
    name: textAt("name") ?? textAt("username"),
    email: textAt("emailAddress"),
    projectId: row.projectId,
    ownerId: row.ownerId ?? null,
    endedAt: row.endedAt,
    // The schema is the one of this kind; the compiler cannot follow that through the union of all kinds.
    body: entityKind(kind).schema.parse(row.body) as EntityBody<K>,
  };
}

function isOutdated(entity: NewEntity, earlier: Remembered): boolean {
  const [received, stored] = [entity, earlier].map(({ body }) => Date.parse(textIn(body, "lastModifiedDate") ?? ""));
  return received !== undefined && stored !== undefined && received < stored;
}

function textIn(body: object, key: string): string | null {
  const value = new Map<string, unknown>(Object.entries(body)).get(key);
  return typeof value === "string" ? value : null;
}

const sortKey = ({ name, id }: Entity): string => name?.toLowerCase() ?? id;
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
