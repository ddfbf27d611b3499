import { useEffect, useState } from "preact/hooks";
import type { Conversation, PageParts } from "../../wire.ts";
import { connect } from "../connection.ts";

export interface PageState {
  /** Undefined until the server has sent all of them. */
  readonly parts: PageParts | undefined;
  readonly conversations: Readonly<Record<string, Conversation>>;
  readonly connection: "open" | "lost" | "refused";
}

interface Received {
  readonly as: string;
  readonly parts: Partial<PageParts>;
  readonly conversations: Readonly<Record<string, Conversation>>;
  readonly connection: PageState["connection"];
}

const empty = { parts: {}, conversations: {}, connection: "open" } as const;

/** The state that the server sends for this viewer. Starts empty for each viewer, so that nobody sees another's data. */
export function usePage(as: string): PageState {
  const [received, setReceived] = useState<Received>({ as, ...empty });
  useEffect(() => {
    setReceived({ as, ...empty });
    return connect(as, {
      onPart: (name, part) => setReceived((before) => ({ ...before, parts: { ...before.parts, [name]: part } })),
      onConversation: (conversation) =>
        setReceived((before) => ({
          ...before,
          conversations: { ...before.conversations, [conversation.where]: conversation },
        })),
      onState: (connection) => setReceived((before) => ({ ...before, connection })),
    });
  }, [as]);
  if (received.as !== as) return { ...empty, parts: undefined };
  const { parts, conversations, connection } = received;
  return { parts: isComplete(parts) ? parts : undefined, conversations, connection };
}

/** The server sends `guide` last. */
function isComplete(parts: Partial<PageParts>): parts is PageParts {
  return parts.guide !== undefined;
}
