import type { CommandContext } from "../../commands/command.ts";
import type { OwnWarnings } from "../../commands/query-ports.ts";
import type { Interval } from "../../time/intervals.ts";

/** A person wants a direct message before a group's runs. */
export interface OwnWarning {
  readonly userId: string;
  readonly group: string;
  readonly beforeMs: number;
  /** Where they asked: a right that they have only there counts. */
  readonly channelId: string | null;
  /** The runs that it is for; null for all. */
  readonly during: Interval | null;
}

/** The warnings that people want for themselves. */
export interface OwnWarningStore {
  /** Of this person, or of everybody. */
  ownWarnings(userId?: string): Promise<readonly OwnWarning[]>;
  /** Replaces one of the same person and group. */
  saveOwnWarning(warning: OwnWarning): Promise<void>;
  /** False if there was none. */
  removeOwnWarning(userId: string, group: string): Promise<boolean>;
}

/** Those of the requester. */
export function ownWarningsOf(
  store: OwnWarningStore,
  { actor: { userId }, channelId, now }: CommandContext,
): OwnWarnings {
  return {
    list: async () => (await store.ownWarnings(userId)).filter(({ during }) => during === null || during.to > now),
    save: (group, beforeMs, during) =>
      store.saveOwnWarning({ userId, group: group.toLowerCase(), beforeMs, channelId, during }),
    remove: (group) => store.removeOwnWarning(userId, group.toLowerCase()),
  };
}
