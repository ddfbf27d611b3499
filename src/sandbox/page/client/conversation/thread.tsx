import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DrawnMessage } from "../../wire.ts";
import { useStickToEnd } from "../hooks/use-stick-to-end.ts";
import { Composer } from "./composer.tsx";
import { Message } from "./message.tsx";
import { NewerButton } from "./new-messages.tsx";

interface ThreadProps {
  readonly parent: DrawnMessage;
  readonly messages: readonly DrawnMessage[];
  readonly where: string;
  readonly isWritable: boolean;
  readonly onClose: () => void;
}

/** A message and its replies. */
export function Thread({ parent, messages, where, isWritable, onClose }: ThreadProps) {
  const replies = messages.filter(({ threadTs }) => threadTs === parent.ts);
  const [sent, setSent] = useState(0);
  const { list, hasNewer, onScroll, toEnd } = useStickToEnd(replies, sent);
  const thread = useRef<HTMLElement>(null);
  useLayoutEffect(() => thread.current?.focus(), []);
  return (
    <aside class="thread" aria-label="Thread" ref={thread} tabIndex={-1}>
      <header>
        <h2>Thread</h2>
        <button type="button" class="button icon" aria-label="Close the thread" onClick={onClose}>
          ×
        </button>
      </header>
      <div class="messages" ref={list} role="log" aria-label="Replies" onScroll={onScroll}>
        <Message message={parent} />
        <hr />
        {replies.map((message) => (
          <Message key={message.ts} message={message} />
        ))}
        {hasNewer && <NewerButton onClick={toEnd} />}
      </div>
      {isWritable && <Composer where={where} label="Reply" threadTs={parent.ts} onSent={() => setSent(sent + 1)} />}
    </aside>
  );
}
