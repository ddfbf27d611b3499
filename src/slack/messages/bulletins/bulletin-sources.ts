import type { ChangeSettings } from "../../../changes/ports.ts";
import type { OwnWarningStore } from "../../../changes/queries/own-warnings.ts";
import type { DirectoryStore } from "../../../directory/directory.ts";
import type { Actor } from "../../../permissions/actor.ts";
import type { ChannelMembers } from "../../people/channel-members.ts";
import type { Message } from "../message.ts";
import type { UploadImage } from "./upload-image.ts";

/** What drawing a bulletin looks at. */
export interface BulletinSources {
  readonly store: Pick<DirectoryStore, "get"> & Pick<OwnWarningStore, "ownWarnings">;
  readonly settings: () => ChangeSettings;
  /** Looks up a Slack user now. Throws if Slack cannot say who it is. */
  readonly actor: (slackUserId: string) => Promise<Actor>;
  readonly channelMembers: Pick<ChannelMembers, "has">;
  /** The IANA zone of a channel. */
  readonly zoneOf: (channelId: string) => string;
  /** Uploads an image for a message; undefined if Slack does not take it. */
  readonly uploadImage: UploadImage;
}

/** A message, and what is posted instead of it when Slack does not take its image. */
export interface DrawnBulletin extends Message {
  readonly withoutImage?: Message | undefined;
}
