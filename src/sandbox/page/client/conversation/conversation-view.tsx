import { useState } from "preact/hooks";
import type { Conversation, DrawnPlace } from "../../wire.ts";
import { useSession } from "../session.ts";
import { Composer } from "./composer.tsx";
import { MessageList } from "./message-list.tsx";
import { Thread } from "./thread.tsx";

interface ConversationViewProps {
  readonly place: DrawnPlace;
  readonly conversation: Conversation | undefined;
  /** A line from the guide. */
  readonly offered?: string | undefined;
  readonly onOfferTaken?: () => void;
}

export function ConversationView({ place, conversation, offered, onOfferTaken }: ConversationViewProps) {
  const { app } = useSession();
  const [threadTs, setThreadTs] = useState<string | undefined>();
  const [sent, setSent] = useState(0);
  const { where, kind, name, members, isShared, hasApp, isWritable } = place;
  const isChannel = kind === "public" || kind === "private";
  const title = isChannel ? `#${name}` : name;
  const messages = conversation?.messages ?? [];
  const parent = messages.find(({ ts }) => ts === threadTs);
  const remarks = [
    ...(isChannel ? [`${members} members`] : []),
    ...(kind === "private" ? ["private"] : []),
    ...(isShared ? ["shared with another organization"] : []),
    ...(isChannel && !hasApp ? [`${app.name} is not in this channel`] : []),
  ];
  return (
    <div class="place">
      <section class="conversation" aria-label={title}>
        {kind !== "app" && (
          <header>
            <h1>{title}</h1>
            <p class="remark">{remarks.join(" · ")}</p>
          </header>
        )}
        <MessageList
          label={`Messages in ${title}`}
          messages={messages}
          sent={sent}
          onThread={({ ts }) => setThreadTs(ts)}
        />
        {isWritable ? (
          <Composer
            where={where}
            label={`Message ${title}`}
            offered={offered}
            onOfferTaken={onOfferTaken}
            onSent={() => setSent(sent + 1)}
          />
        ) : (
          <p class="remark closed">Sending messages here is turned off. Commands work in every channel.</p>
        )}
      </section>
      {parent && (
        <Thread
          key={parent.ts}
          parent={parent}
          messages={messages}
          where={where}
          isWritable={isWritable}
          onClose={() => setThreadTs(undefined)}
        />
      )}
    </div>
  );
}
