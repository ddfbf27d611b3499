import type { BulletinStore, NewBulletin } from "../changes/bulletin.ts";
import type { NewOutboxMessage } from "../changes/outbox-message.ts";
import type { GroupStore, LockStore } from "../changes/ports.ts";
import type { OwnWarningStore } from "../changes/queries/own-warnings.ts";
import type { SeenActions } from "../commands/changed-elsewhere.ts";
import type { DirectoryStore, ResourceGroup } from "../directory/directory.ts";
import type { ChannelSettings } from "../permissions/approval-rules.ts";
import type { Scope } from "../permissions/config-values.ts";
import type { WatchedAction } from "./watched-action.ts";

/** What a poll leads to, beside the state of the actions. */
export interface WatchEffects {
  readonly bulletins?: readonly NewBulletin[];
  /** Redrawn messages. */
  readonly outbox?: readonly NewOutboxMessage[];
  /** Bulletins with other content than before, to be drawn again. Without an end they are over. */
  readonly redrawn?: readonly NewBulletin[];
  /** The ids of bulletins that are over: they are not looked at again. */
  readonly over?: readonly string[];
}

export interface WatchUpdate extends WatchEffects {
  readonly changed: readonly WatchedAction[];
  /** The ids of actions that were deleted. */
  readonly gone: readonly string[];
}

export interface WatchStore extends LockStore, SeenActions {
  watchedActions(): Promise<readonly WatchedAction[]>;
  /** Whether this instance holds the lock `watchLock`. */
  isWatching(): Promise<boolean>;
  /** Stores all of it in one transaction. False, with nothing stored, if another instance holds the lock `watchLock`. */
  saveWatch(update: WatchUpdate, at: number): Promise<boolean>;
}

/** What else the watcher looks at. */
export type WatchSources = Pick<BulletinStore, "openBulletins" | "bulletinsSince"> &
  Pick<OwnWarningStore, "ownWarnings"> &
  Pick<GroupStore, "groups"> &
  Pick<DirectoryStore, "liveExclusions">;

/** Held by the instance that watches. */
export const watchLock = "watch";

/** The settings that the watcher uses. */
export interface WatchSettings {
  readonly watch: { readonly everyMs: number };
  readonly announce: readonly Omit<ChannelSettings["announce"][number], "operations">[];
  readonly warnings: readonly WarningEntry[];
  readonly resourceGroups: Readonly<Record<string, ResourceGroup>>;
}

/** Before these runs a channel is warned. Of groups: before those of their actions. */
export interface WarningEntry extends Scope {
  readonly processes: ReadonlySet<"stop" | "start">;
  readonly beforeMs: number;
  readonly channel: string;
  /** When nothing is posted, as `HH:MM` in the channel's zone. */
  readonly quiet?: { readonly from: string; readonly to: string } | undefined;
}
