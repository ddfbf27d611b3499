import { Fragment } from "preact";
import type { DrawnMessage } from "../../wire.ts";
import { dayOf } from "../format-time.ts";
import { useStickToEnd } from "../hooks/use-stick-to-end.ts";
import { useSession } from "../session.ts";
import { Message } from "./message.tsx";
import { NewerButton } from "./new-messages.tsx";

interface MessageListProps {
  readonly label: string;
  readonly messages: readonly DrawnMessage[];
  /** How many messages the viewer has sent here. */
  readonly sent: number;
  readonly onThread: (message: DrawnMessage) => void;
}

/** The messages of one conversation, newest last, with replies in their threads. Screen readers announce new messages. */
export function MessageList({ label, messages, sent, onThread }: MessageListProps) {
  const { viewer } = useSession();
  const { list, hasNewer, onScroll, toEnd } = useStickToEnd(messages, sent);
  const isHere = (ts: string | undefined) => messages.some((message) => message.ts === ts);
  const shown = messages.filter(({ threadTs }) => !isHere(threadTs));
  return (
    <div class="messages" ref={list} role="log" aria-label={label} onScroll={onScroll}>
      {shown.length === 0 && <p class="remark">No messages yet.</p>}
      {shown.map((message, index) => {
        const day = dayOf(message.at, viewer.zone);
        const before = shown[index - 1];
        const isNewDay = before === undefined || dayOf(before.at, viewer.zone) !== day;
        return (
          <Fragment key={message.ts}>
            {isNewDay && <h3 class="day">{day}</h3>}
            <Message
              message={message}
              replies={messages.filter(({ threadTs }) => threadTs === message.ts)}
              onThread={() => onThread(message)}
            />
          </Fragment>
        );
      })}
      {hasNewer && <NewerButton onClick={toEnd} />}
    </div>
  );
}
