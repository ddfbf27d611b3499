import { Fragment } from "preact";
import type { DrawnMessage } from "../wire.ts";
import { Message } from "./message.tsx";
import { NewerButton } from "./newer-button.tsx";
import { useSession } from "./session.ts";
import { useEnd } from "./use-end.ts";
import { dayOf } from "./written.ts";

interface MessageListProps {
  readonly label: string;
  readonly messages: readonly DrawnMessage[];
  /** How often the reader has sent something here. */
  readonly sent: number;
  readonly onThread: (message: DrawnMessage) => void;
}

/** What is said in one place, the latest at the end, replies in their threads. New messages are read out. */
export function MessageList({ label, messages, sent, onThread }: MessageListProps) {
  const { viewer } = useSession();
  const { list, hasNewer, onScroll, toEnd } = useEnd(messages, sent);
  const isHere = (ts: string | undefined) => messages.some((message) => message.ts === ts);
  const shown = messages.filter(({ threadTs }) => !isHere(threadTs));
  return (
    <div class="messages" ref={list} role="log" aria-label={label} onScroll={onScroll}>
      {shown.length === 0 && <p class="remark">Nothing has been said here yet.</p>}
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
