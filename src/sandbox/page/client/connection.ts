import { useEffect, useState } from "preact/hooks";
import type { ActAnswer, Conversation, PageAct, PageParts, PanelAct } from "../wire.ts";

export const notResponding = "The sandbox is not responding. Is npm start still running?";

interface Received {
  readonly as: string;
  readonly parts: Partial<PageParts>;
  readonly conversations: Readonly<Record<string, Conversation>>;
  readonly connection: "open" | "lost" | "refused";
}

const empty = { parts: {}, conversations: {}, connection: "open" } as const;

/**
 * The state that the server sends for this viewer; `parts` is undefined until all of them came. Starts empty for each viewer, so that
 * nobody sees another's data.
 */
export function usePage(as: string) {
  const [received, setReceived] = useState<Received>({ as, ...empty });
  useEffect(() => {
    setReceived({ as, ...empty });
    return connect(as, (change) => setReceived((before) => ({ ...before, ...change(before) })));
  }, [as]);
  if (received.as !== as) return { ...empty, parts: undefined };
  const { parts, conversations, connection } = received;
  return { parts: isComplete(parts) ? parts : undefined, conversations, connection };
}

/** The server sends the switches last. */
function isComplete(parts: Partial<PageParts>): parts is PageParts {
  return parts.switches !== undefined;
}

/** Streams everything that one viewer may see. Returns a function that disconnects. */
function connect(as: string, update: (change: (before: Received) => Partial<Received>) => void): () => void {
  const source = new EventSource(`/api/events?as=${encodeURIComponent(as)}`);
  source.addEventListener("part", ({ data }) => {
    const part: Partial<PageParts> = JSON.parse(data);
    update(({ parts }) => ({ parts: { ...parts, ...part } }));
  });
  source.addEventListener("conversation", ({ data }) => {
    const conversation: Conversation = JSON.parse(data);
    update(({ conversations }) => ({ conversations: { ...conversations, [conversation.where]: conversation } }));
  });
  source.onopen = () => update(() => ({ connection: "open" }));
  source.onerror = () => update(() => ({ connection: source.readyState === EventSource.CLOSED ? "refused" : "lost" }));
  return () => source.close();
}

/** Sends of typed text that are still delayed, by input. They run before any other act. */
export const pendingSends = new Map<string, () => void>();
let last: Promise<unknown> = Promise.resolve();

/** Performs an act as that person. Acts that change a surface run one at a time, in order. */
export function act(as: string, act: PageAct): Promise<ActAnswer> {
  if (act.kind === "type" || act.kind === "search" || act.kind === "home") return post("/api/act", { as, act });
  if (act.kind !== "set") for (const send of [...pendingSends.values()]) send();
  const done = last.then(() => post("/api/act", { as, act }));
  last = done;
  return done;
}

export function actInPanel(act: PanelAct): Promise<ActAnswer> {
  return post("/api/panel", act);
}

async function post(path: string, body: unknown): Promise<ActAnswer> {
  try {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    return await answer.json();
  } catch {
    return { ok: false, error: notResponding };
  }
}
