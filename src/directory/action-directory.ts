import { browseOperation } from "../service/operations.ts";
import { type Action, resourceKeys } from "../service/resources.ts";
import { groupBy } from "../time/group-by.ts";
import { oncePer } from "../time/once-per.ts";
import { type Directory, type Entity, isOfKind, type PlacedDirectory } from "./directory.ts";
import { type Groups, groupsPlacing, type NamedGroup } from "./group-index.ts";
import type { ReadService } from "./read-service.ts";
import { type Machine, machinesNamed, type PlacesOf, type ResourcePlace, typesByForm } from "./resources.ts";
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
  const configured = (id: string): readonly Claim[] => {
    const imported = machinesNamed(machines(), id).map(importClaim);
    return matching(id, inForms(id, imported), groupClaims("config", groupsPlacing(id, configGroups())));
  };
  return async (ids, exceptExclusion) => {
    const known = new Map(ids.map((id) => [id, configured(id)]));
    const unplaced = [...known].flatMap(([id, claims]) => (claims.length === 0 ? [id] : []));
    const ofPeople = unplaced.length === 0 ? undefined : await claimsOfPeople(unplaced, exceptExclusion);
    return [...known].flatMap(([id, claims]) => {
      const types = typesByForm(id);
      const form: readonly Claim[] =
        types.length > 0 ? [{ id, source: "form", types, projectId: undefined, name: undefined, isPast: false }] : [];
      const placed = claims.length > 0 ? claims : (ofPeople?.(id) ?? []);
      return [...form, ...placed.map((claim) => ({ ...claim, id }))];
    });
  };

  async function claimsOfPeople(ids: readonly string[], except: string | undefined) {
    const [groups, exclusions] = await Promise.all([
      savedGroups(),
      exclusionsNaming(ids.flatMap((id) => resourceKeys(id))),
    ]);
    const named = new Map<string, Claim[]>();
    for (const claim of exclusions.filter(({ id }) => id !== except).flatMap(exclusionClaims))
      for (const key of resourceKeys(claim.id)) named.set(key, [...(named.get(key) ?? []), claim]);
    const excluded = (id: string) => [...new Set(resourceKeys(id).flatMap((key) => named.get(key) ?? []))];
    return (id: string) => matching(id, groupClaims("group", groupsPlacing(id, groups)), inForms(id, excluded(id)));
  }
}

type Claim = ResourcePlace;
/** On exactly an id; and on its ARN, or an ARN by its name alone. */
type Claims = Readonly<Record<"exact" | "alike", readonly Claim[]>>;

function inForms(id: string, claims: readonly Claim[]): Claims {
  const keys = resourceKeys(id);
  const own = claims.map((claim) => ({ claim, own: resourceKeys(claim.id) }));
  const meant = own.filter((each) => each.own.some((key) => keys.includes(key)));
  return {
    exact: meant.flatMap(({ claim, own: [key] }) => (key === keys[0] ? [claim] : [])),
    alike: meant.flatMap(({ claim, own }) => (own.length === keys.length ? [] : [claim])),
  };
}

/** The claims on exactly this id; else those that match an ARN with a bare name, if the types agree. */
function matching(id: string, ...claims: readonly Claims[]): readonly Claim[] {
  const exact = claims.flatMap((each) => each.exact);
  const [first] = exact;
  // An import says where a machine is, and a group never does.
  if (first) return first.source === "import" ? [first] : exact;
  return claims.flatMap(({ alike }) => alike.filter((claim) => sameType(claim, typesByForm(id))));
}

function sameType({ types }: Claim, byForm: readonly string[]): boolean {
  return types.length === 0 || byForm.length === 0 || types.some((type) => byForm.includes(type));
}

const importClaim = ({ id, type, project }: Machine): Claim => ({
  ...{ id, source: "import", types: [type], projectId: project, name: undefined, isPast: false },
});

function groupClaims(
  source: "config" | "group",
  { exact, alike }: Readonly<Record<"exact" | "alike", readonly NamedGroup[]>>,
): Claims {
  const claim = ([name, { type, project }]: NamedGroup): Claim => ({
    ...{ id: "", source, types: [type], projectId: project, name, isPast: false },
  });
  return { exact: exact.map(claim), alike: alike.map(claim) };
}

function exclusionClaims({ id: name, projectId, endedAt, body }: Entity<"exclusion">): readonly Claim[] {
  const types = body.resourceType ? [body.resourceType] : [];
  return (body.resourceIds ?? []).map((id) => ({
    ...{ id, source: "exclusion" as const, types, name },
    projectId: projectId ?? undefined,
    isPast: endedAt !== null,
  }));
}
