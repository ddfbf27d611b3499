import type { App, Context, Middleware, SlackShortcutMiddlewareArgs } from "@slack/bolt";
import { RecordDeadline, RecordTooLateError } from "../../time/record-deadline.ts";
import { slackRefusal } from "../checks/slack-refusal.ts";
import type { InFlight } from "../connection/in-flight.ts";
import { arrivalIn } from "../connection/measured-client.ts";
import { inputActionId } from "../fields/field-kind.ts";
import { formCallback } from "../forms/form.ts";
import { formAction, runAction } from "../messages/button.ts";
import { configAction } from "../messages/config-request-card.ts";
import type { Message } from "../messages/message.ts";
import { noticeMessage } from "../messages/outcome-message.ts";
import { SlackSilentError } from "../people/look-up.ts";
import { type Desk, type Origin, responderFor } from "./desk.ts";
import { handleConfigPress } from "./handle-config-press.ts";
import { handleLine } from "./handle-line.ts";
import { handlePress } from "./handle-press.ts";
import { handleRedraw } from "./handle-redraw.ts";
import { handleShortcut } from "./handle-shortcut.ts";
import { handleSubmission, originOf } from "./handle-submission.ts";
import { handleSuggestion } from "./handle-suggestion.ts";
import { readLine, readPress, readRedraw, readShortcut, readSubmission } from "./payloads.ts";
import { startProgressNotice } from "./progress-notice.ts";

export interface ListenerOptions {
  readonly desk: Desk;
  readonly inFlight: InFlight;
}

/** Every listener there is. Each acknowledges, translates the payload and hands it on. */
export function registerListeners(app: App, { desk, inFlight }: ListenerOptions): void {
  const deadlineOf = (context: Context) => deadlineFrom(desk, context);
  app.command(desk.slashCommand, async ({ ack, command, context }) => {
    const deadline = deadlineOf(context);
    await ack();
    const line = readLine(command);
    if (line) await attend(desk, inFlight, { ...line, deadline }, (origin) => handleLine(desk, origin));
  });

  app.view(formCallback, async ({ ack, body, context }) => {
    const sent = readSubmission(body);
    if (!sent) return ack();
    const submission = { ...sent, deadline: deadlineOf(context) };
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
    };
    const { userId, deadline } = submission;
    const origin = { userId, channelId: null, responseUrl: undefined, deadline };
    // As long as the form is open, a word about it stands in it, and nothing that was typed is lost.
    const send = async (message: Message) => {
      const [firstBlock] = Object.keys(submission.values);
      if (isAcknowledged || firstBlock === undefined) await responderFor(desk, origin).send(message);
      else await acknowledge.errors({ [firstBlock]: message.text });
    };
    const handle = ({ progress }: Origin) => handleSubmission(desk, submission, acknowledge, progress);
    await attend(desk, inFlight, { ...originOf(submission), deadline }, handle, send);
    if (!isAcknowledged) await ack();
  });

  app.action(new RegExp(`^(?:${formAction}|${runAction}):`), async ({ ack, body, context }) => {
    const deadline = deadlineOf(context);
    await ack();
    const press = readPress(body);
    if (press) await attend(desk, inFlight, { ...press, deadline }, (origin) => handlePress(desk, origin));
  });

  app.action(new RegExp(`^${configAction}:(?:use|keep)$`), async ({ ack, body }) => {
    await ack();
    const press = readPress(body);
    if (press) await attend(desk, inFlight, press, () => handleConfigPress(desk, press));
  });

  app.action(new RegExp(`^(?:${inputActionId}$|reference:)`), async ({ ack, body }) => {
    await ack();
    const redraw = readRedraw(body);
    if (!redraw || !desk.floodGuard.allow(redraw.userId, "typing")) return;
    // A form that could not be drawn again is as it was: the person goes on in it, and is told of what is wrong when it is sent.
    await inFlight
      .track(() => handleRedraw(desk, redraw))
      .catch((error: unknown) => {
        desk.log.warn({ err: error }, "a form could not be drawn again");
      });
  });

  const openExclusion: Middleware<SlackShortcutMiddlewareArgs> = async ({ ack, body }) => {
    await ack();
    const shortcut = readShortcut(body);
    if (shortcut) await attend(desk, inFlight, shortcut, (origin) => handleShortcut(desk, origin));
  };
  app.shortcut("exclude-resources", openExclusion);
  app.shortcut("new-exclusion", openExclusion);

  app.event("app_home_opened", async ({ event }) => {
    if (event.tab !== "home" || typeof event.user !== "string") return;
    // Past the limit the tab stays as it was drawn a moment ago.
    if (desk.floodGuard.allow(event.user, "home")) await inFlight.track(() => desk.homes.show(event.user));
  });

  app.options(/^reference:/, async ({ ack, body }) => {
    const options = await suggestions(desk, body).catch((error: unknown) => {
      desk.log.error({ err: error }, "suggestions could not be found");
      return [];
    });
    await ack({ options });
  });
}

function deadlineFrom({ stalledMs }: Desk, context: Context): RecordDeadline {
  return new RecordDeadline({ arrivedAt: arrivalIn(context), stalledMs });
}

async function suggestions(
  desk: Desk,
  body: {
    user: { id: string };
    block_id: string;
    value: string;
    view?: { private_metadata: string; state?: { values: unknown } };
  },
) {
  const { user, block_id, value, view } = body;
  if (!desk.floodGuard.allow(user.id, "typing")) return [];
  return handleSuggestion(desk, {
    userId: user.id,
    blockId: block_id,
    query: value,
    privateMetadata: view?.private_metadata ?? "",
    values: view?.state?.values,
  });
}

/** Handles one request: counted as under way, held to its person's limit, and never ending without a word to them. */
async function attend<O extends Origin>(
  desk: Desk,
  inFlight: InFlight,
  origin: O,
  handle: (origin: O) => Promise<void>,
  send: (message: Message) => Promise<unknown> = (message) => responderFor(desk, origin).send(message),
): Promise<void> {
  await inFlight.track(async () => {
    const progress = startProgressNotice(desk, origin);
    try {
      const { deadline } = origin;
      if (desk.floodGuard.allow(origin.userId))
        await (deadline ? deadline.orMiss(() => handle({ ...origin, progress })) : handle({ ...origin, progress }));
      else await send(noticeMessage(":hourglass:", tooMany));
    } catch (error) {
      await progress.stop();
      if (error instanceof SlackSilentError) {
        desk.log.warn({ userId: origin.userId }, "Slack did not say in time who somebody is");
        await send(noticeMessage(":hourglass:", slackSilent));
        return;
      }
      if (isTooLate(error)) {
        desk.log.warn({ userId: origin.userId }, "Slack took so long that no form could be opened any more");
        await send(noticeMessage(":warning:", tooLate));
        return;
      }
      if (error instanceof RecordTooLateError) {
        desk.log.warn(
          { err: error, userId: origin.userId },
          "a request was dropped, since the database did not take it in time",
        );
        await send(noticeMessage(":warning:", notTaken));
        return;
      }
      desk.log.error({ err: error }, "a request could not be handled");
      await send(noticeMessage(":warning:", wentWrong));
    } finally {
      await progress.stop();
    }
  });
}

const slackSilent =
  "Slack did not tell Curfew in time who you are, so Curfew did nothing. Nothing was changed: try again in a moment.";
const tooMany = "That is a lot within one minute. Nothing was changed: wait a moment and ask again.";
const notTaken =
  "Nothing was done: Curfew's database did not take your request in time. Send it again in a moment; if this goes on, tell those who run Curfew.";
const tooLate =
  "Slack took too long, so no form could be opened. Nothing was changed: type it again, or press the button again.";
/** A trigger lives three seconds only (platform.md §5). */
function isTooLate(error: unknown): boolean {
  const refusal = slackRefusal(error);
  return refusal.kind === "refused" && refusal.code === "expired_trigger_id";
}
/** Whatever comes after a change was begun is answered where it happens, so this is only ever said before. */
const wentWrong =
  "Something went wrong in Curfew before it could act. Nothing was changed: try again, and if it goes on, tell those who run Curfew.";
