/** `typing`: Slack sends one with each letter and each choice in a form. `home`: one each time the Home tab opens. */
export type RequestKind = "command" | "typing" | "home";

export type FloodGuard = ReturnType<typeof createFloodGuard>;

const minuteMs = 60_000;

/** Typing and Home have floors that no honest use reaches, even with a low command limit. */
const limitOf: Readonly<Record<RequestKind, (perMinute: number) => number>> = {
  command: (perMinute) => perMinute,
  typing: (perMinute) => Math.max(300, 10 * perMinute),
  home: (perMinute) => Math.max(30, perMinute),
};

/** Allows `perMinute()` commands of one person within any minute; 0 for no limit of any kind. */
export function createFloodGuard(
  perMinute: () => number,
  elapsedMs: () => number,
  onLimited: (userId: string) => void = () => undefined,
) {
  const requests = new Map<string, number[]>();
  const recentOf = (key: string) => (requests.get(key) ?? []).filter((at) => elapsedMs() - at < minuteMs);
  return {
    /** How long until they may make the next one. */
    waitMs: (userId: string, kind: RequestKind = "command") => {
      // Allowed again when so many have passed that one more is within the limit.
      const last = recentOf(`${kind} ${userId}`).at(-limitOf[kind](perMinute()));
      return last === undefined || perMinute() === 0 ? 0 : last + minuteMs - elapsedMs();
    },
    /** Whether this person may make one more request now; counts it. Each kind has its own count. */
    allow: (userId: string, kind: RequestKind = "command") => {
      if (perMinute() === 0) return true;
      const key = `${kind} ${userId}`;
      const recent = recentOf(key);
      const isAllowed = recent.length < limitOf[kind](perMinute());
      if (isAllowed) recent.push(elapsedMs());
      else onLimited(userId);
      requests.delete(key);
      requests.set(key, recent);
      forgetIdle(requests, elapsedMs());
      return isAllowed;
    },
  };
}

/** The longest idle come first: every request moves a person to the end. */
function forgetIdle(requests: Map<string, number[]>, at: number): void {
  for (const [key, times] of requests) {
    if (at - (times.at(-1) ?? 0) < minuteMs) return;
    requests.delete(key);
  }
}
