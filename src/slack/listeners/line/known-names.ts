import { isDeepStrictEqual } from "node:util";
import { rightsOf } from "../../../changes/authorize/decide-change.ts";
import type { ChangeSettings } from "../../../changes/ports.ts";
import { knownBy } from "../../../commands/lookup/may-see.ts";
import { type Directory, type Entity, isOfKind } from "../../../directory/directory.ts";
import { type Name, type NameKind, type Names, namesFrom } from "../../../language/sense/names.ts";
import type { Logger } from "../../../observability/log.ts";
import type { Actor } from "../../../permissions/actor.ts";
import { rolesForAsking, unknownProject } from "../../../permissions/decide.ts";
import { channelsHeld, hasGroups, rolesOfActor } from "../../../permissions/policy.ts";
import { accountOf } from "../../../service/account-ids.ts";
import { operations } from "../../../service/operations.ts";
import type { Action } from "../../../service/resources.ts";
import { within } from "../../../time/within.ts";

const maxAgeMs = 20_000;
/** More of a kind are found by the commands, but not in the midst of a line. */
const most = 5000;
const entityKinds = {
  ...{ thing: "group", person: "user", action: "action", project: "project" },
  ...{ plan: "plan", policy: "policy", credential: "credential", selector: "selector" },
} as const satisfies Record<NameKind, Entity["kind"]>;

/** Where names are: all of a place are known to the same people. */
interface Place {
  readonly kind: NameKind;
  readonly account: string;
  readonly projectId?: string;
  readonly resourceType?: string;
  readonly group?: { readonly name: string; readonly ids: readonly string[] };
}

interface PlacedName {
  readonly place: Place;
  readonly name: Name;
}

interface Sources {
  /** What is remembered. The service is never asked here: a line must not wait for it. */
  readonly known: Pick<Directory, "search">;
  /** As the service lists them; a line waits a moment for the first list only. */
  readonly actions: { readonly last: () => readonly Action[]; readonly list: () => Promise<unknown> };
  readonly settings: () => Pick<ChangeSettings, "policy" | "resourceGroups">;
  readonly now: () => number;
  readonly log: Logger;
}

/**
 * The names that a person's lines are read with: groups with their machines, and what the directory knows, 20 seconds old at most. What
 * they may see in no channel is unknown in their lines, and nothing is read for those who may see nothing.
 */
export function createKnownNames({ known, actions, settings, now, log }: Sources): (actor: Actor) => Promise<Names> {
  let entities: readonly Entity[] = [];
  let found: readonly PlacedName[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let listed: { readonly from: readonly Action[]; readonly names: readonly PlacedName[] } = { from: [], names: [] };
  let from: readonly unknown[] = [];
  let places: ReturnType<typeof byPlace> = new Map();
  /** For each set of places that somebody sees. */
  const indexes = new Map<string, Names>();
  const read = async () => {
    const lists = await Promise.all(kinds.map((kind) => known.search(entityKinds[kind], "", most)));
    const now = lists.flat();
    if (now.length === entities.length && now.every((entity, index) => entity === entities[index])) return;
    entities = now;
    found = unlessSame(found, placedNames(now));
  };
  return async (actor) => {
    const { policy, resourceGroups } = settings();
    if (rolesOfActor(policy, actor).length === 0) return nothing;
    const isOld = now() - readAt > maxAgeMs;
    const sees = seenBy(policy, actor);
    if (isOld && actions.last().length === 0 && seesActions(policy, actor)) await within(maxWaitMs, actions.list());
    if (isOld) {
      await read().catch((error: unknown) =>
        log.warn({ err: error }, "could not read the names that lines are read with"),
      );
      readAt = now();
    }
    if (listed.from !== actions.last() && (isOld || listed.names.length === 0)) {
      const names = actions.last().slice(0, most).flatMap(actionNames);
      listed = { from: actions.last(), names: unlessSame(listed.names, names) };
    }
    const sources = [resourceGroups, listed.names, found, hasGroups(policy)];
    // They are the same for hours, and may be tens of thousands.
    if (sources.some((each, index) => each !== from[index])) {
      from = sources;
      indexes.clear();
      places = byPlace([...namesOfGroups(resourceGroups), ...listed.names, ...found], hasGroups(policy));
    }
    const seen = [...places].filter(([, { place }]) => sees(place));
    const key = seen.map(([each]) => each).join("\n");
    const names = indexes.get(key) ?? namesFrom(seen.flatMap(([, { names }]) => names));
    indexes.delete(key);
    indexes.set(key, names);
    const [oldest] = indexes.keys();
    if (indexes.size > mostIndexes && oldest !== undefined) indexes.delete(oldest);
    return names;
  };
}

/** Each may have tens of thousands of names. */
const mostIndexes = 20;

const unlessSame = (before: readonly PlacedName[], now: readonly PlacedName[]): readonly PlacedName[] =>
  before.length === now.length && isDeepStrictEqual(before, now) ? before : now;

function byPlace(all: readonly PlacedName[], isByGroup: boolean) {
  const places = new Map<string, { readonly place: Place; readonly names: Name[] }>();
  for (const { place, name } of all) {
    const key = keyOf(place, isByGroup);
    const known = places.get(key);
    if (known) known.names.push(name);
    else places.set(key, { place, names: [name] });
  }
  return places;
}

const nothing = namesFrom([]);
const maxWaitMs = 300;
const seesActions = (policy: ChangeSettings["policy"], actor: Actor): boolean =>
  [null, ...channelsHeld(policy, actor)].some((channel) =>
    knownBy.action.some((operation) => rightsOf({ policy }, actor, channel)(operation, {})),
  );
const kinds = Object.keys(entityKinds) as NameKind[];
/** `isByGroup`: the rights depend on the machines, so each group is asked about by itself. */
const keyOf = ({ kind, account, projectId, resourceType, group }: Place, isByGroup: boolean): string =>
  `${kind} ${account} ${projectId} ${resourceType}${isByGroup && group ? ` ${group.name}` : ""}`;

/** Whether a person may know the names of a place, in some channel of theirs. */
function seenBy(policy: ChangeSettings["policy"], actor: Actor): (place: Place) => boolean {
  const mays = [null, ...channelsHeld(policy, actor)].map((channel) => rightsOf({ policy }, actor, channel));
  return ({ kind, group, ...place }) =>
    knownBy[kind].some(
      (operation) =>
        mays.some((may) =>
          may(
            operation,
            operations[operation].effect === "read"
              ? place
              : { isOwn: true, exclusionLengthMs: 0, resourceIds: group?.ids, ...place },
          ),
        ) ||
        ((kind === "person" || kind === "policy") && rolesForAsking(policy, actor, operation).length > 0),
    );
}

function actionNames({ actionId, name, projectId }: Action): readonly PlacedName[] {
  const place: Place = { kind: "action", account: accountOf(actionId), projectId: projectId ?? unknownProject };
  const named = name ? [{ place, name: { kind: "action", name } } as const] : [];
  return [{ place, name: { kind: "action", name: actionId, isId: true } }, ...named];
}

/** With more machines than these, only their ids are known by their form. */
function namesOfGroups(groups: ChangeSettings["resourceGroups"]): readonly PlacedName[] {
  const count = Object.values(groups).reduce((sum, { ids }) => sum + ids.length, 0);
  return Object.entries(groups).flatMap(([name, group]) =>
    groupNames(name, group).filter(({ name: { isId } }) => !isId || count <= most),
  );
}

function groupNames(
  name: string,
  group: { readonly ids: readonly string[]; readonly project: string; readonly type: string },
): readonly PlacedName[] {
  const { project: projectId, type: resourceType, ids } = group;
  const place = {
    kind: "thing",
    account: accountOf(projectId),
    projectId,
    resourceType,
    group: { name, ids },
  } as const;
  return [
    { place, name: { kind: "thing", name } },
    ...ids.map((id): PlacedName => ({ place, name: { kind: "thing", name: id, isId: true } })),
  ];
}

/** A selector is where its plan is. */
function placedNames(entities: readonly Entity[]): readonly PlacedName[] {
  const projects = new Map(entities.map(({ kind, id, projectId }) => [`${kind} ${id}`, projectId]));
  return entities.flatMap((entity) => {
    const { id, name, projectId, body } = entity;
    if (isOfKind(entity, "group")) return groupNames(id, entity.body);
    const kind = kinds.find((each) => entityKinds[each] === entity.kind);
    if (kind === undefined) return [];
    const own = kind === "project" ? id : projectId;
    const ofPlan = "planId" in body ? projects.get(`plan ${String(body.planId)}`) : undefined;
    const isPlaced = kind !== "person" && kind !== "policy";
    const place: Place = {
      ...{ kind, account: accountOf(id) },
      ...(isPlaced ? { projectId: own ?? ofPlan ?? unknownProject } : {}),
    };
    const ids: PlacedName = { place, name: { kind, name: id, isId: true } };
    return [ids, ...(name ? [{ place, name: { kind, name } }] : [])];
  });
}
