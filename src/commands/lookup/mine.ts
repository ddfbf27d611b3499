import { waitingShown } from "../about-changes/approval.ts";
import { resultButton } from "../answer.ts";
import { defineQuery } from "../command.ts";
import { exclusionLines } from "../exclusion/exclusion-line.ts";
import { planLine, plansSeen } from "../exclusion/planned/plans.ts";
import { warningLines } from "../warnings.ts";

export const mine = defineQuery({
  words: "mine",
  title: "Mine",
  summary: "Show what I hold, planned, get warned of and wait for",
  operation: null,
  fields: {},
  answer: async (_input, context) => {
    const { userId } = context.actor;
    const isOwn = ({ ownerId }: { readonly ownerId: string | null }) => ownerId === userId;
    const live = await context.directory.liveExclusions(context.now);
    const held = live.filter(isOwn);
    const plans = (await plansSeen(context)).filter(isOwn);
    const waiting = await context.waiting();
    const warnings = await warningLines(context);
    const counts = Object.entries({
      held: held.length,
      planned: plans.length,
      waiting: waiting.length,
      [warnings.length === 1 ? "warning" : "warnings"]: warnings.length,
    }).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
    const isEmpty = counts.length === 0;
    return {
      title: isEmpty ? "You hold and plan nothing, and nothing of yours waits." : `Yours: ${counts.join(", ")}`,
      isEmpty,
      items: [
        ...(await exclusionLines(held, context, true)),
        ...(await Promise.all(plans.map((plan) => planLine(plan, context)))),
        ...waiting.map(waitingShown),
        ...warnings,
      ],
      buttons: [resultButton("My changes", "history", { which: "mine" })],
    };
  },
});
