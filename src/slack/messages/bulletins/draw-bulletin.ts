import type { Bulletin } from "../../../changes/bulletin.ts";
import type { Message } from "../message.ts";
import type { BulletinSources } from "./bulletin-sources.ts";
import { digestMessage } from "./digest.ts";
import { elsewhereMessage } from "./elsewhere.ts";
import { ownWarningMessage } from "./own-warning.ts";
import { warningMessage } from "./warning.ts";

/** A bulletin as it is now; undefined when there is nothing left to say. */
export type DrawBulletin = (bulletin: Bulletin, to: string) => Promise<Message | undefined>;

export function createDrawBulletin(sources: BulletinSources): DrawBulletin {
  return async ({ content }, to) => {
    switch (content.kind) {
      case "elsewhere":
        return elsewhereMessage(content, sources.zoneOf(to), sources);
      case "warning":
        return isUserId(to) ? ownWarningMessage(content, sources) : warningMessage(content, sources.zoneOf(to));
      case "digest":
        return digestMessage(content);
    }
  };
}

/** Whether a message goes to a person rather than to a channel (PLATFORM.md §11.1). */
const isUserId = (to: string): boolean => /^[UW]/.test(to);
