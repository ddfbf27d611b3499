import { isJsonObject, type JsonObject, objectsIn, type StateValues, stringAt } from "../json-object.ts";
import { initialState } from "../validate/state-values.ts";
import type { Collection } from "./collection.ts";
import type { Ids, InstalledApp } from "./permits.ts";

/** An open modal or a Home tab. */
export interface ViewRecord {
  readonly id: string;
  readonly userId: string;
  readonly type: "modal" | "home";
  /** As the app sent it, with Slack's defaults filled in. */
  readonly definition: JsonObject;
  readonly state: StateValues;
  readonly hash: string;
  /** The error messages under inputs, by block id. */
  readonly errors: Readonly<Record<string, string>>;
}

interface ViewsOf {
  readonly views: Collection<ViewRecord>;
  readonly ids: Ids;
  readonly now: () => number;
}

/** The one modal or the Home tab of a person. */
export function viewOf(
  { views }: Pick<ViewsOf, "views">,
  userId: string,
  type: ViewRecord["type"] = "modal",
): ViewRecord | undefined {
  return views.find((view) => view.userId === userId && view.type === type);
}

/** Shows a view in place of the person's other one of its type. A published Home keeps what was chosen on it. */
export function showView(
  workspace: ViewsOf,
  userId: string,
  type: ViewRecord["type"],
  definition: JsonObject,
): ViewRecord {
  const { views, ids } = workspace;
  const before = viewOf(workspace, userId, type);
  if (before !== undefined && type === "home") return replaceView(workspace, before.id, definition);
  if (before !== undefined) views.remove(before.id);
  const state = initialState(blocksOf(definition));
  return views.put({ id: ids.next("V"), userId, type, definition, state, hash: newHash(workspace), errors: {} });
}

/** Keeps the typed values where `block_id` and `action_id` are the same (PLATFORM.md §7.3). */
export function replaceView(workspace: ViewsOf, id: string, definition: JsonObject): ViewRecord {
  const { state: typed } = workspace.views.named(id);
  const fresh = Object.entries(initialState(blocksOf(definition))).map(([blockId, elements]) => {
    const kept = Object.entries(elements).map(([actionId, value]) => {
      const before = typed[blockId]?.[actionId];
      return [actionId, before !== undefined && before.type === value.type ? before : value] as const;
    });
    return [blockId, Object.fromEntries(kept)] as const;
  });
  const state = Object.fromEntries(fresh);
  return workspace.views.change(id, { definition, state, hash: newHash(workspace), errors: {} });
}

const newHash = ({ ids, now }: ViewsOf): string => `${Math.floor(now() / 1000)}.${ids.hex(8)}`;

export function blocksOf(definition: JsonObject): readonly JsonObject[] {
  return objectsIn(definition.blocks);
}

/** The view as in Slack's answers and payloads (PLATFORM.md §7.2). */
export function viewPayload({ id, type, definition, state, hash }: ViewRecord, app: InstalledApp): JsonObject {
  const { teamId, appId, botId } = app;
  return {
    id,
    team_id: teamId,
    type,
    blocks: blocksOf(definition),
    private_metadata: stringAt(definition.private_metadata) ?? "",
    callback_id: stringAt(definition.callback_id) ?? "",
    state: { values: state },
    hash,
    title: isJsonObject(definition.title) ? definition.title : { type: "plain_text", text: "View Title", emoji: true },
    clear_on_close: definition.clear_on_close === true,
    notify_on_close: definition.notify_on_close === true,
    close: definition.close ?? null,
    submit: definition.submit ?? null,
    previous_view_id: null,
    root_view_id: id,
    app_id: appId,
    external_id: stringAt(definition.external_id) ?? "",
    app_installed_team_id: teamId,
    bot_id: botId,
  };
}
