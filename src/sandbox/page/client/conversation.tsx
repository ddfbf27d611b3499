import { Fragment } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Conversation, HomeShown, Place, ShownMessage } from "../wire.ts";
import { Blocks } from "./blocks.tsx";
import { Composer } from "./composer.tsx";
import { MenuButton } from "./menu-button.tsx";
import { addressOf, type Route } from "./route.ts";
import { type Surface, useSession } from "./session.ts";
import { Mrkdwn } from "./text.tsx";
import { dayAndTime, dayOf, timeOfDay } from "./time.ts";
import { Tries, triedIn } from "./tries.tsx";
import { useStickToEnd } from "./use-stick-to-end.ts";

interface AppViewProps {
  readonly place: Place;
  readonly route: Route;
  readonly home: HomeShown | null;
  readonly conversation: Conversation | undefined;
  /** The number of unseen messages. */
  readonly unseen: number;
}

/** The app's Home tab and its direct messages. */
export function AppView({ place, route, home, conversation, unseen }: AppViewProps) {
  return (
    <section class="app-view" aria-label={place.name}>
      <header>
        <h1>{place.name}</h1>
        <nav class="tabs" aria-label={`Parts of ${place.name}`}>
          {(["home", "messages"] as const).map((tab) => (
            <a key={tab} href={addressOf({ ...route, tab })} aria-current={route.tab === tab ? "page" : undefined}>
              {tab === "home" ? "Home" : "Messages"} {tab === "messages" && unseen > 0 && <Count count={unseen} />}
            </a>
          ))}
        </nav>
      </header>
      {route.tab === "home" ? <Home home={home} /> : <ConversationView place={place} conversation={conversation} />}
    </section>
  );
}

/** Opening the tab notifies the app, which then publishes the view. */
function Home({ home }: Pick<AppViewProps, "home">) {
  const { act } = useSession();
  useEffect(() => void act({ kind: "home" }), [act]);
  if (home === null)
    return (
      <div class="home">
        <p class="remark">Curfew has not published this tab yet.</p>
      </div>
    );
  return (
    <div class="home">
      <Blocks blocks={home.blocks} surface={{ on: "home", key: "home", state: home.state, errors: {} }} />
    </div>
  );
}

/** The number of unseen messages. */
export function Count({ count }: { readonly count: number }) {
  return (
    <span class="count">
      {count}
      <span class="for-readers"> new</span>
    </span>
  );
}

interface ConversationViewProps {
  readonly place: Place;
  readonly conversation: Conversation | undefined;
}

export function ConversationView({ place, conversation }: ConversationViewProps) {
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
  const label = `Message ${title}`;
  return (
    <div class="place">
      <section class="conversation" aria-label={title}>
        {kind !== "app" && (
          <header>
            <h1>{title}</h1>
            <p class="remark">{remarks.join(" · ")}</p>
          </header>
        )}
        <MessageList label={`Messages in ${title}`} {...{ messages, sent }} onThread={({ ts }) => setThreadTs(ts)} />
        {where === triedIn && <Tries />}
        {isWritable ? (
          <Composer {...{ where, label }} onSent={() => setSent(sent + 1)} />
        ) : (
          <p class="remark closed">Sending messages here is turned off. Commands work in every channel.</p>
        )}
      </section>
      {parent && (
        <Thread key={parent.ts} {...{ parent, messages, where, isWritable }} onClose={() => setThreadTs(undefined)} />
      )}
    </div>
  );
}

interface MessageListProps {
  readonly label: string;
  readonly messages: readonly ShownMessage[];
  /** How many messages the viewer has sent here. */
  readonly sent: number;
  readonly onThread: (message: ShownMessage) => void;
}

/** The messages of one conversation, newest last, with replies in their threads. Screen readers announce new messages. */
function MessageList({ label, messages, sent, onThread }: MessageListProps) {
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
              // As in Slack, messages to one person do not count.
              replies={messages.filter((each) => each.threadTs === message.ts && !each.isOnlyForYou).length}
              onThread={() => onThread(message)}
            />
          </Fragment>
        );
      })}
      {hasNewer && <NewerButton onClick={toEnd} />}
    </div>
  );
}

/** Scrolls down to new messages. */
function NewerButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" class="button primary newer" onClick={onClick}>
      New messages ↓
    </button>
  );
}

interface MessageProps {
  readonly message: ShownMessage;
  /** How many replies are in its thread. None when the message is shown in the thread itself. */
  readonly replies?: number;
  readonly onThread?: () => void;
}

/** A message with its author, blocks and actions. */
function Message({ message, replies = 0, onThread }: MessageProps) {
  const { viewer, app, act } = useSession();
  const { channelId, ts, at, from, fromKind, isOnlyForYou, isEdited, text, blocks, state } = message;
  const surface = useMemo(
    (): Surface => ({ on: { channelId, ts }, key: `${channelId} ${ts}`, state, errors: {} }),
    [message],
  );
  const shortcuts = isOnlyForYou ? [] : app.shortcuts.filter(({ kind }) => kind === "message");
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
        {blocks.length > 0 ? (
          <Blocks blocks={blocks} surface={surface} />
        ) : (
          <div class="blocks">
            <Mrkdwn text={text} />
          </div>
        )}
        {isEdited && <span class="remark">(edited)</span>}
        {replies > 0 && (
          <button type="button" class="button link" onClick={onThread}>
            {replies === 1 ? "1 reply" : `${replies} replies`}
          </button>
        )}
      </div>
      {items.length > 0 && <MenuButton label="More actions" items={items} />}
    </article>
  );
}

interface ThreadProps {
  readonly parent: ShownMessage;
  readonly messages: readonly ShownMessage[];
  readonly where: string;
  readonly isWritable: boolean;
  readonly onClose: () => void;
}

/** A message and its replies. */
function Thread({ parent, messages, where, isWritable, onClose }: ThreadProps) {
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
