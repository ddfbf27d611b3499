import type { ServerResponse } from "node:http";
import type { SentEvent } from "./page-events.ts";

export interface EventSource {
  /** The complete current state. */
  readonly events: () => readonly SentEvent[];
  /** Calls the listener on every change, until the returned function is called. */
  readonly onChange: (listener: () => void) => () => void;
}

const debounceMs = 25;
const heartbeatMs = 15_000;

/**
 * Server-Sent Events: first the complete state, then every part that differs from what was sent. A client that reconnects gets the
 * complete state again, so it misses nothing.
 */
export function streamEvents(response: ServerResponse, source: EventSource): void {
  const sent = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  const send = (events: readonly SentEvent[]): void => {
    for (const { name, key, data } of events) {
      const json = JSON.stringify(data);
      if (sent.get(key) === json) continue;
      sent.set(key, json);
      response.write(`event: ${name}\ndata: ${json}\n\n`);
    }
  };
  const flush = (): void => {
    timer = undefined;
    try {
      send(source.events());
    } catch {
      // The client reconnects and then gets the error.
      response.destroy();
    }
  };
  const first = source.events();
  // Changes come in bursts, so one comparison after each burst is enough.
  const stopListening = source.onChange(() => {
    timer ??= setTimeout(flush, debounceMs);
  });
  // Also detects changes that only time makes, for example the end of an exclusion.
  const heartbeat = setInterval(flush, heartbeatMs);
  heartbeat.unref();
  response.on("close", () => {
    stopListening();
    clearTimeout(timer);
    clearInterval(heartbeat);
  });
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  send(first);
}
