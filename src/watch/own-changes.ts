import { z } from "zod";
import type { Change } from "../changes/change.ts";
import type { ChangeStore } from "../changes/ports.ts";
import { planCreate } from "../commands/plan.ts";
import { selectorEdit } from "../commands/selector.ts";
import type { ActionEvent } from "./watched-action.ts";

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
