import type { App, ReceiverEvent } from "@slack/bolt";

/** Told of every request of Slack's that was acknowledged, and how long that took from when it was read. */
export type OnAck = (request: string, ms: number) => void;

/** Where a listener's context has when its request was read, by `performance.now`. */
const arrivedAt = "arrivedAt";

export function arrivalIn(context: Readonly<Record<string, unknown>>): number {
  const at = context[arrivedAt];
  return typeof at === "number" ? at : performance.now();
}

/** The types that a request's body can have (platform.md §6); a slash command's has none. */
const types: ReadonlySet<unknown> = new Set([
  "block_actions",
  "block_suggestion",
  "event_callback",
  "message_action",
  "shortcut",
  "view_closed",
  "view_submission",
]);

/** The same for both receivers: each hands what it has read to `processEvent`. */
export function measureAcks(app: App, onAck: OnAck): void {
  const process = app.processEvent.bind(app);
  app.processEvent = (event) => {
    const readAt = performance.now();
    const ack: ReceiverEvent["ack"] = async (answer) => {
      await event.ack(answer);
      onAck(kindOf(event.body), performance.now() - readAt);
    };
    return process({ ...event, ack, customProperties: { ...event.customProperties, [arrivedAt]: readAt } });
  };
}

function kindOf({ type, command }: ReceiverEvent["body"]): string {
  if (typeof command === "string") return "command";
  return types.has(type) ? String(type) : "other";
}
