import type { AckFn, App, Middleware, SlackShortcutMiddlewareArgs, ViewResponseAction } from "@slack/bolt";
import type { ModalView } from "@slack/types";
import { z } from "zod";
import { arrivalIn } from "../connection/measured-client.ts";
import { inputActionId } from "../fields/field-kind.ts";
import { formCallback, moreAction, quickAction } from "../forms/form.ts";
import { readMeta } from "../forms/form-meta.ts";
import {
  anyAction,
  isDirect,
  linkAction,
  menuAction,
  readAction,
  readMenuValue,
  runAction,
} from "../messages/button.ts";
import { configAction } from "../messages/cards/config-request-card.ts";
import type { Message } from "../messages/message.ts";
import { unescaped } from "../messages/text.ts";
import { optionalText } from "../optional-text.ts";
import { listenToSteps } from "../workflows/take-step.ts";
import { acknowledgeEmpty, createAcknowledgements } from "./acknowledgement.ts";
import { attend } from "./attend.ts";
import type { Deps } from "./deps.ts";
import { handleConfigPress, handlePress, type Press } from "./handlers/handle-press.ts";
import {
  createRedrawQueue,
  type Drawn,
  handleRedraw,
  handleSuggestion,
  type Redraw,
  type Suggestion,
} from "./handlers/handle-redraw.ts";
import { handleShortcut, type Shortcut } from "./handlers/handle-shortcut.ts";
import { handleSubmission, originOf, type Submission } from "./handlers/handle-submission.ts";
import type { Line } from "./line/line.ts";
import { takeLine } from "./line/take-line.ts";
import { listenToMessages } from "./mention/listen-to-messages.ts";
import { receiptOfForm, receiptOfPress } from "./receipt-of.ts";
import type { Origin } from "./request-context.ts";

/** Registers every listener. Each reads the payload, records what may change something, acknowledges and calls its handler. */
export function registerListeners(app: App, deps: Deps): void {
  listenToLines(app, deps);
  listenToMessages(app, deps);
  listenToSteps(app, deps);
  const openExclusion: Middleware<SlackShortcutMiddlewareArgs> = async ({ ack, body, context }) => {
    await acknowledgeEmpty(ack, deps.log);
    const shortcut = readShortcut(body);
    const arrivedAt = arrivalIn(context);
    if (shortcut) await attend(deps, { ...shortcut, arrivedAt }, (origin) => handleShortcut(deps, origin));
  };
  app.shortcut("exclude-resources", openExclusion);
  app.shortcut("new-exclusion", openExclusion);
  listenToForms(app, deps);
  listenToButtons(app, deps);
  listenToPeople(app, deps);
  app.event("app_home_opened", async ({ event }) => {
    const { floodGuard, homes, inFlight } = deps;
    if (event.tab !== "home" || typeof event.user !== "string") return;
    // Over the limit the tab stays as it was last drawn.
    if (floodGuard.allow(event.user, "home")) await inFlight.track(() => homes.show(event.user));
  });
}

/** What is known of people is forgotten when Slack says that it changed. Their events carry too little to be used themselves. */
function listenToPeople(app: App, { actors, channelMembers }: Deps): void {
  app.event("user_change", async ({ event }) => actors.changed(event.user.id));
  app.event("subteam_updated", async ({ event }) => actors.changed(event.subteam.id));
  app.event("subteam_members_changed", async ({ event }) => actors.changed(event.subteam_id));
  app.event("member_joined_channel", async ({ event }) => channelMembers.changed(event.channel));
  app.event("member_left_channel", async ({ event }) => channelMembers.changed(event.channel));
}

function listenToLines(app: App, deps: Deps): void {
  const acknowledgementBy = createAcknowledgements(deps.log);
  app.command(deps.slashCommand, async ({ ack, command, context }) => {
    const arrivedAt = arrivalIn(context);
    const read = readLine(command);
    if (!read) return ack();
    const acknowledgement = acknowledgementBy(ack, arrivedAt);
    const recorded = acknowledgement.release;
    await takeLine(deps, { ...read, arrivedAt, acknowledgement }, { recorded });
    await acknowledgement.close();
  });
}

/** Listens to sent forms, choices that redraw a form, and requests for suggestions. */
function listenToForms(app: App, deps: Deps): void {
  const { floodGuard, inFlight, log } = deps;
  app.view(formCallback, async ({ ack, body, context }) => {
    const sent = readSubmission(body);
    if (!sent) return ack();
    await submit(deps, sent, arrivalIn(context), ack);
  });

  const redraws = createRedrawQueue<Redraw, Drawn>({
    draw: (redraw, last, isOvertaken) => handleRedraw(deps, redraw, last, isOvertaken),
    merge: (waiting, newer) => ({ ...newer, answer: newer.answer ?? waiting.answer, more: newer.more || waiting.more }),
  });
  app.action(new RegExp(`^(?:${inputActionId}$|reference:|${moreAction}$|${quickAction}:)`), async ({ ack, body }) => {
    await acknowledgeEmpty(ack, deps.log);
    const redraw = readRedraw(body);
    if (!redraw || !floodGuard.allow(redraw.userId, "typing")) return;
    // A form that could not be redrawn stays usable; problems appear when it is sent.
    await inFlight
      .track(() => redraws(redraw))
      .catch((error: unknown) => log.warn({ err: error }, "a form could not be drawn again"));
  });

  app.options(/^reference:/, async ({ ack, body }) => {
    const options = await suggestions(deps, body).catch((error: unknown) => {
      log.error({ err: error }, "suggestions could not be found");
      return [];
    });
    await ack({ options });
  });
}

function listenToButtons(app: App, deps: Deps): void {
  app.action(anyAction, async ({ ack, body, context }) => {
    const press = readPress(body);
    if (!press) return ack();
    const origin = { ...press, arrivedAt: arrivalIn(context) };
    let acknowledged: Promise<void> | undefined;
    const acknowledge = (): Promise<void> => {
      acknowledged ??= acknowledgeEmpty(ack, deps.log);
      return acknowledged;
    };
    const send = async (message: Message, to: Origin) => {
      await acknowledge();
      await deps.replies.to(to).send(message);
    };
    const receipt = async () => receiptOfPress(press, deps.now());
    const recorded = () => void acknowledge();
    await attend(deps, origin, (attended) => handlePress(deps, attended), { receipt, recorded, send });
  });

  // Slack opens the address itself.
  app.action(new RegExp(`^${linkAction}:`), ({ ack }) => acknowledgeEmpty(ack, deps.log));

  app.action(new RegExp(`^${configAction}:(?:use|keep)$`), async ({ ack, body, context }) => {
    await acknowledgeEmpty(ack, deps.log);
    const press = readPress(body);
    if (press) await attend(deps, { ...press, arrivedAt: arrivalIn(context) }, () => handleConfigPress(deps, press));
  });
}

/** Acknowledges a sent form once: closes it, or keeps it open with errors at its fields. */
async function submit(deps: Deps, submission: FormSent, arrivedAt: number, ack: AckView): Promise<void> {
  let isAcknowledged = false;
  const toForm = {
    close: async () => {
      isAcknowledged = true;
      await ack();
    },
    errors: async (errors: Readonly<Record<string, string>>) => {
      isAcknowledged = true;
      await ack({ response_action: "errors", errors });
    },
    update: async (view: ModalView) => {
      isAcknowledged = true;
      await ack({ response_action: "update", view });
    },
  };
  const origin = { ...originOf(submission), arrivedAt };
  // While the form is open, the message is shown in it, so that nothing typed is lost.
  const send = async (message: Message, { userId, onUnanswered }: Origin) => {
    const [firstBlock] = Object.keys(submission.values);
    if (isAcknowledged || firstBlock === undefined) {
      await deps.replies.to({ userId, responseUrl: undefined, onUnanswered }).send(message);
    } else await toForm.errors({ [firstBlock]: message.text });
  };
  const receipt = async () => receiptOfForm(submission, deps.now());
  await attend(deps, origin, (origin) => handleSubmission(deps, submission, toForm, origin), { receipt, send });
  if (!isAcknowledged) await ack();
}

type AckView = AckFn<void> | AckFn<ViewResponseAction>;

async function suggestions(deps: Deps, body: unknown) {
  const suggestion = readSuggestion(body);
  if (!suggestion || !deps.floodGuard.allow(suggestion.userId, "typing")) return [];
  return handleSuggestion(deps, suggestion);
}

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
function readSuggestion(body: unknown): Suggestion | undefined {
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
