import type { Signal } from "../../signal.ts";
import { isJsonObject, type JsonObject, objectsIn, stringAt } from "../json-object.ts";
import { initialState, type StateValues } from "../validate/state-values.ts";
import type { Ids } from "./ids.ts";

/** An open view or a Home tab. */
export interface ViewRecord {
  readonly id: string;
  readonly userId: string;
  readonly type: "modal" | "home";
  /** As the app sent it, with Slack's defaults filled in. */
  readonly definition: JsonObject;
  readonly state: StateValues;
  readonly hash: string;
  readonly rootId: string;
  readonly previousId: string | null;
  /** The error messages under inputs, by block id. */
  readonly errors: Readonly<Record<string, string>>;
}

export interface Views {
  get(id: string): ViewRecord | undefined;
  withExternalId(externalId: string): ViewRecord | undefined;
  /** Bottom first. */
  stackOf(userId: string): readonly ViewRecord[];
  homeOf(userId: string): ViewRecord | undefined;
  /** Starts a new stack and closes what was open. */
  open(userId: string, definition: JsonObject): ViewRecord;
  push(userId: string, definition: JsonObject): ViewRecord;
  /** Keeps the typed values where `block_id` and `action_id` are the same (PLATFORM.md §7.3). */
  replace(id: string, definition: JsonObject): ViewRecord;
  publish(userId: string, definition: JsonObject): ViewRecord;
  close(id: string): void;
  closeAll(userId: string): void;
  setState(id: string, state: StateValues): void;
  setErrors(id: string, errors: Readonly<Record<string, string>>): void;
}

export function createViews(ids: Ids, now: () => number, signal: Signal): Views {
  const views = new Map<string, ViewRecord>();
  const save = (view: ViewRecord): ViewRecord => {
    views.set(view.id, view);
    signal.changed();
    return view;
  };
  const newHash = (): string => `${Math.floor(now() / 1000)}.${ids.hex(8)}`;
  const stackOf = (userId: string): readonly ViewRecord[] =>
    [...views.values()].filter((view) => view.userId === userId && view.type === "modal");
  const homeOf = (userId: string): ViewRecord | undefined =>
    [...views.values()].find((view) => view.userId === userId && view.type === "home");
  const create = (
    userId: string,
    type: ViewRecord["type"],
    definition: JsonObject,
    below: readonly ViewRecord[],
  ): ViewRecord => {
    const id = ids.next("V");
    const state = initialState(blocksOf(definition));
    return save({
      id,
      userId,
      type,
      definition,
      state,
      hash: newHash(),
      errors: {},
      rootId: below[0]?.id ?? id,
      previousId: below.at(-1)?.id ?? null,
    });
  };
  const replace = (id: string, definition: JsonObject): ViewRecord => {
    const view = existing(views, id);
    const state = keepTyped(initialState(blocksOf(definition)), view.state);
    return save({ ...view, definition, state, hash: newHash(), errors: {} });
  };
  const closeAll = (userId: string): void => {
    for (const view of stackOf(userId)) views.delete(view.id);
    signal.changed();
  };
  return {
    get: (id) => views.get(id),
    withExternalId: (externalId) => [...views.values()].find((view) => view.definition.external_id === externalId),
    stackOf,
    homeOf,
    open: (userId, definition) => {
      closeAll(userId);
      return create(userId, "modal", definition, []);
    },
    push: (userId, definition) => create(userId, "modal", definition, stackOf(userId)),
    replace,
    publish: (userId, definition) => {
      const home = homeOf(userId);
      return home === undefined ? create(userId, "home", definition, []) : replace(home.id, definition);
    },
    close: (id) => {
      views.delete(id);
      signal.changed();
    },
    closeAll,
    setState: (id, state) => void save({ ...existing(views, id), state }),
    setErrors: (id, errors) => void save({ ...existing(views, id), errors }),
  };
}

export function blocksOf(definition: JsonObject): readonly JsonObject[] {
  return objectsIn(definition.blocks);
}

function existing(views: ReadonlyMap<string, ViewRecord>, id: string): ViewRecord {
  const view = views.get(id);
  if (view === undefined) throw new Error(`The view ${id} is no longer open.`);
  return view;
}

function keepTyped(fresh: StateValues, typed: StateValues): StateValues {
  const entries = Object.entries(fresh).map(([blockId, elements]) => {
    const kept = Object.entries(elements).map(([actionId, value]) => {
      const before = typed[blockId]?.[actionId];
      return [actionId, before !== undefined && before.type === value.type ? before : value] as const;
    });
    return [blockId, Object.fromEntries(kept)] as const;
  });
  return Object.fromEntries(entries);
}

/** The view as in Slack's answers and payloads (PLATFORM.md §7.2). */
export function viewPayload(
  view: ViewRecord,
  app: { readonly teamId: string; readonly appId: string; readonly botId: string },
): JsonObject {
  const { definition } = view;
  return {
    id: view.id,
    team_id: app.teamId,
    type: view.type,
    blocks: blocksOf(definition),
    private_metadata: stringAt(definition.private_metadata) ?? "",
    callback_id: stringAt(definition.callback_id) ?? "",
    state: { values: view.state },
    hash: view.hash,
    title: isJsonObject(definition.title) ? definition.title : { type: "plain_text", text: "View Title", emoji: true },
    clear_on_close: definition.clear_on_close === true,
    notify_on_close: definition.notify_on_close === true,
    close: definition.close ?? null,
    submit: definition.submit ?? null,
    previous_view_id: view.previousId,
    root_view_id: view.rootId,
    app_id: app.appId,
    external_id: stringAt(definition.external_id) ?? "",
    app_installed_team_id: app.teamId,
    bot_id: app.botId,
  };
}
