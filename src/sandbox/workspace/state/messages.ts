import type { Signal } from "../../signal.ts";
import type { AppManifest } from "../app-manifest.ts";
import type { JsonObject } from "../json-object.ts";
import type { Ids } from "./ids.ts";
import type { InstalledApp } from "./installed-app.ts";

export interface StoredMessage {
  readonly ts: string;
  readonly channelId: string;
  /** The author: a person, the bot, or `USLACK` for Slack's own notices. */
  readonly userId: string;
  readonly text: string;
  readonly blocks: readonly JsonObject[];
  readonly attachments: readonly JsonObject[];
  readonly metadata?: JsonObject;
  /** True for the app's own messages. */
  readonly isFromApp: boolean;
  readonly threadTs?: string;
  /** Only this person sees it. */
  readonly ephemeralTo?: string;
  /** Shows "(edited)". */
  readonly isEdited: boolean;
  /** How the displayed sender differs from the app (`chat:write.customize`). */
  readonly sender?: JsonObject;
}

export type MessageDraft = Pick<StoredMessage, "channelId" | "userId" | "text"> &
  Partial<Omit<StoredMessage, "ts" | "isEdited">>;

export interface Messages {
  post(draft: MessageDraft): StoredMessage;
  replace(message: StoredMessage): void;
  remove(channelId: string, ts: string): void;
  get(channelId: string, ts: string): StoredMessage | undefined;
  /** In posting order, including ephemeral ones. */
  in(channelId: string): readonly StoredMessage[];
}

export function createMessages(ids: Ids, signal: Signal): Messages {
  const byChannel = new Map<string, readonly StoredMessage[]>();
  const list = (channelId: string): readonly StoredMessage[] => byChannel.get(channelId) ?? [];
  const store = (channelId: string, messages: readonly StoredMessage[]): void => {
    byChannel.set(channelId, messages);
    signal.changed();
  };
  return {
    post: (draft) => {
      const message = { blocks: [], attachments: [], isFromApp: false, ...draft, ts: ids.timestamp(), isEdited: false };
      store(draft.channelId, [...list(draft.channelId), message]);
      return message;
    },
    replace: (message) =>
      store(
        message.channelId,
        list(message.channelId).map((each) => (each.ts === message.ts ? message : each)),
      ),
    remove: (channelId, ts) =>
      store(
        channelId,
        list(channelId).filter((message) => message.ts !== ts),
      ),
    get: (channelId, ts) => list(channelId).find((message) => message.ts === ts),
    in: list,
  };
}

/** The message as in Slack's answers and payloads. */
export function messagePayload(
  message: StoredMessage,
  { app, manifest }: { readonly app: InstalledApp; readonly manifest: AppManifest },
): JsonObject {
  const { ts, userId, text, blocks, attachments, metadata, threadTs, sender, isEdited } = message;
  const author = message.isFromApp
    ? { bot_id: app.botId, app_id: app.appId, bot_profile: { id: app.botId, app_id: app.appId, name: manifest.name } }
    : {};
  return {
    type: "message",
    ...(sender === undefined ? {} : { subtype: "bot_message", ...sender }),
    user: userId,
    text,
    ts,
    team: app.teamId,
    ...author,
    ...(blocks.length === 0 ? {} : { blocks }),
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    ...(isEdited ? { edited: { user: userId, ts } } : {}),
  };
}
