import { z } from "zod";
import { moreAction, quickAction } from "../forms/form.ts";
import { readMeta } from "../forms/form-meta.ts";
import { isDirect, menuAction, readAction, readMenuValue, runAction } from "../messages/button.ts";
import { unescaped } from "../messages/text.ts";
import { optionalText } from "../optional-text.ts";
import type { Press } from "./handlers/handle-press.ts";
import type { Redraw, Suggestion } from "./handlers/handle-redraw.ts";
import type { Shortcut } from "./handlers/handle-shortcut.ts";
import type { Submission } from "./handlers/handle-submission.ts";
import type { Line } from "./line/line.ts";

/** A payload does not say when it arrived. */
type Read<R> = Omit<R, "arrivedAt">;

/** The used parts of a slash command (PLATFORM.md §3.1). */
const commandPayload = z.looseObject({
  user_id: z.string(),
  channel_id: z.string(),
  text: optionalText,
  trigger_id: z.string(),
  response_url: optionalText,
});

/** The typed line in a payload; undefined for one that Slack would not send. */
export function readLine(command: unknown): Read<Line> | undefined {
  const payload = commandPayload.safeParse(command);
  if (!payload.success) return undefined;
  const { user_id, channel_id, text = "", trigger_id, response_url } = payload.data;
  const key = `command:${trigger_id}`;
  return { userId: user_id, channelId: channel_id, responseUrl: response_url, text, triggerId: trigger_id, key };
}

const channel = z.looseObject({ id: optionalText }).nullish();
const ownValue = z.string().transform(unescaped);
const optionalValue = optionalText.transform((value) => value && unescaped(value));
const chosen = z.looseObject({ value: ownValue });
/** A button, an entry of a menu, or a choice in a select of ours (PLATFORM.md §6.3). */
const pressed = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("button"), action_id: z.string(), value: optionalValue }),
  z.looseObject({ type: z.literal("overflow"), selected_option: chosen }),
  z.looseObject({
    type: z.literal("static_select"),
    action_id: z.string(),
    block_id: ownValue,
    selected_option: chosen,
  }),
]);

/** The used parts of a `block_actions` payload of a button, menu or select in a message or view (PLATFORM.md §6.3). */
const pressPayload = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  trigger_id: z.string(),
  response_url: optionalText,
  channel,
  view: z
    .looseObject({ id: z.string(), type: z.string(), hash: optionalText, private_metadata: optionalText })
    .nullish(),
  container: z
    .looseObject({
      message_ts: optionalText,
      channel_id: optionalText,
      is_ephemeral: z.boolean().nullish(),
      thread_ts: optionalText,
    })
    .nullish(),
  actions: z.tuple([pressed], z.unknown()),
});

/** What a press does and its input, as on a button; undefined if it is none of ours. */
function actionOf(action: z.infer<typeof pressed>): Pick<Press, "actionId" | "value"> | undefined {
  if (action.type === "button") return { actionId: action.action_id, value: action.value ?? "" };
  const { value } = action.selected_option;
  if (action.type === "overflow" || action.action_id.startsWith(`${menuAction}:`)) return readMenuValue(value);
  const [, words, field] = action.action_id.split(":");
  const rest = jsonIn(action.block_id);
  if (words === undefined || field === undefined || rest === undefined) return undefined;
  return { actionId: `${runAction}:${words}`, value: JSON.stringify({ ...rest, [field]: value }) };
}

function jsonIn(text: string): object | undefined {
  try {
    return z.looseObject({}).safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The press in a payload; undefined if it is none of ours. A press in a form has the form's origin. */
export function readPress(body: unknown): Read<Press> | undefined {
  const payload = pressPayload.safeParse(body);
  if (!payload.success) return undefined;
  const { user, trigger_id, response_url, channel, view, container, actions } = payload.data;
  const action = actionOf(actions[0]);
  if (!action) return undefined;
  const meta = view ? readMeta(view.private_metadata) : undefined;
  const isHome = view?.type === "home";
  const here = channel?.id ?? container?.channel_id ?? meta?.channelId ?? null;
  // A channel counts as named where there is none: on the Home tab, and in a direct message.
  const isNowhere = isHome || (here !== null && isDirect(here));
  const named = isNowhere ? (readAction(action.actionId)?.channelId ?? null) : null;
  const channelId = named ?? here;
  return {
    userId: user.id,
    channelId,
    askedIn: threadIn(channelId, container?.thread_ts ?? meta?.threadTs),
    fromHome: isHome || named !== null || meta?.fromHome,
    responseUrl: response_url ?? meta?.responseUrl,
    ...action,
    triggerId: trigger_id,
    // A redrawn Home tab keeps its id but has new buttons, so the hash is part of the surface.
    surface: container?.message_ts ?? (isHome ? `${view.id}:${view.hash ?? ""}` : (view?.id ?? "")),
    viewId: view?.type === "modal" ? view.id : undefined,
    isHome,
    isChoice: actions[0].type === "static_select",
    isEphemeral: container?.is_ephemeral ?? false,
  };
}

/** Nobody but the requester reads a thread in a direct message. */
const threadIn = (channelId: string | null, ts: string | undefined): Press["askedIn"] =>
  ts === undefined || channelId === null || isDirect(channelId) ? undefined : { channelId, ts };

const redrawPayload = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  view: z.looseObject({
    id: z.string(),
    hash: optionalText,
    private_metadata: optionalText,
    state: z.looseObject({ values: z.unknown().optional() }).nullish(),
  }),
  actions: z.tuple([z.looseObject({ action_id: z.string(), value: optionalValue })], z.unknown()),
});

/** A choice in an open form; undefined for one elsewhere. */
export function readRedraw(body: unknown): Redraw | undefined {
  const payload = redrawPayload.safeParse(body);
  if (!payload.success) return undefined;
  const { user, view, actions } = payload.data;
  const [action, field] = actions[0].action_id.split(":");
  return {
    userId: user.id,
    viewId: view.id,
    hash: view.hash,
    privateMetadata: view.private_metadata,
    values: view.state?.values,
    more: action === moreAction,
    answer: action === quickAction && field ? { field, words: actions[0].value ?? "" } : undefined,
  };
}

/** The used parts of a `shortcut` or `message_action` payload (PLATFORM.md §6.5). */
const shortcutPayload = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  trigger_id: z.string(),
  response_url: optionalText,
  channel,
  message: z.unknown().optional(),
});

export function readShortcut(body: unknown): Read<Shortcut> | undefined {
  const payload = shortcutPayload.safeParse(body);
  if (!payload.success) return undefined;
  const { user, trigger_id, response_url, channel, message } = payload.data;
  return {
    userId: user.id,
    channelId: channel?.id ?? null,
    responseUrl: response_url,
    triggerId: trigger_id,
    message,
  };
}

/** The used parts of a `view_submission` payload (PLATFORM.md §6.4). */
const submissionPayload = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  view: z.looseObject({
    id: z.string(),
    private_metadata: optionalText,
    state: z.looseObject({ values: z.record(z.string(), z.unknown()).nullish() }).nullish(),
  }),
});

export type FormSent = Submission & { readonly values: Readonly<Record<string, unknown>> };

/** The sent form in a payload; undefined for one that Slack would not send. */
export function readSubmission(body: unknown): FormSent | undefined {
  const payload = submissionPayload.safeParse(body);
  if (!payload.success) return undefined;
  const { user, view } = payload.data;
  return { userId: user.id, viewId: view.id, privateMetadata: view.private_metadata, values: view.state?.values ?? {} };
}

/** The used parts of a `block_suggestion` payload (PLATFORM.md §6.6). */
const suggestionPayload = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  block_id: z.string(),
  value: optionalText,
  view: z
    .looseObject({
      private_metadata: optionalText,
      state: z.looseObject({ values: z.unknown().optional() }).nullish(),
    })
    .nullish(),
});

/** What was typed in a select of a form; undefined for what Slack would not send. */
export function readSuggestion(body: unknown): Suggestion | undefined {
  const payload = suggestionPayload.safeParse(body);
  if (!payload.success) return undefined;
  const { user, block_id, value = "", view } = payload.data;
  return {
    userId: user.id,
    blockId: block_id,
    query: value,
    privateMetadata: view?.private_metadata,
    values: view?.state?.values,
  };
}
