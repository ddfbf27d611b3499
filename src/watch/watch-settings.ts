import type { ResourceGroup } from "../directory/directory.ts";
import type { ChannelSettings } from "../permissions/approval-rules.ts";

/** The settings that the watcher uses. */
export interface WatchSettings {
  readonly watch: { readonly everyMs: number };
  readonly announce: readonly Pick<ChannelSettings["announce"][number], "channel" | "isElsewhere" | "projects">[];
  readonly warnings: readonly WarningEntry[];
  readonly resourceGroups: Readonly<Record<string, ResourceGroup>>;
}

/** Before these runs a channel is warned. */
export interface WarningEntry {
  readonly projects?: ReadonlySet<string> | undefined;
  readonly processes: ReadonlySet<"stop" | "start">;
  readonly beforeMs: number;
  readonly channel: string;
  /** When nothing is posted, as `HH:MM` in the channel's zone. */
  readonly quiet?: { readonly from: string; readonly to: string } | undefined;
}
