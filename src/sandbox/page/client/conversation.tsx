import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Place, ShownMessage } from "../wire.ts";
import { Blocks } from "./blocks.tsx";
import { Composer } from "./composer.tsx";
import { MenuButton } from "./menu-button.tsx";
import { addressOf, dayAndTime, dayOf, type Surface, timeOfDay, useSession } from "./session.ts";
import { Mrkdwn } from "./text.tsx";

export function AppView({ place }: { readonly place: Place }) {
  const { route, unseen } = useSession();
  const count = unseen[place.where] ?? 0;
  return (
    <section class="app-view" aria-label={place.name}>
      <header>
        <h1>{place.name}</h1>
        <nav class="tabs" aria-label={`Parts of ${place.name}`}>
          {(["home", "messages"] as const).map((tab) => (
            <a key={tab} href={addressOf({ ...route, tab })} aria-current={route.tab === tab ? "page" : undefined}>
              {tab === "home" ? "Home" : "Messages"} {tab === "messages" && count > 0 && <Count count={count} />}
            </a>
          ))}
        </nav>
      </header>
      {route.tab === "home" ? <Home /> : <ConversationView place={place} />}
    </section>
  );
}

/** Opening the tab notifies the app, which then publishes the view. */
function Home() {
  const { home, act } = useSession();
  useEffect(() => void act({ kind: "home" }), [act]);
  return (
    <div class="home">
      {home === null ? (
        <p class="remark">Curfew has not published this tab yet.</p>
      ) : (
        <Blocks blocks={home.blocks} surface={{ on: "home", key: "home", state: home.state, errors: {} }} />
      )}
    </div>
  );
}

export function Count({ count }: { readonly count: number }) {
  return (
    <span class="count">
      {count}
      <span class="for-readers"> new</span>
    </span>
  );
}

export function ConversationView({ place }: { readonly place: Place }) {
  const { app, conversations } = useSession();
  const [threadTs, setThreadTs] = useState<string | undefined>();
  const [sent, setSent] = useState(0);
  const { where, kind, name, members, isShared, hasApp, isWritable } = place;
  const isChannel = kind === "public" || kind === "private";
  const title = isChannel ? `#${name}` : name;
  const messages = conversations[where]?.messages ?? [];
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

interface MessageListProps extends Omit<LogProps, "children"> {
  readonly onThread: (message: ShownMessage) => void;
}

/** The messages of one conversation, newest last, with replies in their threads. */
function MessageList({ label, messages, sent, onThread }: MessageListProps) {
  const { viewer } = useSession();
  const isHere = (ts: string | undefined) => messages.some((message) => message.ts === ts);
  const shown = messages.filter(({ threadTs }) => !isHere(threadTs));
  return (
    <Log label={label} messages={messages} sent={sent}>
      {shown.length === 0 && <p class="remark">No messages yet.</p>}
      {shown.map((message, index) => {
        const day = dayOf(message.at, viewer.zone);
        const before = shown[index - 1];
        const isNewDay = before === undefined || dayOf(before.at, viewer.zone) !== day;
        return (
          <div key={message.ts}>
            {isNewDay && <h3 class="day">{day}</h3>}
            <Message
              message={message}
              // As in Slack, messages to one person do not count.
              replies={messages.filter((each) => each.threadTs === message.ts && !each.isOnlyForYou).length}
              onThread={() => onThread(message)}
            />
          </div>
        );
      })}
    </Log>
  );
}

interface LogProps {
  readonly label: string;
  readonly messages: readonly ShownMessage[];
  readonly sent: number;
  readonly children: ComponentChildren;
}

/** A list that stays at its end. Screen readers announce new messages. */
function Log({ label, messages, sent, children }: LogProps) {
  const { list, hasNewer, onScroll, toEnd } = useStickToEnd(messages, sent);
  return (
    <>
      <div class="messages" ref={list} role="log" aria-label={label} onScroll={onScroll}>
        {children}
      </div>
      {hasNewer && (
        <button type="button" class="button primary newer" onClick={toEnd}>
          New messages ↓
        </button>
      )}
    </>
  );
}

interface MessageProps {
  readonly message: ShownMessage;
  /** How many replies are in its thread. None when the message is shown in the thread itself. */
  readonly replies?: number;
  readonly onThread?: () => void;
}

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

function Thread({ parent, messages, where, isWritable, onClose }: ThreadProps) {
  const replies = messages.filter(({ threadTs }) => threadTs === parent.ts);
  const [sent, setSent] = useState(0);
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
      <Log label="Replies" messages={replies} sent={sent}>
        <Message message={parent} />
        <hr />
        {replies.map((message) => (
          <Message key={message.ts} message={message} />
        ))}
      </Log>
      {isWritable && <Composer where={where} label="Reply" threadTs={parent.ts} onSent={() => setSent(sent + 1)} />}
    </aside>
  );
}

/** The channel in which roles of the example config may act. */
const triedIn = "ops";

/** Until the page is opened again. */
let wasDismissed = false;

/** Lines that work for this person, for newcomers. A press sends the line. */
function Tries() {
  const { viewer, app, act } = useSession();
  const [isDismissed, setIsDismissed] = useState(wasDismissed);
  const command = app.commands[0]?.command ?? "";
  if (isDismissed) return null;
  const dismiss = () => {
    wasDismissed = true;
    setIsDismissed(true);
  };
  return (
    <section class="tries" aria-label="Lines to try">
      {viewer.tries.length === 0 && <p>Curfew serves full members only. Act as somebody else to use it.</p>}
      {viewer.tries.map((line) => (
        <button
          key={line}
          type="button"
          class="button plain"
          onClick={() => void act({ kind: "type", text: `${command} ${line}`, where: triedIn })}
        >
          {command} {line}
        </button>
      ))}
      <button type="button" class="button icon" aria-label="Dismiss the lines to try" onClick={dismiss}>
        ×
      </button>
    </section>
  );
}

/** Within this distance the list counts as scrolled to the end. */
const nearPx = 80;

/**
 * Keeps a list scrolled to its end until the reader scrolls up. Sending a message scrolls back to the end.
 * While a menu in the list is open, the list does not move under the pointer.
 */
function useStickToEnd(messages: readonly ShownMessage[], sent: number) {
  const list = useRef<HTMLDivElement>(null);
  const seen = useRef({ isAtEnd: true, latest: messages.at(-1)?.ts, top: 0, height: 0, viewportHeight: 0 });
  const [hasNewer, setHasNewer] = useState(false);
  const toEnd = () => {
    seen.current.isAtEnd = true;
    setHasNewer(false);
    list.current?.scrollTo(0, list.current.scrollHeight);
    Object.assign(seen.current, measured(list.current));
  };
  const isFollowing = () => seen.current.isAtEnd && !list.current?.querySelector('[role="menu"]');
  useLayoutEffect(() => {
    const latest = messages.at(-1)?.ts;
    const isNew = latest !== seen.current.latest;
    seen.current.latest = latest;
    if (isFollowing()) toEnd();
    else if (isNew) setHasNewer(true);
  }, [messages]);
  useLayoutEffect(() => {
    if (sent > 0) toEnd();
  }, [sent]);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (isFollowing()) toEnd();
    });
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    const before = seen.current;
    const now = measured(list.current);
    const isNear = now.height - now.top - now.viewportHeight < nearPx;
    // Any other scroll event comes from a change of the content or the window, and the list follows it shortly.
    const isMoved =
      now.top < before.top && now.height === before.height && now.viewportHeight === before.viewportHeight;
    if (isNear || isMoved) before.isAtEnd = isNear;
    if (isNear) setHasNewer(false);
    Object.assign(before, now);
  };
  /** `hasNewer`: there are new messages below the visible ones. */
  return { list, hasNewer, onScroll, toEnd };
}

function measured(list: HTMLElement | null) {
  return { top: list?.scrollTop ?? 0, height: list?.scrollHeight ?? 0, viewportHeight: list?.clientHeight ?? 0 };
}
