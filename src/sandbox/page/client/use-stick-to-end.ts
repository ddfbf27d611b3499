import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ShownMessage } from "../wire.ts";

/** Within this distance the list counts as scrolled to the end. */
const nearPx = 80;

export interface StickToEnd {
  readonly list: RefObject<HTMLDivElement>;
  /** There are new messages below the visible ones. */
  readonly hasNewer: boolean;
  readonly onScroll: () => void;
  readonly toEnd: () => void;
}

/**
 * Keeps a list scrolled to its end until the reader scrolls up. Sending a message scrolls back to the end.
 * While a menu in the list is open, the list does not move under the pointer.
 */
export function useStickToEnd(messages: readonly ShownMessage[], sent: number): StickToEnd {
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
  return { list, hasNewer, onScroll, toEnd };
}

function measured(list: HTMLElement | null) {
  return { top: list?.scrollTop ?? 0, height: list?.scrollHeight ?? 0, viewportHeight: list?.clientHeight ?? 0 };
}
