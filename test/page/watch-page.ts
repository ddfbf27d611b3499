import type { Conversation, PageParts } from "../../src/sandbox/page/wire.ts";

export interface WatchedPage {
  /** The raw text that the server sent to this viewer. */
  readonly received: string;
  readonly parts: Partial<PageParts>;
  readonly conversations: Readonly<Record<string, Conversation>>;
  /** Resolves when the received state satisfies the condition. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Listens to the page's events like its client. */
export async function watchPage(url: string, as: string): Promise<WatchedPage> {
  const stopped = new AbortController();
  const answer = await fetch(`${url}/api/events?as=${as}`, { signal: stopped.signal });
  if (answer.body === null || answer.status !== 200) throw new Error(`The page answered ${answer.status}.`);
  const conversations: Record<string, Conversation> = {};
  const parts: Record<string, unknown> = {};
  const listeners = new Set<() => void>();
  let received = "";
  let rest = "";
  const take = (event: string): void => {
    const [, name = "", data = "null"] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? [];
    const value = JSON.parse(data);
    if (name === "conversation") conversations[value.where] = value;
    else if (name === "part") Object.assign(parts, value);
  };
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      const text = decoder.decode(chunk, { stream: true });
      received += text;
      const events = (rest + text).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) take(event);
      for (const listener of listeners) listener();
    }
  };
  const done = read(answer.body).catch(() => undefined);
  return {
    get received() {
      return received;
    },
    parts,
    conversations,
    until: (condition) =>
      new Promise((resolve, reject) => {
        const deadline = setTimeout(
          () => reject(new Error(`The condition was not met in 15 seconds. Received:\n${received.slice(-3000)}`)),
          15_000,
        );
        const check = (): void => {
          if (!condition()) return;
          clearTimeout(deadline);
          listeners.delete(check);
          resolve();
        };
        listeners.add(check);
        check();
      }),
    close: async () => {
      stopped.abort();
      await done;
    },
  };
}
