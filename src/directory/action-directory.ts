import { browseOperation } from "../service/operations.ts";
import type { Action } from "../service/resources.ts";
import { type Directory, type Entity, isOfKind, type PlacedDirectory } from "./directory.ts";
import type { ReadService } from "./read-service.ts";
import type { PlacesOf } from "./resource-place.ts";
import { createTextSearch, type TextSearch } from "./text-search.ts";

/** The whole directory: remembered answers, the actions that the service lists, and the places of resources. */
export function createDirectory(known: Directory, read: ReadService, placesOf: PlacesOf): PlacedDirectory {
  const listed = async (): Promise<Listed> => {
    const result = await read(browseOperation, {});
    return lookUpIn((result.kind === "succeeded" && result.answer) || none);
  };
  return {
    placesOf,
    exclusionsNaming: (resourceIds) => known.exclusionsNaming(resourceIds),
    liveExclusions: (now, resourceIds) => known.liveExclusions(now, resourceIds),
    get: async (kind, id) => {
      const entity = kind === "action" ? (await listed()).byId.get(id.toLowerCase()) : undefined;
      return entity && isOfKind(entity, kind) ? entity : known.get(kind, id);
    },
    match: async (kind, text) => {
      if (kind !== "action") return known.match(kind, text);
      const { byId, byName } = await listed();
      const key = text.trim().toLowerCase();
      const exact = byId.get(key);
      const found = exact ? [exact] : (byName.get(key) ?? []);
      return found.length > 0 ? found.filter((entity) => isOfKind(entity, kind)) : known.match(kind, text);
    },
    named: async (text) => {
      const { byId, byName } = await listed();
      const key = text.trim().toLowerCase();
      const exact = byId.get(key);
      const actions = exact ? [exact] : (byName.get(key) ?? []);
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

const none: readonly Action[] = [];
const lookedUp = new WeakMap<readonly Action[], Listed>();

/** A list is searched many times before it is fetched again, and may hold thousands of actions. */
function lookUpIn(actions: readonly Action[]): Listed {
  const cached = lookedUp.get(actions);
  if (cached) return cached;
  const entities = actions.map(actionEntity);
  const byName = new Map<string, Entity[]>();
  for (const entity of entities) {
    const name = entity.name?.toLowerCase();
    const namesakes = name === undefined ? undefined : byName.get(name);
    if (namesakes) namesakes.push(entity);
    else if (name !== undefined) byName.set(name, [entity]);
  }
  // The first of those with the same id wins.
  const byId = new Map(entities.toReversed().map((entity) => [entity.id.toLowerCase(), entity]));
  const search = createTextSearch(
    entities,
    entities.map(({ name, id }) => `${name ?? ""}\n${id}`.toLowerCase()),
  );
  const listed = { search, byId, byName };
  lookedUp.set(actions, listed);
  return listed;
}

function actionEntity(body: Action): Entity {
  const { actionId, name = null, projectId = null } = body;
  return { kind: "action", id: actionId, name, email: null, projectId, ownerId: null, endedAt: null, body };
}
