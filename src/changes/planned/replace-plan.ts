import type { Problem } from "../../commands/answer.ts";
import { cardUpdates, notifyRequester } from "../announce.ts";
import { whyNotWithdraw } from "../approvals/withdraw.ts";
import type { Denied } from "../authorize/decide-change.ts";
import type { ServiceChange } from "../change.ts";
import type { Ask, Effects, Pipeline } from "../ports.ts";

/** A plan that was to be replaced has begun, or was withdrawn. */
export class PlanGoneError extends Error {
  readonly code = "PlanGone";
  constructor(changeId: string) {
    super(`change ${changeId} is not planned any more, so it cannot be replaced`);
    this.name = "PlanGoneError";
  }
}

export const planGone = (id: string): Problem => ({
  problem: `Change ${id} is not planned any more. Nothing was changed now: \`history ${id}\` shows what came of it.`,
});

type Replacing = Pick<Effects, "replaces" | "outbox">;

/** How a new change withdraws the planned one in whose place it comes; or why its requester may not. */
export async function replacing(
  pipeline: Pipeline,
  { command, input, context }: Pick<Ask, "command" | "input" | "context">,
  change: Pick<ServiceChange, "id">,
): Promise<Replacing | Problem | { readonly refused: Denied }> {
  const id = command.replaces?.(input);
  if (id === undefined || id === change.id) return {};
  const { store } = pipeline;
  const former = await store.find(id);
  if (former?.state !== "planned" && former?.state !== "awaiting-approval") return planGone(id);
  const refused = await whyNotWithdraw(pipeline, former, context.actor, context.channelId);
  if (refused) return { refused };
  const updates = cardUpdates(former, await store.cardChannels(id));
  const isOwn = former.actor.userId === context.actor.userId;
  return { replaces: id, outbox: isOwn ? updates : [...updates, notifyRequester(former)] };
}
