import type { ChangeSettings } from "../../../changes/ports.ts";
import type { OwnWarningStore } from "../../../changes/queries/own-warnings.ts";
import type { DirectoryStore } from "../../../directory/directory.ts";
import type { Actor } from "../../../permissions/actor.ts";
import type { ChannelMembers } from "../../people/channel-members.ts";

/** What drawing a bulletin looks at. */
export interface BulletinSources {
  readonly store: Pick<DirectoryStore, "get"> & Pick<OwnWarningStore, "ownWarnings">;
  readonly settings: () => ChangeSettings;
  /** Looks up a Slack user now. Throws if Slack cannot say who it is. */
  readonly actor: (slackUserId: string) => Promise<Actor>;
  readonly channelMembers: Pick<ChannelMembers, "has">;
  /** The IANA zone of a channel. */
  readonly zoneOf: (channelId: string) => string;
}
