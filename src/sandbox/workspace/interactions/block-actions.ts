import { isJsonObject, type JsonObject } from "../json-object.ts";
import { channelName } from "../state/channels.ts";
import { messagePayload, type StoredMessage } from "../state/messages.ts";
import type { User } from "../state/people.ts";
import { blocksOf, type ViewRecord, viewPayload } from "../state/views.ts";
import type { StateValues } from "../validate/state-values.ts";
import { type DeliveryOutcome, type Exchange, payloadBase, sendInteraction, settleEmptyAck } from "./exchange.ts";

/** The message or view on which a person acts. */
export type Surface =
  | { readonly kind: "message"; readonly message: StoredMessage; readonly state: StateValues }
  | { readonly kind: "view"; readonly view: ViewRecord };

export function blocksOn(surface: Surface): readonly JsonObject[] {
  if (surface.kind === "view") return blocksOf(surface.view.definition);
  const { blocks, attachments } = surface.message;
  return [...blocks, ...attachments.flatMap(blocksOf)];
}

/** One `block_actions` delivery (PLATFORM.md §6.3); its acknowledgement must be empty. */
export async function sendBlockAction(
  exchange: Exchange,
  user: User,
  surface: Surface,
  action: JsonObject,
): Promise<DeliveryOutcome> {
  const { workspace } = exchange;
  const viewId = surface.kind === "view" && surface.view.type === "modal" ? surface.view.id : null;
  const payload = {
    type: "block_actions",
    ...payloadBase(exchange, user),
    ...(surface.kind === "view"
      ? viewParts(exchange, surface.view)
      : messageParts(exchange, user, surface, action.block_id)),
    trigger_id: workspace.triggers.issue({ userId: user.id, viewId }),
    actions: [{ ...action, action_ts: workspace.ids.timestamp() }],
  };
  const answer = await sendInteraction(exchange, "interactive", payload);
  return settleEmptyAck(exchange, user.id, surface.kind === "message" ? surface.message.channelId : null, answer);
}

export function containerOf(surface: Surface, blockId: unknown): JsonObject {
  if (surface.kind === "view") return { type: "view", view_id: surface.view.id };
  const { ts, channelId, ephemeralTo, threadTs, attachments } = surface.message;
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  const attachment = attachments.find((each) => blocksOf(each).some((block) => block.block_id === blockId));
  const kind =
    attachment === undefined
      ? { type: "message" }
      : { type: "message_attachment", attachment_id: attachment.id, is_app_unfurl: false };
  return { ...kind, message_ts: ts, channel_id: channelId, is_ephemeral: ephemeralTo !== undefined, ...thread };
}

function viewParts({ workspace }: Exchange, view: ViewRecord): JsonObject {
  return { container: containerOf({ kind: "view", view }, undefined), view: viewPayload(view, workspace.app) };
}

/** The payload of an ephemeral message does not contain the message. */
function messageParts(
  { workspace }: Exchange,
  user: User,
  surface: Surface & { kind: "message" },
  blockId: unknown,
): JsonObject {
  const { message, state } = surface;
  const { channelId, ts } = message;
  const isEphemeral = message.ephemeralTo !== undefined;
  const channel = workspace.channels.named(channelId);
  const source = { ts, isEphemeral };
  return {
    container: containerOf(surface, blockId),
    channel: { id: channelId, name: channelName(channel) },
    ...(isEphemeral ? {} : { message: messagePayload(message, workspace) }),
    state: { values: state },
    response_url: workspace.responseUrls.issue("actions", { userId: user.id, channelId, source }),
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
