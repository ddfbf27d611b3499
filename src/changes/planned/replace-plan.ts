import { isDeepStrictEqual } from "node:util";
import type { Problem } from "../../commands/answer.ts";
import { planGone } from "../../commands/exclusion/planned/about-plan.ts";
import { editPlan } from "../../commands/exclusion/planned/plans.ts";
import type { Input } from "../../commands/field.ts";
import type { Directory } from "../../directory/directory.ts";
import { announcementChannels, cardUpdates, lateOutcome, newCards } from "../announce.ts";
import { whyNotWithdraw } from "../approvals/withdraw.ts";
import type { Denied } from "../authorize/decide-change.ts";
import type { ServiceChange } from "../change.ts";
import type { Ask, ChangeSettings, Effects, Pipeline } from "../ports.ts";
import { inputAgain } from "./plan-again.ts";
import { planJobs } from "./plan-times.ts";

/** A plan that was to be replaced has begun, or was withdrawn. */
export class PlanGoneError extends Error {
  readonly code = "PlanGone";
  constructor(changeId: string) {
    super(`change ${changeId} is not planned any more, so it cannot be replaced`);
    this.name = "PlanGoneError";
  }
}

/** How a new change withdraws the planned one in whose place it comes; or why its requester may not. */
export async function replacing(
  pipeline: Pipeline,
  { command, input, context }: Pick<Ask, "command" | "input" | "context">,
  change: Pick<ServiceChange, "id">,
): Promise<Pick<Effects, "replaces" | "outbox"> | Problem | { readonly refused: Denied }> {
  const id = command.replaces?.(input);
  if (id === undefined || id === change.id) return {};
  const { store } = pipeline;
  const former = await store.find(id);
  if (former?.state !== "planned" && former?.state !== "awaiting-approval") return planGone(id);
  const { words } = former;
  const before = inputAgain(former);
  if (words === command.words && isDeepStrictEqual(compared(input), compared(before)))
    return {
      problem: `It is planned like this already (change ${id}). Nothing was changed: give another value.`,
      buttons: [editPlan({ id, words, input: before })],
    };
  const refused = await whyNotWithdraw(pipeline, former, context.actor, context.channelId);
  if (refused) return { refused };
  const updates = cardUpdates(former, await store.cardChannels(id));
  const isOwn = former.actor.userId === context.actor.userId && former.executionId === undefined;
  return { replaces: id, outbox: isOwn ? updates : [...updates, ...lateOutcome(former)] };
}

const minuteMs = 60_000;

/** What a person chose. A form shows a time in whole minutes, rounded up. */
function compared({ replaces, another, projectFrom, ...input }: Input): Input {
  const shown = Object.entries(input).filter(([, value]) => value !== undefined && value !== "");
  const times = ["from", "until"];
  return Object.fromEntries(
    shown.map(([name, value]) => [name, times.includes(name) ? Math.ceil(Number(value) / minuteMs) : value]),
  );
}

/** The cards of a new plan that needs no approval, and the job that begins it. */
export const planEffects = async (
  change: ServiceChange,
  settings: Pick<ChangeSettings, "announce">,
  directory: Pick<Directory, "get">,
): Promise<Effects> => ({
  outbox: newCards(change, await announcementChannels(change, settings, directory), []),
  jobs: planJobs(change, change.requestedAt),
});

/** Both, as one. */
export const withEffects = (one: Effects, other: Effects): Effects => ({
  ...one,
  ...other,
  outbox: [...(one.outbox ?? []), ...(other.outbox ?? [])],
});
