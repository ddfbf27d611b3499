import type { DrawnMessage } from "../wire.ts";
import { Composer } from "./composer.tsx";
import { Message } from "./message.tsx";

interface ThreadProps {
  readonly parent: DrawnMessage;
  readonly messages: readonly DrawnMessage[];
  readonly where: string;
  readonly isWritable: boolean;
  readonly onClose: () => void;
}

/** A message and what was said about it. */
export function Thread({ parent, messages, where, isWritable, onClose }: ThreadProps) {
  const replies = messages.filter(({ threadTs }) => threadTs === parent.ts);
  return (
    <aside class="thread" aria-label="Thread">
      <header>
        <h2>Thread</h2>
        <button type="button" class="button icon" aria-label="Close the thread" onClick={onClose}>
          ×
        </button>
      </header>
      <div class="messages" role="log" aria-label="Replies">
        <Message message={parent} />
        <hr />
        {replies.map((message) => (
          <Message key={message.ts} message={message} />
        ))}
      </div>
      {isWritable && <Composer where={where} label="Reply" threadTs={parent.ts} />}
    </aside>
  );
}
