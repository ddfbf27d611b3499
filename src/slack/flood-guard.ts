export interface FloodGuard {
  /** Whether this person may ask once more now; counts the asking. */
  admit(userId: string): boolean;
}

const minuteMs = 60_000;

/** At most `perMinute()` requests of one person within any minute; 0 for no limit. One person's flood leaves others alone. */
export function createFloodGuard(perMinute: () => number, now: () => number): FloodGuard {
  const asked = new Map<string, number[]>();
  return {
    admit: (userId) => {
      const limit = perMinute();
      if (limit === 0) return true;
      const recent = (asked.get(userId) ?? []).filter((at) => now() - at < minuteMs);
      const isAdmitted = recent.length < limit;
      if (isAdmitted) recent.push(now());
      asked.delete(userId);
      asked.set(userId, recent);
      forgetIdle(asked, now());
      return isAdmitted;
    },
  };
}

/** The longest idle come first, since every asking moves a person to the end. */
function forgetIdle(asked: Map<string, number[]>, now: number): void {
  for (const [userId, times] of asked) {
    if (now - (times.at(-1) ?? 0) < minuteMs) return;
    asked.delete(userId);
  }
}
