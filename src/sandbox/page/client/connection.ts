import { type ActAnswer, type Conversation, type PageAct, type PageParts, type PanelAct, partNames } from "../wire.ts";

export interface Connection {
  readonly onPart: <K extends keyof PageParts>(name: K, part: PageParts[K]) => void;
  readonly onConversation: (conversation: Conversation) => void;
  readonly onState: (state: "open" | "lost" | "refused") => void;
}

/** Hears everything that one viewer may see, now and from now on. Gives the function that ends it. */
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

/** Text that was typed but not told yet, by where it stands: told before anything else is done. */
const untold = new Map<string, () => void>();
let last: Promise<unknown> = Promise.resolve();

export function notifySoon(key: string, tell: () => void): void {
  untold.set(key, tell);
}

export function forget(key: string): void {
  untold.delete(key);
}

/** Does something as that person. What changes a surface goes one after the other, in the order it was done. */
export function act(as: string, act: PageAct): Promise<ActAnswer> {
  if (act.kind === "type" || act.kind === "search" || act.kind === "home") return post("/api/act", { as, act });
  if (act.kind !== "set") for (const tell of [...untold.values()]) tell();
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
    return { ok: false, error: "The sandbox does not answer. Is npm start still running?" };
  }
}
