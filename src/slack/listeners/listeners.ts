import type { AckFn, App, Middleware, SlackShortcutMiddlewareArgs, ViewResponseAction } from "@slack/bolt";
import type { ModalView } from "@slack/types";
import { arrivalIn } from "../connection/measured-client.ts";
import { inputActionId } from "../fields/field-kind.ts";
import { formCallback, moreAction, quickAction } from "../forms/form.ts";
import { createRedrawQueue } from "../forms/redraw-queue.ts";
import { anyAction, linkAction } from "../messages/button.ts";
import { configAction } from "../messages/cards/config-request-card.ts";
import type { Message } from "../messages/message.ts";
import { listenToSteps } from "../workflows/take-step.ts";
import { acknowledgeEmpty, createAcknowledgements } from "./acknowledgement.ts";
import { attend } from "./attend.ts";
import type { Deps } from "./deps.ts";
import { handleConfigPress, handlePress } from "./handlers/handle-press.ts";
import { type Drawn, handleRedraw, handleSuggestion, type Redraw } from "./handlers/handle-redraw.ts";
import { handleShortcut } from "./handlers/handle-shortcut.ts";
import { handleSubmission, originOf } from "./handlers/handle-submission.ts";
import { takeLine } from "./line/take-line.ts";
import { listenToMessages } from "./mention/listen-to-messages.ts";
import {
  type FormSent,
  readLine,
  readPress,
  readRedraw,
  readShortcut,
  readSubmission,
  readSuggestion,
} from "./payloads.ts";
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
