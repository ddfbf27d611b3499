import { useMemo } from "preact/hooks";
import type { DrawnMessage } from "../../wire.ts";
import { Blocks } from "../blocks/blocks.tsx";
import { dayAndTime, timeOfDay } from "../format-time.ts";
import { MenuButton } from "../menu-button.tsx";
import { useSession } from "../session.ts";
import { SurfaceProvider } from "../surface.ts";

interface MessageProps {
  readonly message: DrawnMessage;
  /** Replies in its thread. Empty when the message is shown in the thread itself. */
  readonly replies?: readonly DrawnMessage[];
  readonly onThread?: () => void;
}

/** A message with its author, blocks and actions. */
export function Message({ message, replies = [], onThread }: MessageProps) {
  const { viewer, app, act, ask } = useSession();
  const { channelId, ts, at, from, fromKind, isOnlyForYou, isEdited, hasShortcuts, blocks, attachments } = message;
  const surface = useMemo(
    () => ({ on: { channelId, ts }, key: `${channelId} ${ts}`, act, ask }),
    [channelId, ts, act, ask],
  );
  const shortcuts = hasShortcuts ? app.shortcuts.filter(({ kind }) => kind === "message") : [];
  const items = [
    ...shortcuts.map(({ name }) => ({
      text: `${name} · ${app.name}`,
      run: async () => void (await act({ kind: "shortcut", name, message: { channelId, ts } })),
    })),
    ...(onThread && !isOnlyForYou ? [{ text: "Reply in thread", run: onThread }] : []),
  ];
  return (
    <article class={isOnlyForYou ? "message private" : "message"} aria-label={`${from}, ${timeOfDay(at, viewer.zone)}`}>
      <span class={`avatar ${fromKind}`} aria-hidden="true">
        {fromKind === "app" ? "☾" : from.slice(0, 1)}
      </span>
      <div class="message-body">
        <p class="author">
          <strong>{from}</strong>
          {fromKind === "app" && <span class="badge">APP</span>}
          <time dateTime={new Date(at).toISOString()} title={dayAndTime(at, viewer.zone)}>
            {timeOfDay(at, viewer.zone)}
          </time>
          {isOnlyForYou && <span class="remark">Only visible to you</span>}
        </p>
        <SurfaceProvider value={surface}>
          <Blocks blocks={blocks} />
          {attachments.map((attachment, index) => (
            <div key={index} class="attachment">
              <Blocks blocks={attachment} />
            </div>
          ))}
        </SurfaceProvider>
        {isEdited && <span class="remark">(edited)</span>}
        {replies.length > 0 && (
          <button type="button" class="button link" onClick={onThread}>
            {replies.length === 1 ? "1 reply" : `${replies.length} replies`}
          </button>
        )}
      </div>
      {items.length > 0 && <MenuButton label="More actions" items={items} />}
    </article>
  );
}
