import type { Ids } from "./ids.ts";

export interface ResponseTarget {
  readonly userId: string;
  readonly channelId: string;
  /** The message acted on. A command has none, so there is nothing to replace. */
  readonly source?: { readonly ts: string; readonly isEphemeral: boolean };
}

export type ResponseUrlRefusal = "used_url" | "expired_url" | "no_such_url";

/** URLs that accept five messages within 30 minutes (PLATFORM.md §4). */
export interface ResponseUrls {
  issue(kind: "commands" | "actions" | "app", target: ResponseTarget): string;
  use(path: string): ResponseTarget | ResponseUrlRefusal;
}

const lifetimeMs = 30 * 60_000;
const maxUses = 5;

export function createResponseUrls(ids: Ids, now: () => number, base: () => string, teamId: string): ResponseUrls {
  const issued = new Map<string, { readonly target: ResponseTarget; readonly issuedAt: number; uses: number }>();
  return {
    issue: (kind, target) => {
      const path = `/${kind}/${teamId}/${Number.parseInt(ids.hex(10), 16)}/${ids.hex(24)}`;
      issued.set(path, { target, issuedAt: now(), uses: 0 });
      return `${base()}${path}`;
    },
    use: (path) => {
      const entry = issued.get(path);
      if (entry === undefined) return "no_such_url";
      if (now() - entry.issuedAt > lifetimeMs) return "expired_url";
      if (entry.uses >= maxUses) return "used_url";
      entry.uses += 1;
      return entry.target;
    },
  };
}
