/** Token buckets: a full bucket is the burst Slack tolerates (PLATFORM.md §11.3). */
export interface RateLimits {
  /** Seconds to wait, or null when the call may go through. */
  take(key: string, allowance: Allowance): number | null;
}

export interface Allowance {
  readonly burst: number;
  readonly perMinute: number;
}

export const allowances = {
  tier2: { burst: 20, perMinute: 20 },
  tier3: { burst: 50, perMinute: 50 },
  tier4: { burst: 100, perMinute: 100 },
  /** `auth.test`, `chat.getPermalink`, and posting in the whole workspace: "hundreds a minute". */
  hundreds: { burst: 300, perMinute: 300 },
  /** Posting in one channel: one a second with short bursts. */
  everySecond: { burst: 5, perMinute: 60 },
} as const satisfies Record<string, Allowance>;

export function createRateLimits(mode: "slack" | "off", now: () => number): RateLimits {
  const buckets = new Map<string, { level: number; at: number }>();
  return {
    take: (key, { burst, perMinute }) => {
      if (mode === "off") return null;
      const perMs = perMinute / 60_000;
      const bucket = buckets.get(key) ?? { level: burst, at: now() };
      const level = Math.min(burst, bucket.level + (now() - bucket.at) * perMs);
      const isAllowed = level >= 1;
      buckets.set(key, { level: isAllowed ? level - 1 : level, at: now() });
      return isAllowed ? null : Math.max(1, Math.ceil((1 - level) / perMs / 1000));
    },
  };
}
