/** Identifiers in Slack's form. Code may rely only on the first letter (PLATFORM.md §11.1). */
export type Ids = ReturnType<typeof createIds>;

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const mixed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export function createIds(now: () => number) {
  let lastMicros = 0;
  const pick = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet.charAt(Math.floor(Math.random() * alphabet.length))).join("");
  const hex = (length: number) => pick("0123456789abcdef", length);
  return {
    /** A prefix and ten characters, for example `V0A1B2C3D4E`. */
    next: (prefix: string) => `${prefix}0${pick(capitals, 9)}`,
    /** `<seconds>.<six digits>`, unique. */
    timestamp: () => {
      lastMicros = Math.max(now() * 1000, lastMicros + 1);
      return `${Math.floor(lastMicros / 1e6)}.${String(Math.floor(lastMicros % 1e6)).padStart(6, "0")}`;
    },
    /** The id Slack fills in for a missing `block_id` or `action_id`. */
    block: () => pick(mixed, 5),
    hex,
    digits: () => String(Number.parseInt(hex(10), 16) + 1e9),
  };
}

/** The installed app. Its ids are fixed; its secrets are new each time. */
export type InstalledApp = ReturnType<typeof installApp>;

export function installApp(teamId: string, ids: Ids) {
  return {
    teamId,
    appId: "A0CURFEW",
    botId: "B0CURFEW",
    botUserId: "UCURFEW",
    botToken: `xoxb-sandbox-${ids.hex(24)}`,
    appToken: `xapp-1-A0CURFEW-${ids.hex(24)}`,
    signingSecret: ids.hex(32),
    verificationToken: ids.hex(24),
  };
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

/**
 * Takes one call from a token bucket: a full bucket is the burst Slack tolerates (PLATFORM.md §11.3). Returns the seconds to wait, or
 * null when the call may go through.
 */
export type RateLimits = (key: string, allowance: Allowance) => number | null;

export function createRateLimits(mode: "slack" | "off", now: () => number): RateLimits {
  const buckets = new Map<string, { level: number; at: number }>();
  return (key, { burst, perMinute }) => {
    if (mode === "off") return null;
    const perMs = perMinute / 60_000;
    const bucket = buckets.get(key) ?? { level: burst, at: now() };
    const level = Math.min(burst, bucket.level + (now() - bucket.at) * perMs);
    const isAllowed = level >= 1;
    buckets.set(key, { level: isAllowed ? level - 1 : level, at: now() });
    return isAllowed ? null : Math.max(1, Math.ceil((1 - level) / perMs / 1000));
  };
}

interface PermitOptions {
  readonly lifetimeMs: number;
  readonly maxUses: number;
  readonly now: () => number;
}

export interface Permits<T> {
  issue(id: string, target: T): string;
  use(id: string): T | "unknown" | "expired" | "used";
}

/** What Slack gives the app to use a few times, within some time. */
export function createPermits<T extends object>({ lifetimeMs, maxUses, now }: PermitOptions): Permits<T> {
  const issued = new Map<string, { readonly target: T; readonly issuedAt: number; uses: number }>();
  return {
    issue: (id, target) => {
      issued.set(id, { target, issuedAt: now(), uses: 0 });
      return id;
    },
    use: (id) => {
      const permit = issued.get(id);
      if (permit === undefined) return "unknown";
      if (permit.uses >= maxUses) return "used";
      if (now() - permit.issuedAt > lifetimeMs) return "expired";
      permit.uses += 1;
      return permit.target;
    },
  };
}
