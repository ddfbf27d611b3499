import { z } from "zod";
import { channelsFor } from "../changes/announce.ts";
import type { NewBulletin } from "../changes/bulletin.ts";
import type { Change } from "../changes/change.ts";
import type { ChangeStore } from "../changes/ports.ts";
import type { ActionChangedElsewhere } from "../commands/changed-elsewhere.ts";
import type { Target } from "../commands/command.ts";
import { planCreate } from "../commands/plan.ts";
import { selectorEdit } from "../commands/selector.ts";
import { accountOf } from "../service/account-ids.ts";
import { changeIn } from "./action-differences.ts";
import type { WatchSettings } from "./watch-store.ts";
import type { ActionEvent, Poll } from "./watched-action.ts";

/** What was changed in the service itself: one message for each channel that wants to know. */
export function elsewhereBulletins({ now, events, since }: Poll, { announce }: WatchSettings): readonly NewBulletin[] {
  const entries = announce.filter(({ isElsewhere }) => isElsewhere);
  const changes = events.flatMap((event) =>
    changedElsewhere(event, now).map((action) => ({ action, channels: channelsFor(entries, targetsOf(event)) })),
  );
  const channels = new Set(changes.flatMap((change) => [...change.channels]));
  return [...channels].map((to) => {
    const actions = changes.filter((change) => change.channels.has(to)).map(({ action }) => action);
    const content = { kind: "elsewhere", actions, since } as const;
    return { id: `elsewhere:${to}:${now}`, content, at: now, overAt: null, to };
  });
}

/** What is moved concerns both projects. */
function targetsOf(event: ActionEvent): readonly Target[] {
  const states = [event.kind === "created" ? [] : event.before, event.kind === "deleted" ? [] : event.after].flat();
  return states.map(({ id, facts }) => ({ account: accountOf(id), projectId: facts.projectId ?? undefined }));
}

function changedElsewhere(event: ActionEvent, now: number): readonly ActionChangedElsewhere[] {
  const { id, facts } = event.kind === "deleted" ? event.before : event.after;
  const change = event.kind === "deleted" ? changeIn(event, now) : event.after.change;
  // Only who changed it last, or when: nothing that people see.
  const isSeen = event.kind !== "changed" || change !== event.before.change;
  return change && isSeen ? [{ ...change, actionId: id, name: facts.name ?? id, projectId: facts.projectId }] : [];
}

/** The service may take a moment to alter the actions of a plan. */
const followsWithinMs = 60_000;
const skewMs = 5000;
const mostChanges = 100;

/**
 * The events without those that follow from Curfew's own changes of plans and selectors, which have their cards: made by the same user
 * of the service, at about the same time.
 */
export async function withoutOwn(
  events: readonly ActionEvent[],
  store: Pick<ChangeStore, "list">,
): Promise<readonly ActionEvent[]> {
  const times = events.flatMap((event) => madeAt(event) ?? []);
  if (times.length === 0) return events;
  const since = times.reduce((one, other) => Math.min(one, other)) - followsWithinMs - skewMs;
  const commands = [planCreate.words, selectorEdit.words];
  const changes = await store.list({ commands, states: ["succeeded"], since, limit: mostChanges });
  return events.filter((event) => !changes.some((change) => isFrom(change, event)));
}

const madeAt = (event: ActionEvent): number | undefined =>
  event.kind === "deleted" ? undefined : (event.after.change?.at ?? undefined);

const audited = z.looseObject({ lastModifiedBy: z.string() });

function isFrom({ answer, requestedAt, settledAt }: Change, event: ActionEvent): boolean {
  const at = madeAt(event);
  const by = audited.safeParse(answer).data?.lastModifiedBy;
  if (at === undefined || by === undefined || event.kind === "deleted" || event.after.change?.by !== by) return false;
  return at >= requestedAt - skewMs && at <= (settledAt ?? requestedAt) + followsWithinMs;
}
