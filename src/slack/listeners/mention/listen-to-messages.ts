import type { App } from "@slack/bolt";
import { acknowledgementIn } from "../../connection/held-events.ts";
import { arrivalIn } from "../../connection/measured-client.ts";
import type { Line } from "../line/line.ts";
import { type TakeLinePorts, takeLine } from "../line/take-line.ts";
import { addressedLine } from "./addressed-line.ts";
import { createOnce, isRepeatedBySlack } from "./once.ts";
import { type MessageToCurfew, readMessage } from "./read-message.ts";

/** Slack may deliver an event late. Later than this, its writer has done it in another way, or does not want it any more. */
const tooLateMs = 15 * 60_000;

/** Listens to mentions in channels and to direct messages, which take the same lines as the slash command. */
export function listenToMessages(app: App, ports: TakeLinePorts): void {
  const once = createOnce(() => performance.now());
  const take = async (message: MessageToCurfew | undefined, context: Context): Promise<void> => {
    if (!message) return;
    const line = lineIn(message, context, ports);
    if (!line) return;
    const recorded = acknowledgementIn(context);
    const isRepeated = isRepeatedBySlack(context.retryNum);
    const { receipts, actors, access } = ports;
    const known = actors.known(line.userId);
    await once(message.key, async () => {
      // Nothing is recorded for an outsider.
      if (known && access.isOutsider({ actor: known, channelId: line.channelId }))
        return takeLine(ports, line, { recorded, isRepeated });
      // Another instance has heard it first, and answers it.
      if (!(await receipts.hear(message.key))) return recorded();
      await takeLine(ports, line, { recorded, isRepeated }).catch(async (error: unknown) => {
        await receipts.forget(message.key);
        throw error;
      });
      await receipts.answered(message.key);
    });
  };
  app.event("app_mention", ({ event, context }) => take(readMessage("app_mention", event), context));
  app.event("message", ({ event, context }) => take(readMessage("message", event), context));
}

type Context = Readonly<Record<string, unknown>> & {
  readonly botUserId?: string | undefined;
  readonly retryNum?: number | undefined;
};

function lineIn(message: MessageToCurfew, context: Context, ports: TakeLinePorts): Line | undefined {
  const { userId, channelId, text, isDirect, key, writtenAt, threadTs } = message;
  const { slashCommand, now } = ports;
  const { botUserId } = context;
  const isLate = now() - writtenAt > tooLateMs;
  const said = { isDirect, isReply: threadTs !== undefined };
  const addressed = addressedLine(text, said, { botUserId, slashCommand });
  if (!addressed) return undefined;
  const read = isLate ? late : addressed;
  return {
    ...{ userId, channelId, key, text: read.kind === "line" ? read.text : "" },
    ...(read.kind === "line" ? {} : { split: read }),
    ...{ responseUrl: undefined, triggerId: undefined, arrivedAt: arrivalIn(context) },
    place: { channelId, threadTs, isDirect },
    ...(threadTs && !isDirect ? { askedIn: { channelId, ts: threadTs } } : {}),
    // "For 1h" counts from when it was written.
    askedAt: isLate ? now() : Math.min(writtenAt, now()),
  };
}

const late = {
  kind: "unclear",
  problem:
    "Your message reached Curfew more than 15 minutes late, so it was not read. Nothing was changed now: send it again if you still want it.",
  words: [],
} as const;
