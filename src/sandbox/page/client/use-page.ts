import { useEffect, useState } from "preact/hooks";
import type { Conversation, PageParts } from "../wire.ts";
import { connect } from "./connection.ts";

export interface PageState {
  /** All of them once the server has told them. */
  readonly parts: PageParts | undefined;
  readonly conversations: Readonly<Record<string, Conversation>>;
  readonly connection: "open" | "lost" | "refused";
}

interface CommandReply {
  readonly as: string;
  readonly parts: Partial<PageParts>;
  readonly conversations: Readonly<Record<string, Conversation>>;
  readonly connection: PageState["connection"];
}

const nothing = { parts: {}, conversations: {}, connection: "open" } as const;

/** What the server tells this viewer. Another viewer begins with nothing, so that none sees what was another's. */
export function usePage(as: string): PageState {
  const [told, setTold] = useState<CommandReply>({ as, ...nothing });
  useEffect(() => {
    setTold({ as, ...nothing });
    return connect(as, {
      onPart: (name, part) => setTold((before) => ({ ...before, parts: { ...before.parts, [name]: part } })),
      onConversation: (conversation) =>
        setTold((before) => ({
          ...before,
          conversations: { ...before.conversations, [conversation.where]: conversation },
        })),
      onState: (connection) => setTold((before) => ({ ...before, connection })),
    });
  }, [as]);
  if (told.as !== as) return { ...nothing, parts: undefined };
  const { parts, conversations, connection } = told;
  return { parts: isWhole(parts) ? parts : undefined, conversations, connection };
}

/** `guide` is told last. */
function isWhole(parts: Partial<PageParts>): parts is PageParts {
  return parts.guide !== undefined;
}
