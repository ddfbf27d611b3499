import { SlackError } from "./api.ts";
import { validateOptionsAnswer, validateSubmissionAnswer } from "./blocks.ts";
import type { AckBody } from "./deliveries.ts";
import {
  isJsonObject,
  type JsonObject,
  objectAt,
  objectsIn,
  plainText,
  type StateValues,
  stringAt,
} from "./json-object.ts";
import {
  type Client,
  type DeliveryOutcome,
  type LiveWorkspace,
  sendInteraction,
  settleEmptyAck,
  showFailure,
  showNotice,
} from "./live-workspace.ts";
import {
  blocksOf,
  channelPart,
  issueResponseUrl,
  issueTrigger,
  messagePayload,
  replaceView,
  type StoredMessage,
  type ViewRecord,
  viewPayload,
} from "./state.ts";
import { acceptView } from "./web-api.ts";

/** The message or view on which a person acts. */
export type Surface =
  | { readonly kind: "message"; readonly message: StoredMessage; readonly state: StateValues }
  | { readonly kind: "view"; readonly view: ViewRecord };

export function blocksOn(surface: Surface): readonly JsonObject[] {
  return surface.kind === "view" ? blocksOf(surface.view.definition) : surface.message.blocks;
}

/** One `block_actions` delivery (PLATFORM.md §6.3); its acknowledgement must be empty. */
export async function sendBlockAction(client: Client, surface: Surface, action: JsonObject): Promise<DeliveryOutcome> {
  const { workspace, user } = client;
  const answer = await sendInteraction(client, {
    type: "block_actions",
    ...surfaceParts(workspace, surface),
    ...(surface.kind === "message" ? messageParts(client, surface) : {}),
    trigger_id: issueTrigger(workspace, user),
    actions: [{ ...action, action_ts: workspace.ids.timestamp() }],
  });
  return settleEmptyAck(client, surface.kind === "message" ? surface.message.channelId : null, answer);
}

/** The payload of an ephemeral message does not contain the message. */
function surfaceParts(workspace: LiveWorkspace, surface: Surface): JsonObject {
  if (surface.kind === "view") {
    const { view } = surface;
    return { container: { type: "view", view_id: view.id }, view: viewPayload(view, workspace) };
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

function messageParts({ workspace, user }: Client, { message, state }: Surface & { kind: "message" }): JsonObject {
  const { channelId, ts } = message;
  const target = { userId: user.id, channelId, source: { ts } };
  return { state: { values: state }, response_url: issueResponseUrl(workspace, "actions", target) };
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
  client: Client,
  surface: Surface,
  { blockId, element }: { readonly blockId: string; readonly element: JsonObject },
  query: string,
): Promise<readonly ShownOption[]> {
  const { action_id, min_query_length: minLength = 3 } = element;
  if (query.length < Number(minLength)) return [];
  const { workspace } = client;
  const payload = { type: "block_suggestion", action_id, block_id: blockId, value: query };
  const answer = workspace.manifest.loadsOptions
    ? await sendInteraction(client, { ...payload, ...surfaceParts(workspace, surface) }, "options")
    : ({ kind: "failed", error: "no options load URL in the manifest" } as const);
  const body = answer.kind === "acknowledged" && answer.body.kind === "json" ? answer.body.value : undefined;
  const problems = answer.kind === "failed" ? [answer.error] : validateOptionsAnswer(body);
  if (problems.length === 0 && isJsonObject(body)) return shownOptions(body);
  showNotice(client, null, `The options could not be loaded: ${problems.join("; ")}`);
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
export async function runShortcut(client: Client, name: string, message?: StoredMessage): Promise<DeliveryOutcome> {
  const { workspace, user } = client;
  const type = message === undefined ? "global" : "message";
  const { shortcuts } = workspace.manifest;
  const shortcut = shortcuts.find((each) => each.type === type && (each.name === name || each.callback_id === name));
  if (shortcut === undefined) throw new Error(`The manifest declares no ${type} shortcut "${name}".`);
  const answer = await sendInteraction(client, {
    api_app_id: undefined,
    type: message === undefined ? "shortcut" : "message_action",
    callback_id: shortcut.callback_id,
    action_ts: workspace.ids.timestamp(),
    trigger_id: issueTrigger(workspace, user),
    ...(message === undefined ? {} : usedOn(client, message)),
  });
  return settleEmptyAck(client, message?.channelId ?? null, answer);
}

function usedOn({ workspace, user }: Client, message: StoredMessage): JsonObject {
  const { channelId, ts, ephemeralTo } = message;
  if (ephemeralTo !== undefined) throw new Error("An ephemeral message offers no shortcuts.");
  const target = { userId: user.id, channelId, source: { ts } };
  return {
    channel: channelPart(workspace.channels.named(channelId)),
    message_ts: ts,
    message: messagePayload(message, workspace),
    response_url: issueResponseUrl(workspace, "app", target),
  };
}

export type Submission =
  | { readonly kind: "closed" | "updated" }
  /** By block id: from the app (`errors`), or from the client, which then sent nothing (`blocked`). */
  | { readonly kind: "errors" | "blocked"; readonly errors: Readonly<Record<string, string>> }
  /** No answer, or one that Slack rejects. The modal stays open. */
  | { readonly kind: "failed"; readonly shown: string };

/** Submits a modal and applies the answer (PLATFORM.md §7.4). */
export async function submitView(client: Client, view: ViewRecord): Promise<Submission> {
  const { workspace, user } = client;
  const answer = await sendInteraction(client, {
    type: "view_submission",
    trigger_id: issueTrigger(workspace, user),
    view: viewPayload(view, workspace),
    response_urls: [],
  });
  const submission = answer.kind === "failed" ? fail(answer.error) : applyAck(workspace, view, answer.body);
  if (submission.kind === "failed") showFailure(client, null, submission.shown);
  return submission;
}

function applyAck(workspace: LiveWorkspace, view: ViewRecord, body: AckBody): Submission {
  const { views } = workspace;
  if (body.kind === "empty") {
    views.remove(view.id);
    return { kind: "closed" };
  }
  const answer = body.kind === "json" ? body.value : undefined;
  const problems = validateSubmissionAnswer(answer, view.definition);
  if (!isJsonObject(answer) || problems.length > 0) return fail(`invalid_submission_response: ${problems.join("; ")}`);
  if (answer.response_action === "errors") {
    const given = Object.entries(objectAt(answer.errors)).map(([blockId, text]) => [blockId, String(text)] as const);
    const errors = Object.fromEntries(given);
    views.change(view.id, { errors });
    return { kind: "errors", errors };
  }
  return update(workspace, view, answer.view);
}

function update(workspace: LiveWorkspace, view: ViewRecord, next: unknown): Submission {
  try {
    const definition = acceptView(next, "modal", workspace);
    if (workspace.views.get(view.id) === undefined) return fail("not_found");
    replaceView(workspace, view.id, definition);
    return { kind: "updated" };
  } catch (error) {
    if (error instanceof SlackError) return fail(error.code);
    throw error;
  }
}

function fail(shown: string): Submission {
  return { kind: "failed", shown };
}
