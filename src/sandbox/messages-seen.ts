import { channelsOf, type Sandbox } from "./sandbox.ts";
import { viewerOf } from "./viewer-of.ts";
import type { StoredMessage } from "./workspace/messages.ts";
import { messageToText } from "./workspace/render/message-to-text.ts";

/** A message on somebody's screen. */
export interface SeenMessage {
  /** A channel's name, or `dm` for the direct messages with the bot. */
  readonly place: string;
  readonly from: string;
  /** As drawn, buttons included. */
  readonly text: string;
  readonly isOnlyForYou: boolean;
  readonly isReply: boolean;
  readonly isEdited: boolean;
  readonly stored: StoredMessage;
}

/** Everything a person sees, in all their channels and direct messages or in one place, the oldest first. */
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

export interface News {
  /** Those that were not there before, or looked different. */
  among(messages: readonly SeenMessage[]): readonly SeenMessage[];
}

/** Remembers what was on the screen. */
export function createNews(): News {
  const known = new Map<string, string>();
  return {
    among: (messages) =>
      messages.filter(({ stored }) => {
        const key = `${stored.channelId}:${stored.ts}`;
        const look = JSON.stringify([stored.text, stored.blocks, stored.attachments]);
        const isNew = known.get(key) !== look;
        known.set(key, look);
        return isNew;
      }),
  };
}
