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
  const entries = announce.filter(({ isElsewhere }) => isElsewhere);
  return [...new Set(entries.map(({ channel }) => channel))].flatMap((to) => {
    const of = entries.filter(({ channel }) => channel === to);
    // What is in no known project, those for some projects hear of too.
    const heard = actions.filter(({ projectId }) =>
      of.some(({ projects }) => !projects || !projectId || projects.has(projectId)),
    );
    const content = { kind: "elsewhere", actions: heard, since } as const;
    return heard.length > 0 ? [{ id: `elsewhere:${to}:${now}`, content, at: now, overAt: null, to }] : [];
  });
}

function changedElsewhere(event: ActionEvent, now: number): readonly ActionChangedElsewhere[] {
  const { id, facts } = event.kind === "deleted" ? event.before : event.after;
  const change = event.kind === "deleted" ? changeIn(event, now) : event.after.change;
  // Only who changed it last, or when: nothing that people see.
  const isSeen = event.kind !== "changed" || change !== event.before.change;
  return change && isSeen ? [{ ...change, actionId: id, name: facts.name ?? id, projectId: facts.projectId }] : [];
}
