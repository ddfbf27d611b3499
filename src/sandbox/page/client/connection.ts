import { type ActAnswer, type Conversation, type PageAct, type PageParts, type PanelAct, partNames } from "../wire.ts";

export interface Connection {
  readonly onPart: <K extends keyof PageParts>(name: K, part: PageParts[K]) => void;
  readonly onConversation: (conversation: Conversation) => void;
  readonly onState: (state: "open" | "lost" | "refused") => void;
}

/** Streams everything that one viewer may see. Returns a function that disconnects. */
export function connect(as: string, { onPart, onConversation, onState }: Connection): () => void {
  const source = new EventSource(`/api/events?as=${encodeURIComponent(as)}`);
  for (const name of partNames) {
    source.addEventListener(name, ({ data }) => onPart(name, JSON.parse(data)));
  }
  source.addEventListener("conversation", ({ data }) => onConversation(JSON.parse(data)));
  source.onopen = () => onState("open");
  source.onerror = () => onState(source.readyState === EventSource.CLOSED ? "refused" : "lost");
  return () => source.close();
}

/** Sends of typed text that are still delayed, by input. They run before any other act. */
const pendingSends = new Map<string, () => void>();
let last: Promise<unknown> = Promise.resolve();

export function delaySend(key: string, send: () => void): void {
  pendingSends.set(key, send);
}

export function cancelSend(key: string): void {
  pendingSends.delete(key);
}

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
    return { ok: false, error: "The sandbox is not responding. Is npm start still running?" };
  }
}
