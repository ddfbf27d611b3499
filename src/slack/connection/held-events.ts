import type { App, ReceiverEvent } from "@slack/bolt";

/** The events that ask for something. Their listeners acknowledge them, so that Slack repeats what could not be recorded. */
const heldTypes: ReadonlySet<unknown> = new Set(["app_mention", "message", "function_executed"]);

/** The key in a listener's context for the acknowledgement of a held event. */
const acknowledgeKey = "acknowledgeEvent";

/** Acknowledges an event before its listener is done. */
export function acknowledgementIn(context: Readonly<Record<string, unknown>>): () => void {
  const acknowledge = context[acknowledgeKey];
  return typeof acknowledge === "function" ? () => void acknowledge() : () => undefined;
}

/**
 * Bolt acknowledges an event before its listeners run (PLATFORM.md §16.4). A held event is acknowledged by its listener, or after it;
 * not if the listener throws. Works for both receivers, since both call `processEvent`.
 */
export function holdEvents(app: App): void {
  const process = app.processEvent.bind(app);
  app.processEvent = async (event) => {
    if (!isHeld(event.body)) return process(event);
    let acknowledged: Promise<void> | undefined;
    const acknowledge = (): Promise<void> => {
      // What is recorded is handled even if Slack is gone by then, and known when Slack repeats it.
      acknowledged ??= event.ack().catch(() => undefined);
      return acknowledged;
    };
    const customProperties = { ...event.customProperties, [acknowledgeKey]: acknowledge };
    await process({ ...event, ack: async () => undefined, customProperties });
    await acknowledge();
  };
}

function isHeld({ type, event }: ReceiverEvent["body"]): boolean {
  return type === "event_callback" && typeof event === "object" && event !== null && heldTypes.has(event.type);
}
