import type { App, Middleware, SlackShortcutMiddlewareArgs } from "@slack/bolt";
import { formAction, runAction } from "./blocks/button.ts";
import type { Message } from "./blocks/message.ts";
import { noticeMessage } from "./blocks/outcome-message.ts";
import { slackRefusal } from "./checks/slack-refusal.ts";
import { type Desk, type Origin, replyTo } from "./desk.ts";
import { inputActionId } from "./fields/field-kind.ts";
import { formCallback } from "./form.ts";
import { handleLine } from "./handle-line.ts";
import { handlePress } from "./handle-press.ts";
import { handleRedraw } from "./handle-redraw.ts";
import { handleShortcut } from "./handle-shortcut.ts";
import { handleSubmission } from "./handle-submission.ts";
import { handleSuggestion } from "./handle-suggestion.ts";
import type { InFlight } from "./in-flight.ts";
import { readLine } from "./read-line.ts";
import { readPress, readRedraw } from "./read-press.ts";
import { readShortcut } from "./read-shortcut.ts";
import { readSubmission } from "./read-submission.ts";

export interface ListenerOptions {
  readonly desk: Desk;
  readonly inFlight: InFlight;
}

/** Every listener there is. Each acknowledges, translates the payload and hands it on. */
export function registerListeners(app: App, { desk, inFlight }: ListenerOptions): void {
  app.command(desk.slashCommand, async ({ ack, command }) => {
    await ack();
    const line = readLine(command);
    if (line) await attend(desk, inFlight, line, () => handleLine(desk, line));
  });

  app.view(formCallback, async ({ ack, body }) => {
    const submission = readSubmission(body);
    if (!submission) return ack();
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
    const origin = { userId: submission.userId, channelId: null, responseUrl: undefined };
    // As long as the form is open, a word about it stands in it, and nothing that was typed is lost.
    const tell = async (message: Message) => {
      const [firstBlock] = Object.keys(submission.values);
      if (isAcknowledged || firstBlock === undefined) await replyTo(desk, origin).tell(message);
      else await acknowledge.errors({ [firstBlock]: message.text });
    };
    await attend(desk, inFlight, origin, () => handleSubmission(desk, submission, acknowledge), tell);
    if (!isAcknowledged) await ack();
  });

  app.action(new RegExp(`^(?:${formAction}|${runAction}):`), async ({ ack, body }) => {
    await ack();
    const press = readPress(body);
    if (press) await attend(desk, inFlight, press, () => handlePress(desk, press));
  });

  app.action(new RegExp(`^(?:${inputActionId}$|reference:)`), async ({ ack, body }) => {
    await ack();
    const redraw = readRedraw(body);
    if (!redraw) return;
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
    if (shortcut) await attend(desk, inFlight, shortcut, () => handleShortcut(desk, shortcut));
  };
  app.shortcut("exclude-resources", openExclusion);
  app.shortcut("new-exclusion", openExclusion);

  app.event("app_home_opened", async ({ event }) => {
    if (event.tab === "home" && typeof event.user === "string") await inFlight.track(() => desk.homes.show(event.user));
  });

  app.options(/^reference:/, async ({ ack, body }) => {
    const options = await suggestions(desk, body).catch((error: unknown) => {
      desk.log.error({ err: error }, "suggestions could not be found");
      return [];
    });
    await ack({ options });
  });
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
  return handleSuggestion(desk, {
    userId: user.id,
    blockId: block_id,
    query: value,
    privateMetadata: view?.private_metadata ?? "",
    values: view?.state?.values,
  });
}

/** Handles one request: counted as under way, held to its person's limit, and never ending without a word to them. */
async function attend(
  desk: Desk,
  inFlight: InFlight,
  origin: Origin,
  handle: () => Promise<void>,
  tell: (message: Message) => Promise<unknown> = (message) => replyTo(desk, origin).tell(message),
): Promise<void> {
  await inFlight.track(async () => {
    try {
      if (desk.floodGuard.admit(origin.userId)) await handle();
      else await tell(noticeMessage(":hourglass:", tooMany));
    } catch (error) {
      if (isTooLate(error)) {
        desk.log.warn({ userId: origin.userId }, "Slack took so long that no form could be opened any more");
        await tell(noticeMessage(":warning:", tooLate));
        return;
      }
      desk.log.error({ err: error }, "a request could not be handled");
      await tell(noticeMessage(":warning:", wentWrong));
    }
  });
}

const tooMany = "That is a lot within one minute. Nothing was changed: wait a moment and ask again.";
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
