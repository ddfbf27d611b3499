import type { JsonObject } from "../json-object.ts";
import type { Collection } from "./collection.ts";
import type { Ids, InstalledApp } from "./permits.ts";

export interface StoredMessage {
  readonly ts: string;
  readonly channelId: string;
  /** The author: a person, the bot, or `USLACK` for Slack's own notices. */
  readonly userId: string;
  readonly text: string;
  readonly blocks: readonly JsonObject[];
  /** True for the app's own messages. */
  readonly isFromApp: boolean;
  readonly threadTs?: string;
  /** Only this person sees it. */
  readonly ephemeralTo?: string;
  /** Shows "(edited)". */
  readonly isEdited: boolean;
}

export type MessageDraft = Pick<StoredMessage, "channelId" | "userId" | "text"> &
  Partial<Omit<StoredMessage, "ts" | "isEdited">>;

interface MessagesOf {
  readonly messages: Collection<StoredMessage>;
  readonly ids: Ids;
}

export const messageKey = ({ channelId, ts }: Pick<StoredMessage, "channelId" | "ts">): string => `${channelId} ${ts}`;

export function postMessage({ messages, ids }: MessagesOf, draft: MessageDraft): StoredMessage {
  return messages.put({ blocks: [], isFromApp: false, ...draft, ts: ids.timestamp(), isEdited: false });
}

/** In posting order, including ephemeral ones. */
export function messagesIn({ messages }: Pick<MessagesOf, "messages">, channelId: string): readonly StoredMessage[] {
  return messages.all.filter((message) => message.channelId === channelId);
}

/** The message as in Slack's answers and payloads. */
export function messagePayload(
  { ts, userId, text, blocks, threadTs, isEdited, isFromApp }: StoredMessage,
  { app, manifest }: { readonly app: InstalledApp; readonly manifest: { readonly name: string } },
): JsonObject {
  const { botId: id, appId: app_id, teamId: team } = app;
  return {
    type: "message",
    user: userId,
    text,
    ts,
    team,
    ...(isFromApp ? { bot_id: id, app_id, bot_profile: { id, app_id, name: manifest.name } } : {}),
    ...(blocks.length === 0 ? {} : { blocks }),
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    ...(isEdited ? { edited: { user: userId, ts } } : {}),
  };
}
