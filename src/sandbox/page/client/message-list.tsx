import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { DrawnMessage } from "../wire.ts";
import { Message } from "./message.tsx";
import { useSession } from "./session.ts";
import { dayOf } from "./written.ts";

interface MessageListProps {
  readonly label: string;
  readonly messages: readonly DrawnMessage[];
  readonly onThread: (message: DrawnMessage) => void;
}

/** What is said in one place, the latest at the end, replies in their threads. New messages are read out. */
export function MessageList({ label, messages, onThread }: MessageListProps) {
  const { viewer } = useSession();
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isAtEnd.current) list.current?.scrollTo(0, list.current.scrollHeight);
  }, [messages]);
  const isHere = (ts: string | undefined) => messages.some((message) => message.ts === ts);
  const shown = messages.filter(({ threadTs }) => !isHere(threadTs));
  const onScroll = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = list.current ?? {};
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < 80;
  };
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
    </div>
  );
}
