import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DrawnMessage } from "../wire.ts";

/** Pixels from the end that still count as being there. */
const nearPx = 80;

export interface End {
  readonly list: RefObject<HTMLDivElement>;
  /** Something came below what is in sight. */
  readonly hasNewer: boolean;
  readonly onScroll: () => void;
  readonly toEnd: () => void;
}

/** Keeps a list at its end, whatever comes and however wide it is, until its reader goes up; what the reader sends leads back. */
export function useEnd(messages: readonly DrawnMessage[], sent: number): End {
  const list = useRef<HTMLDivElement>(null);
  const seen = useRef({ isAtEnd: true, latest: messages.at(-1)?.ts, top: 0, height: 0, room: 0 });
  const [hasNewer, setHasNewer] = useState(false);
  const toEnd = () => {
    seen.current.isAtEnd = true;
    setHasNewer(false);
    list.current?.scrollTo(0, list.current.scrollHeight);
    Object.assign(seen.current, measured(list.current));
  };
  useLayoutEffect(() => {
    const latest = messages.at(-1)?.ts;
    const isNew = latest !== seen.current.latest;
    seen.current.latest = latest;
    if (seen.current.isAtEnd) toEnd();
    else if (isNew) setHasNewer(true);
  }, [messages]);
  useLayoutEffect(() => {
    if (sent > 0) toEnd();
  }, [sent]);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (seen.current.isAtEnd) toEnd();
    });
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    const before = seen.current;
    const now = measured(list.current);
    const isNear = now.height - now.top - now.room < nearPx;
    // Otherwise it is not the reader who went up: what is shown, or the room for it, has changed, and the list follows in a moment.
    const isMoved = now.top < before.top && now.height === before.height && now.room === before.room;
    if (isNear || isMoved) before.isAtEnd = isNear;
    if (isNear) setHasNewer(false);
    Object.assign(before, now);
  };
  return { list, hasNewer, onScroll, toEnd };
}

function measured(list: HTMLElement | null) {
  return { top: list?.scrollTop ?? 0, height: list?.scrollHeight ?? 0, room: list?.clientHeight ?? 0 };
}
