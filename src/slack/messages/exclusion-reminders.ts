import type { Change } from "../../changes/change.ts";
import { stillEndsBy } from "../../changes/exclusion-end.ts";
import type { ChangeSettings, ChangeStore, DirectoryStore, OutboxMessage, OutboxStore } from "../../changes/ports.ts";
import { rightsOf } from "../../changes/queries/queries.ts";
import { mayAlter } from "../../commands/exclusion/exclusion-body.ts";
import { alsoHeld } from "../../commands/exclusion/overlapping-exclusions.ts";
import type { Entity } from "../../directory/directory.ts";
import type { Actor } from "../../permissions/actor.ts";
import { exclusionReminder } from "./exclusion-reminder.ts";
import { exclusionButtonsFor } from "./exclusion-state.ts";
import type { Message } from "./message.ts";

export interface ExclusionReminderOptions {
  readonly store: Pick<ChangeStore, "about"> &
    Pick<OutboxStore, "cardChannels"> &
    Pick<DirectoryStore, "get" | "liveExclusions">;
  readonly actor: (userId: string) => Promise<Actor>;
  readonly settings: () => ChangeSettings;
  readonly now: () => number;
}

/** What ends within the same minute, as people are shown it, holds nothing longer. */
const meanwhileMs = 60_000;

/** A reminder of the end that a change gave its exclusion; undefined when there is nothing to be reminded of any more. */
export type DrawReminder = (outboxMessage: OutboxMessage, change: Change) => Promise<Message | undefined>;

/**
 * Draws reminders as things stand when they are posted. In a thread everybody sees the same buttons, as on the card; the owner is
 * shown in private only what they may do there, and otherwise where they may do it.
 */
export function createExclusionReminders({ store, actor, settings, now }: ExclusionReminderOptions): DrawReminder {
  return async ({ underChangeId, to }, change) => {
    const exclusion = change.subjectId === null ? undefined : await store.get("exclusion", change.subjectId);
    if (!exclusion || exclusion.endedAt !== null) return undefined;
    const changes = await store.about("exclusion", exclusion.id);
    const lasting = stillEndsBy(change.id, changes);
    if (!lasting?.isEnabled || lasting.endsAt <= now()) return undefined;
    const others = await alsoHeld(exclusion, lasting.endsAt + meanwhileMs, store);
    const ending = { exclusion, endsAt: lasting.endsAt, now: now(), alsoHeld: others, zone: change.actor.timeZone };
    const all = exclusionButtonsFor(exclusion.id);
    if (underChangeId !== null) {
      return exclusionReminder({ ...ending, isToOwner: false, buttons: all, elsewhere: undefined });
    }
    const owner = await actor(to);
    const allowedIn = (channelId: string | null) => all.filter(isAllowed(exclusion, owner, settings(), channelId));
    const channels = (await Promise.all(changes.map(({ id }) => store.cardChannels(id)))).flat();
    const buttons = allowedIn(null);
    const elsewhere = channels.find((channelId) => allowedIn(channelId).length > buttons.length);
    return exclusionReminder({ ...ending, zone: owner.timeZone, isToOwner: true, buttons, elsewhere });
  };
}

function isAllowed(exclusion: Entity<"exclusion">, actor: Actor, settings: ChangeSettings, channelId: string | null) {
  const may = rightsOf(settings, actor, channelId);
  return ({ words }: { readonly words: string }): boolean =>
    mayAlter(exclusion, words === "exclusion end" ? "DeleteActionExclusion" : "ModifyActionExclusion", { may, actor });
}
