/** `typing`: Slack asks by itself with each letter and each choice in a form. `home`: each time the Home tab comes up. */
export type RequestKind = "command" | "typing" | "home";

export interface FloodGuard {
  /** Whether this person may ask once more now; counts the asking. Each kind is counted apart. */
  allow(userId: string, kind?: RequestKind): boolean;
}

const minuteMs = 60_000;

/** What nobody who types or looks comes near, however few commands a person may ask for. */
const limitOf: Readonly<Record<RequestKind, (perMinute: number) => number>> = {
  command: (perMinute) => perMinute,
  typing: (perMinute) => Math.max(300, 10 * perMinute),
  home: (perMinute) => Math.max(30, perMinute),
};

/** At most `perMinute()` commands of one person within any minute; 0 for no limit of any kind. One person's flood leaves others alone. */
export function createFloodGuard(perMinute: () => number, elapsedMs: () => number): FloodGuard {
  const asked = new Map<string, number[]>();
  return {
    allow: (userId, kind = "command") => {
      if (perMinute() === 0) return true;
      const key = `${kind} ${userId}`;
      const recent = (asked.get(key) ?? []).filter((at) => elapsedMs() - at < minuteMs);
      const isAdmitted = recent.length < limitOf[kind](perMinute());
      if (isAdmitted) recent.push(elapsedMs());
      asked.delete(key);
      asked.set(key, recent);
      forgetIdle(asked, elapsedMs());
      return isAdmitted;
    },
  };
}

/** The longest idle come first, since every asking moves a person to the end. */
function forgetIdle(asked: Map<string, number[]>, at: number): void {
  for (const [key, times] of asked) {
    if (at - (times.at(-1) ?? 0) < minuteMs) return;
    asked.delete(key);
  }
}
