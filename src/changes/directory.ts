import type { KnownKind } from "../commands/field.ts";
import type { Known, KnownThing } from "../commands/known.ts";
import type { Action } from "../service/resources.ts";
import type { ReadService } from "./read-service.ts";

/** All that is known by name: what answers told, and the actions, which the service itself lists. */
export function createDirectory(known: Known, read: ReadService): Known {
  const listed = async <K extends KnownKind>(kind: K): Promise<readonly KnownThing<K>[]> => {
    const result = kind === "action" ? await read("ListActions", {}) : undefined;
    const actions = result?.kind === "succeeded" ? (result.answer ?? []) : [];
    return actions.map(actionThing).filter((thing) => isOfKind(thing, kind));
  };
  return {
    liveExclusions: (now, resourceIds) => known.liveExclusions(now, resourceIds),
    get: async (kind, id) => (await listed(kind)).find((thing) => thing.id === id) ?? known.get(kind, id),
    match: async (kind, text) => {
      const said = text.trim();
      const things = await listed(kind);
      const exact = things.filter(({ id }) => id === said);
      const named = things.filter(({ name }) => name?.toLowerCase() === said.toLowerCase());
      if (exact.length + named.length === 0) return known.match(kind, text);
      return exact.length > 0 ? exact : named;
    },
    search: async (kind, text, limit) => {
      if (kind !== "action") return known.search(kind, text, limit);
      const said = text.trim().toLowerCase();
      const found = (await listed(kind)).filter(({ id, name }) => `${name}\n${id}`.toLowerCase().includes(said));
      return found.slice(0, limit);
    },
  };
}

function actionThing(body: Action): KnownThing {
  const { actionId, name = null, projectId = null } = body;
  return { kind: "action", id: actionId, name, email: null, projectId, ownerId: null, endedAt: null, body };
}

function isOfKind<K extends KnownKind>(thing: KnownThing, kind: K): thing is KnownThing<K> {
  return thing.kind === kind;
}
