import type { AckFn, App, Context, Middleware, SlackShortcutMiddlewareArgs, ViewResponseAction } from "@slack/bolt";
import type { ModalView } from "@slack/types";
import type { Changes } from "../../changes/changes.ts";
import type { InFlight } from "../../lifecycle/in-flight.ts";
import { RecordDeadline, RecordTooLateError } from "../../time/record-deadline.ts";
import type { Schedule } from "../../time/timer.ts";
import { slackRefusal } from "../checks/slack-refusal.ts";
import { arrivalIn } from "../connection/measured-client.ts";
import { inputActionId } from "../fields/field-kind.ts";
import { formCallback } from "../forms/form.ts";
import type { Homes } from "../home/homes.ts";
import { formAction, runAction } from "../messages/button.ts";
import { configAction } from "../messages/config-request-card.ts";
import type { Message } from "../messages/message.ts";
import { noticeMessage } from "../messages/outcome-message.ts";
import type { Actors } from "../people/actors.ts";
import type { FloodGuard } from "../people/flood-guard.ts";
import { SlackSilentError } from "../people/look-up.ts";
import { type ConfigPressPorts, handleConfigPress } from "./handlers/handle-config-press.ts";
import { handlePress, type PressPorts } from "./handlers/handle-press.ts";
import { handleRedraw, type RedrawPorts } from "./handlers/handle-redraw.ts";
import { handleShortcut, type ShortcutPorts } from "./handlers/handle-shortcut.ts";
import { handleSubmission, originOf, type SubmissionPorts } from "./handlers/handle-submission.ts";
import { handleSuggestion, type SuggestionPorts } from "./handlers/handle-suggestion.ts";
import { handleLine, type LinePorts } from "./line/handle-line.ts";
import { type FormSent, readLine, readPress, readRedraw, readShortcut, readSubmission } from "./payloads.ts";
import { startProgressNotice } from "./progress-notice.ts";
import type { Origin } from "./request-context.ts";

/** The ports of the handlers, and those of the listeners: flood guard, requests in flight, and the deadline for records. */
export interface ListenerPorts
  extends LinePorts,
    PressPorts,
    SubmissionPorts,
    SuggestionPorts,
    ShortcutPorts,
    RedrawPorts,
    ConfigPressPorts {
  readonly actors: Actors;
  readonly changes: Changes;
  readonly homes: Homes;
  readonly floodGuard: FloodGuard;
  /** The total time that the database has kept callers waiting. */
  readonly stalledMs: () => number;
  readonly inFlight: InFlight;
  readonly progressSchedule?: Schedule | undefined;
}

/** Registers every listener. Each acknowledges, reads the payload and calls its handler. */
export function registerListeners(app: App, ports: ListenerPorts): void {
  app.command(ports.slashCommand, async ({ ack, command, context }) => {
    const deadline = deadlineFrom(ports, context);
    await ack();
    const line = readLine(command);
    if (line) await attend(ports, { ...line, deadline }, (origin) => handleLine(ports, origin));
  });
  const openExclusion: Middleware<SlackShortcutMiddlewareArgs> = async ({ ack, body }) => {
    await ack();
    const shortcut = readShortcut(body);
    if (shortcut) await attend(ports, shortcut, (origin) => handleShortcut(ports, origin));
  };
  app.shortcut("exclude-resources", openExclusion);
  app.shortcut("new-exclusion", openExclusion);
  listenToForms(app, ports);
  listenToButtons(app, ports);
  app.event("app_home_opened", async ({ event }) => {
    const { floodGuard, homes, inFlight } = ports;
    if (event.tab !== "home" || typeof event.user !== "string") return;
    // Over the limit the tab stays as it was last drawn.
    if (floodGuard.allow(event.user, "home")) await inFlight.track(() => homes.show(event.user));
  });
}

/** Listens to sent forms, choices that redraw a form, and requests for suggestions. */
function listenToForms(app: App, ports: ListenerPorts): void {
  const { floodGuard, inFlight, log } = ports;
  app.view(formCallback, async ({ ack, body, context }) => {
    const sent = readSubmission(body);
    if (!sent) return ack();
    await submit(ports, { ...sent, deadline: deadlineFrom(ports, context) }, ack);
  });

  app.action(new RegExp(`^(?:${inputActionId}$|reference:)`), async ({ ack, body }) => {
    await ack();
    const redraw = readRedraw(body);
    if (!redraw || !floodGuard.allow(redraw.userId, "typing")) return;
    // A form that could not be redrawn stays usable; problems appear when it is sent.
    await inFlight
      .track(() => handleRedraw(ports, redraw))
      .catch((error: unknown) => log.warn({ err: error }, "a form could not be drawn again"));
  });

  app.options(/^reference:/, async ({ ack, body }) => {
    const options = await suggestions(ports, body).catch((error: unknown) => {
      log.error({ err: error }, "suggestions could not be found");
      return [];
    });
    await ack({ options });
  });
}

function listenToButtons(app: App, ports: ListenerPorts): void {
  app.action(new RegExp(`^(?:${formAction}|${runAction}):`), async ({ ack, body, context }) => {
    const deadline = deadlineFrom(ports, context);
    await ack();
    const press = readPress(body);
    if (press) await attend(ports, { ...press, deadline }, (origin) => handlePress(ports, origin));
  });

  app.action(new RegExp(`^${configAction}:(?:use|keep)$`), async ({ ack, body }) => {
    await ack();
    const press = readPress(body);
    if (press) await attend(ports, press, () => handleConfigPress(ports, press));
  });
}

/** Acknowledges a sent form once: closes it, or keeps it open with errors at its fields. */
async function submit(ports: ListenerPorts, submission: FormSent, ack: AckView): Promise<void> {
  let isAcknowledged = false;
  const acknowledge = {
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
  const origin = { ...originOf(submission), deadline: submission.deadline };
  // While the form is open, the message is shown in it, so that nothing typed is lost.
  const send = async (message: Message) => {
    const [firstBlock] = Object.keys(submission.values);
    if (isAcknowledged || firstBlock === undefined) {
      const { userId, deadline } = submission;
      await ports.replies.to({ userId, channelId: null, responseUrl: undefined, deadline }).send(message);
    } else await acknowledge.errors({ [firstBlock]: message.text });
  };
  const handle = ({ progress }: Origin) => handleSubmission(ports, submission, acknowledge, progress);
  await attend(ports, origin, handle, send);
  if (!isAcknowledged) await ack();
}

type AckView = AckFn<void> | AckFn<ViewResponseAction>;

function deadlineFrom({ stalledMs }: ListenerPorts, context: Context): RecordDeadline {
  return new RecordDeadline({ arrivedAt: arrivalIn(context), stalledMs });
}

async function suggestions(
  ports: ListenerPorts,
  body: {
    user: { id: string };
    block_id: string;
    value: string;
    view?: { private_metadata: string; state?: { values: unknown } };
  },
) {
  const { user, block_id, value, view } = body;
  if (!ports.floodGuard.allow(user.id, "typing")) return [];
  return handleSuggestion(ports, {
    userId: user.id,
    blockId: block_id,
    query: value,
    privateMetadata: view?.private_metadata ?? "",
    values: view?.state?.values,
  });
}

/** Handles one request: tracked as in flight, limited per person, and always answered. */
async function attend<O extends Origin>(
  { replies, floodGuard, inFlight, progressSchedule, log }: ListenerPorts,
  origin: O,
  handle: (origin: O) => Promise<void>,
  send: (message: Message) => Promise<unknown> = (message) => replies.to(origin).send(message),
): Promise<void> {
  await inFlight.track(async () => {
    const progress = startProgressNotice(replies, origin, progressSchedule);
    try {
      const { deadline } = origin;
      if (floodGuard.allow(origin.userId))
        await (deadline ? deadline.orMiss(() => handle({ ...origin, progress })) : handle({ ...origin, progress }));
      else await send(noticeMessage(":hourglass:", tooMany));
    } catch (error) {
      await progress.stop();
      if (error instanceof SlackSilentError) {
        log.warn({ userId: origin.userId }, "Slack did not say in time who somebody is");
        await send(noticeMessage(":hourglass:", slackSilent));
        return;
      }
      if (isTooLate(error)) {
        log.warn({ userId: origin.userId }, "Slack took so long that no form could be opened any more");
        await send(noticeMessage(":warning:", tooLate));
        return;
      }
      if (error instanceof RecordTooLateError) {
        log.warn(
          { err: error, userId: origin.userId },
          "a request was dropped, since the database did not take it in time",
        );
        await send(noticeMessage(":warning:", notTaken));
        return;
      }
      log.error({ err: error }, "a request could not be handled");
      await send(noticeMessage(":warning:", wentWrong));
    } finally {
      await progress.stop();
    }
  });
}

const slackSilent =
  "Slack did not answer in time who you are, so Curfew did nothing. Nothing was changed: try again in a moment.";
const tooMany = "That is a lot within one minute. Nothing was changed: wait a moment and ask again.";
const notTaken =
  "Nothing was done: Curfew's database did not take your request in time. Send it again in a moment. If this goes on, contact the people who run Curfew.";
const tooLate =
  "Slack took too long, so no form could be opened. Nothing was changed: type it again, or press the button again.";
/** A trigger id is valid for three seconds (PLATFORM.md §5). */
function isTooLate(error: unknown): boolean {
  const refusal = slackRefusal(error);
  return refusal.kind === "refused" && refusal.code === "expired_trigger_id";
}
/** Errors after a change began are answered where they happen, so this is only sent before. */
const wentWrong =
  "Something went wrong in Curfew before it could act. Nothing was changed. Try again. If this goes on, contact the people who run Curfew.";
