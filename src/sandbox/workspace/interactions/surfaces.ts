import { isJsonObject, type JsonObject, objectsIn, plainText, type StateValues, stringAt } from "../json-object.ts";
import {
  type DeliveryOutcome,
  type LiveWorkspace,
  sendInteraction,
  settleEmptyAck,
  showNotice,
} from "../live-workspace.ts";
import { messagePayload, type StoredMessage } from "../state/messages.ts";
import { blocksOf, type ViewRecord, viewPayload } from "../state/views.ts";
import { channelPart, issueResponseUrl, issueTrigger, type User } from "../state/workspace-state.ts";
import { validateOptionsAnswer } from "../validate/validate-view.ts";

/** The message or view on which a person acts. */
export type Surface =
  | { readonly kind: "message"; readonly message: StoredMessage; readonly state: StateValues }
  | { readonly kind: "view"; readonly view: ViewRecord };

export function blocksOn(surface: Surface): readonly JsonObject[] {
  return surface.kind === "view" ? blocksOf(surface.view.definition) : surface.message.blocks;
}

/** One `block_actions` delivery (PLATFORM.md §6.3); its acknowledgement must be empty. */
export async function sendBlockAction(
  workspace: LiveWorkspace,
  user: User,
  surface: Surface,
  action: JsonObject,
): Promise<DeliveryOutcome> {
  const answer = await sendInteraction(workspace, user, {
    type: "block_actions",
    ...surfaceParts(workspace, surface),
    ...(surface.kind === "message" ? messageParts(workspace, user, surface) : {}),
    trigger_id: issueTrigger(workspace, user),
    actions: [{ ...action, action_ts: workspace.ids.timestamp() }],
  });
  return settleEmptyAck(workspace, user.id, surface.kind === "message" ? surface.message.channelId : null, answer);
}

/** The payload of an ephemeral message does not contain the message. */
function surfaceParts(workspace: LiveWorkspace, surface: Surface): JsonObject {
  if (surface.kind === "view") {
    const { view } = surface;
    return { container: { type: "view", view_id: view.id }, view: viewPayload(view, workspace.app) };
  }
  const { ts, channelId, ephemeralTo, threadTs } = surface.message;
  const is_ephemeral = ephemeralTo !== undefined;
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  return {
    container: { type: "message", message_ts: ts, channel_id: channelId, is_ephemeral, ...thread },
    channel: channelPart(workspace.channels.named(channelId)),
    ...(is_ephemeral ? {} : { message: messagePayload(surface.message, workspace) }),
  };
}

function messageParts(
  workspace: LiveWorkspace,
  { id: userId }: User,
  { message, state }: Surface & { kind: "message" },
): JsonObject {
  const { channelId, ts, ephemeralTo } = message;
  const source = { ts, isEphemeral: ephemeralTo !== undefined };
  return {
    state: { values: state },
    response_url: issueResponseUrl(workspace, "actions", { userId, channelId, source }),
  };
}

/** The entry of `actions[]` for a button or one option of an overflow menu. */
export function pressAction(blockId: string, element: JsonObject, option: JsonObject | undefined): JsonObject {
  const { type, action_id, text, value, url, style, confirm } = element;
  const base = { type, action_id, block_id: blockId };
  if (option !== undefined) return { ...base, selected_option: option };
  const optional = Object.entries({ text, value, url, style, confirm }).filter(([, given]) => given !== undefined);
  return { ...base, ...Object.fromEntries(optional) };
}

/** The entry for an element that holds state: its state value and the app's declaration (PLATFORM.md §6.3). */
export function choiceAction(blockId: string, element: JsonObject, value: JsonObject): JsonObject {
  const { placeholder, action_id } = element;
  const initial = Object.entries(element).filter(([name]) => name.startsWith("initial_"));
  return {
    ...value,
    action_id,
    block_id: blockId,
    ...(isJsonObject(placeholder) ? { placeholder } : {}),
    ...Object.fromEntries(initial),
  };
}

export interface ShownOption {
  readonly text: string;
  readonly value: string;
  /** As the app sent it. */
  readonly option: JsonObject;
}

/** Loads the options of an external select from the app (PLATFORM.md §6.6). A bad answer gives no options and a notice with the reason. */
export async function loadOptions(
  workspace: LiveWorkspace,
  user: User,
  surface: Surface,
  { blockId, element }: { readonly blockId: string; readonly element: JsonObject },
  query: string,
): Promise<readonly ShownOption[]> {
  const { action_id, min_query_length: minLength = 3 } = element;
  if (query.length < Number(minLength)) return [];
  const payload = {
    type: "block_suggestion",
    action_id,
    block_id: blockId,
    value: query,
    ...surfaceParts(workspace, surface),
  };
  const answer = workspace.manifest.loadsOptions
    ? await sendInteraction(workspace, user, payload, "options")
    : ({ kind: "failed", error: "no options load URL in the manifest" } as const);
  const body = answer.kind === "acknowledged" && answer.body.kind === "json" ? answer.body.value : undefined;
  const problems = answer.kind === "failed" ? [answer.error] : validateOptionsAnswer(body);
  if (problems.length === 0 && isJsonObject(body)) return shownOptions(body);
  showNotice(workspace, user.id, null, `The options could not be loaded: ${problems.join("; ")}`);
  return [];
}

/** The options of an element or an answer, including those in groups. */
export function shownOptions(source: JsonObject): readonly ShownOption[] {
  const grouped = objectsIn(source.option_groups).flatMap((group) => objectsIn(group.options));
  return [...objectsIn(source.options), ...grouped].map((option) => ({
    text: plainText(option.text),
    value: stringAt(option.value) ?? "",
    option,
  }));
}

/** A global shortcut has no channel and no `response_url`. One of a message has it, even where the bot is not a member (PLATFORM.md §6.5). */
export async function runShortcut(
  workspace: LiveWorkspace,
  user: User,
  name: string,
  message?: StoredMessage,
): Promise<DeliveryOutcome> {
  const type = message === undefined ? "global" : "message";
  const { shortcuts } = workspace.manifest;
  const shortcut = shortcuts.find((each) => each.type === type && (each.name === name || each.callbackId === name));
  if (shortcut === undefined) throw new Error(`The manifest declares no ${type} shortcut "${name}".`);
  const answer = await sendInteraction(workspace, user, {
    api_app_id: undefined,
    type: message === undefined ? "shortcut" : "message_action",
    callback_id: shortcut.callbackId,
    action_ts: workspace.ids.timestamp(),
    trigger_id: issueTrigger(workspace, user),
    ...(message === undefined ? {} : usedOn(workspace, user, message)),
  });
  return settleEmptyAck(workspace, user.id, message?.channelId ?? null, answer);
}

function usedOn(workspace: LiveWorkspace, { id: userId }: User, message: StoredMessage): JsonObject {
  const { channelId, ts, ephemeralTo } = message;
  if (ephemeralTo !== undefined) throw new Error("An ephemeral message offers no shortcuts.");
  const source = { ts, isEphemeral: false };
  return {
    channel: channelPart(workspace.channels.named(channelId)),
    message_ts: ts,
    message: messagePayload(message, workspace),
    response_url: issueResponseUrl(workspace, "app", { userId, channelId, source }),
  };
}
