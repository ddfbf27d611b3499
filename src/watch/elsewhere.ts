import type { NewBulletin } from "../changes/bulletin.ts";
import type { ActionChangedElsewhere } from "../commands/changed-elsewhere.ts";
import { changeIn } from "./action-differences.ts";
import type { Poll } from "./poll.ts";
import type { WatchSettings } from "./watch-settings.ts";
import type { ActionEvent } from "./watched-action.ts";

/** What was changed in the service itself: one message for each channel that wants to know. */
export function elsewhereBulletins({ now, events, since }: Poll, { announce }: WatchSettings): readonly NewBulletin[] {
  const actions = events.flatMap((event) => changedElsewhere(event, now));
  if (actions.length === 0) return [];
  const channels = new Set(announce.filter(({ isElsewhere }) => isElsewhere).map(({ channel }) => channel));
  return [...channels].map((to) => ({
    id: `elsewhere:${to}:${now}`,
    content: { kind: "elsewhere", actions, since },
    at: now,
    overAt: null,
    to,
  }));
}

function changedElsewhere(event: ActionEvent, now: number): readonly ActionChangedElsewhere[] {
  const { id, facts } = event.kind === "deleted" ? event.before : event.after;
  const change = event.kind === "deleted" ? changeIn(event, now) : event.after.change;
  // Only who changed it last, or when: nothing that people see.
  const isSeen = event.kind !== "changed" || change !== event.before.change;
  return change && isSeen ? [{ ...change, actionId: id, name: facts.name ?? id, projectId: facts.projectId }] : [];
}
