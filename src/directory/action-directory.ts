import { browseOperation } from "../service/operations.ts";
import { type Action, resourceKeys } from "../service/resources.ts";
import { groupBy, indexBy } from "../time/group-by.ts";
import { oncePer } from "../time/once-per.ts";
import { type Directory, type Entity, isOfKind, type PlacedDirectory } from "./directory.ts";
import { type Groups, groupsWithAny } from "./group-index.ts";
import type { ReadService } from "./read-service.ts";
import type { Machine } from "./resources.ts";
import { type PlacesOf, type ResourcePlace, typesByForm } from "./resources.ts";
import { createTextSearch, type TextSearch } from "./text-search.ts";

/** The whole directory: remembered answers, the actions that the service lists, and the places of resources. */
export function createDirectory(
  known: Directory,
  read: ReadService,
  placesOf: PlacesOf,
  machines: PlacedDirectory["machines"] = () => [],
): PlacedDirectory {
  const listed = async (): Promise<Listed> => {
    const result = await read(browseOperation, {});
    return lookUpIn((result.kind === "succeeded" && result.answer) || none);
  };
  return {
    placesOf,
    machines,
    exclusionsNaming: (resourceIds) => known.exclusionsNaming(resourceIds),
    exclusionsSince: (at) => known.exclusionsSince(at),
    liveExclusions: (now, resourceIds) => known.liveExclusions(now, resourceIds),
    get: async (kind, id) => {
      const entity = kind === "action" ? (await listed()).byId.get(id.toLowerCase()) : undefined;
      return entity && isOfKind(entity, kind) ? entity : known.get(kind, id);
    },
    match: async (kind, text) => {
      const found = kind === "action" ? namedIn(await listed(), text) : [];
      return found.length > 0 ? found.filter((entity) => isOfKind(entity, kind)) : known.match(kind, text);
    },
    named: async (text) => {
      const actions = namedIn(await listed(), text);
      const ids = new Set(actions.map(({ id }) => id));
      const others = await known.named(text);
      return [...actions, ...others.filter(({ kind, id }) => kind !== "action" || !ids.has(id))];
    },
    search: async (kind, text, limit) => {
      if (kind !== "action") return known.search(kind, text, limit);
      const { search } = await listed();
      return search(text.trim().toLowerCase(), limit).filter((entity) => isOfKind(entity, kind));
    },
  };
}

interface Listed {
  readonly search: TextSearch<Entity>;
  /** By ids in lower case, as the service compares them. */
  readonly byId: ReadonlyMap<string, Entity>;
  readonly byName: ReadonlyMap<string, readonly Entity[]>;
}

function namedIn({ byId, byName }: Listed, text: string): readonly Entity[] {
  const key = text.trim().toLowerCase();
  const exact = byId.get(key);
  return exact ? [exact] : (byName.get(key) ?? []);
}

const none: readonly Action[] = [];

/** A list is searched many times before it is fetched again, and may hold thousands of actions. */
const lookUpIn = oncePer((actions: readonly Action[]): Listed => {
  const entities = actions.map(actionEntity);
  const byName = groupBy(entities, ({ name }) => name?.toLowerCase());
  // The first of those with the same id wins.
  const byId = new Map(entities.toReversed().map((entity) => [entity.id.toLowerCase(), entity]));
  const search = createTextSearch(
    entities,
    entities.map(({ name, id }) => `${name ?? ""}\n${id}`.toLowerCase()),
  );
  return { search, byId, byName };
});

function actionEntity(body: Action): Entity {
  const { actionId, name = null, projectId = null } = body;
  return { kind: "action", id: actionId, name, email: null, projectId, ownerId: null, endedAt: null, body };
}

interface PlaceSources {
  readonly configGroups: () => Groups;
  readonly savedGroups: () => Promise<Groups>;
  readonly exclusionsNaming: Directory["exclusionsNaming"];
  readonly machines: PlacedDirectory["machines"];
}

/**
 * The places of resources: by their form and by what operators answer for, an import before the config file. Only where both are silent,
 * also by saved groups and exclusions.
 */
export function createPlacesOf({ configGroups, savedGroups, exclusionsNaming, machines }: PlaceSources): PlacesOf {
  return async (ids, exceptExclusion) => {
    if (ids.length === 0) return [];
    const config = indexOfConfig(configGroups(), machines);
    const unplaced = ids.filter((id) => matches(config, id).length === 0);
    const claims =
      unplaced.length === 0
        ? []
        : await Promise.all([savedGroups(), exclusionsNaming(unplaced.flatMap((id) => resourceKeys(id)))]).then(
            ([groups, exclusions]) => [
              ...groupClaims("group", Object.fromEntries(groupsWithAny(unplaced, groups))),
              ...exclusions.filter(({ id }) => id !== exceptExclusion).flatMap(exclusionClaims),
            ],
          );
    const people = indexOf(claims);
    return [...new Set(ids)].flatMap((id) => {
      const types = typesByForm(id);
      const form: ResourcePlace[] =
        types.length > 0 ? [{ id, source: "form", types, projectId: undefined, name: undefined, isPast: false }] : [];
      const configured = matches(config, id);
      return [
        ...form,
        ...(configured.length > 0 ? configured : matches(people, id)).map((claim) => ({ ...claim, id })),
      ];
    });
  };
}

/** A place with the id as its source writes it. */
type Claim = ResourcePlace;
type Index = ReadonlyMap<string, readonly Claim[]>;

const indexed = new WeakMap<Groups, Index>();

/** Cached: there may be thousands of ids, and the groups change with the config and the imports. */
function indexOfConfig(groups: Groups, machines: PlacedDirectory["machines"]): Index {
  const index = indexed.get(groups) ?? indexOf([...importClaims(machines()), ...groupClaims("config", groups)]);
  indexed.set(groups, index);
  return index;
}

const indexOf = (claims: readonly Claim[]): Index => indexBy(claims, ({ id }) => resourceKeys(id));

/** The claims on exactly this id; else those that match an ARN with a bare name, if the types agree. */
function matches(index: Index, id: string): readonly Claim[] {
  const keys = resourceKeys(id);
  const found = keys.flatMap((key) => index.get(key) ?? []);
  const exact = found.filter((claim) => claim.id.toLowerCase() === keys[0]);
  const [first] = exact;
  // An import says where a machine is, and a group never does.
  if (first) return first.source === "import" ? [first] : exact;
  return found.filter((claim) => {
    const [one, other] = [resourceKeys(claim.id), keys];
    return one.length !== other.length && sameType(claim, typesByForm(id));
  });
}

function sameType({ types }: Claim, byForm: readonly string[]): boolean {
  return types.length === 0 || byForm.length === 0 || types.some((type) => byForm.includes(type));
}

const importClaims = (machines: readonly Machine[]): readonly Claim[] =>
  machines.map(({ id, type, project }) => ({
    ...{ id, source: "import", types: [type], projectId: project, name: undefined, isPast: false },
  }));

function groupClaims(source: "config" | "group", groups: Groups): readonly Claim[] {
  return Object.entries(groups).flatMap(([name, { type, project, ids }]) =>
    ids.map((id) => ({ id, source, types: [type], projectId: project, name, isPast: false })),
  );
}

function exclusionClaims({ id: name, projectId, endedAt, body }: Entity<"exclusion">): readonly Claim[] {
  const types = body.resourceType ? [body.resourceType] : [];
  return (body.resourceIds ?? []).map((id) => ({
    ...{ id, source: "exclusion" as const, types, name },
    projectId: projectId ?? undefined,
    isPast: endedAt !== null,
  }));
}
