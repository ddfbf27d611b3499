import type { Conversation, PageParts } from "../../src/sandbox/page/wire.ts";

export interface WatchedPage {
  /** Everything the server sent to this viewer, as it came. */
  readonly received: string;
  readonly parts: Partial<PageParts>;
  readonly conversations: Readonly<Record<string, Conversation>>;
  /** Resolves once what was sent so far makes it true. */
  until(isSo: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Listens to the page's events as its client does. */
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
    else parts[name] = value;
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
    until: (isSo) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`It did not come to that:\n${received.slice(-3000)}`)), 15_000);
        const look = (): void => {
          if (!isSo()) return;
          clearTimeout(late);
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
    close: async () => {
      stopped.abort();
      await done;
    },
  };
}
