import type { ServerResponse } from "node:http";
import type { SentEvent } from "./page-events.ts";

export interface EventSource {
  /** Everything there is to show now. */
  readonly events: () => readonly SentEvent[];
  /** Tells of every change, until the returned function is called. */
  readonly onChange: (listener: () => void) => () => void;
}

const pauseMs = 25;
const beatMs = 15_000;

/**
 * Server-Sent Events: all of the state at first, then whatever part of it is no longer as it was sent. A client that lost the
 * connection and comes back gets all of it again, so nothing is missed.
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
      // The client asks again, and is told then what is wrong.
      response.destroy();
    }
  };
  const first = source.events();
  // Changes come in bursts; one look after each is enough.
  const stopListening = source.onChange(() => {
    timer ??= setTimeout(flush, pauseMs);
  });
  // Also lets what only time changes, such as an exclusion's end, be seen.
  const beat = setInterval(flush, beatMs);
  beat.unref();
  response.on("close", () => {
    stopListening();
    clearTimeout(timer);
    clearInterval(beat);
  });
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  send(first);
}
