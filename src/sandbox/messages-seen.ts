import { channelsOf, type Sandbox, viewerOf } from "./sandbox.ts";
import { messageToText } from "./workspace/render/message-to-text.ts";
import type { StoredMessage } from "./workspace/state/messages.ts";

/** A message on a person's screen. */
export interface SeenMessage {
  /** A channel's name, or `dm` for the direct messages with the bot. */
  readonly place: string;
  readonly from: string;
  /** As rendered, with its buttons. */
  readonly text: string;
  readonly isOnlyForYou: boolean;
  readonly isReply: boolean;
  readonly isEdited: boolean;
  readonly stored: StoredMessage;
}

/** The messages a person sees, oldest first: in one place, or in all their channels and direct messages. */
export function messagesSeen(sandbox: Sandbox, handle: string, place?: string): readonly SeenMessage[] {
  const person = sandbox.workspace.as(handle);
  const viewer = viewerOf(sandbox, handle);
  const places = place === undefined ? [...channelsOf(sandbox, handle), "dm"] : [place.replace(/^#/, "")];
  const seen = places.flatMap((name) =>
    person.messages(name).map((stored) => ({
      place: name,
      from: viewer.nameOf(stored.userId),
      text: messageToText(stored, viewer),
      isOnlyForYou: stored.ephemeralTo !== undefined,
      isReply: stored.threadTs !== undefined && stored.threadTs !== stored.ts,
      isEdited: stored.isEdited,
      stored,
    })),
  );
  return seen.sort((one, other) => Number(one.stored.ts) - Number(other.stored.ts));
}

export interface MessageTracker {
  /** The messages that are new, or look different than last time. */
  newOrChanged(messages: readonly SeenMessage[]): readonly SeenMessage[];
}

/** Remembers how each message looked. */
export function createMessageTracker(): MessageTracker {
  const seen = new Map<string, string>();
  return {
    newOrChanged: (messages) =>
      messages.filter(({ stored }) => {
        const key = `${stored.channelId}:${stored.ts}`;
        const look = JSON.stringify([stored.text, stored.blocks, stored.attachments]);
        const isNew = seen.get(key) !== look;
        seen.set(key, look);
        return isNew;
      }),
  };
}
