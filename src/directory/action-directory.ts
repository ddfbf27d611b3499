import type { PlacesOf } from "../commands/exclusion/resource-place.ts";
import type { EntityKind } from "../commands/field.ts";
import type { Action } from "../service/resources.ts";
import type { Directory, Entity, PlacedDirectory } from "./directory.ts";
import type { ReadService } from "./read-service.ts";
import { createTextSearch, type TextSearch } from "./text-search.ts";

/** All that is known: what answers told, the actions, which the service itself lists, and where resources belong. */
export function createDirectory(known: Directory, read: ReadService, placesOf: PlacesOf): PlacedDirectory {
  const listed = async (): Promise<Listed> => {
    const result = await read("ListActions", {});
    return lookUpIn((result.kind === "succeeded" && result.answer) || none);
  };
  return {
    placesOf,
    exclusionsNaming: (resourceIds) => known.exclusionsNaming(resourceIds),
    liveExclusions: (now, resourceIds) => known.liveExclusions(now, resourceIds),
    get: async (kind, id) => {
      const thing = kind === "action" ? (await listed()).byId.get(id) : undefined;
      return thing && isOfKind(thing, kind) ? thing : known.get(kind, id);
    },
    match: async (kind, text) => {
      if (kind !== "action") return known.match(kind, text);
      const { byId, byName } = await listed();
      const exact = byId.get(text.trim());
      const things = exact ? [exact] : (byName.get(text.trim().toLowerCase()) ?? []);
      return things.length > 0 ? things.filter((thing) => isOfKind(thing, kind)) : known.match(kind, text);
    },
    search: async (kind, text, limit) => {
      if (kind !== "action") return known.search(kind, text, limit);
      const { search } = await listed();
      return search(text.trim().toLowerCase(), limit).filter((thing) => isOfKind(thing, kind));
    },
  };
}

interface Listed {
  readonly search: TextSearch<Entity>;
  readonly byId: ReadonlyMap<string, Entity>;
  readonly byName: ReadonlyMap<string, readonly Entity[]>;
}

const none: readonly Action[] = [];
const lookedUp = new WeakMap<readonly Action[], Listed>();

/** A list is looked through many times before the service is asked for it again, and there may be thousands in it. */
function lookUpIn(actions: readonly Action[]): Listed {
  const known = lookedUp.get(actions);
  if (known) return known;
  const things = actions.map(actionThing);
  const byName = new Map<string, Entity[]>();
  for (const thing of things) {
    const name = thing.name?.toLowerCase();
    const namesakes = name === undefined ? undefined : byName.get(name);
    if (namesakes) namesakes.push(thing);
    else if (name !== undefined) byName.set(name, [thing]);
  }
  // The first of any that have the same id.
  const byId = new Map(things.toReversed().map((thing) => [thing.id, thing]));
  const search = createTextSearch(
    things,
    things.map(({ name, id }) => `${name ?? ""}\n${id}`.toLowerCase()),
  );
  const listed = { search, byId, byName };
  lookedUp.set(actions, listed);
  return listed;
}

function actionThing(body: Action): Entity {
  const { actionId, name = null, projectId = null } = body;
  return { kind: "action", id: actionId, name, email: null, projectId, ownerId: null, endedAt: null, body };
}

function isOfKind<K extends EntityKind>(thing: Entity, kind: K): thing is Entity<K> {
  return thing.kind === kind;
}
