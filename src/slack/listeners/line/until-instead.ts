import { endSetBy } from "../../../changes/change.ts";
import type { CommandButton } from "../../../commands/answer.ts";
import { exclusionExtend } from "../../../commands/exclusion/exclusion-extend.ts";
import { shortMoment } from "../../../time/format-moment.ts";
import type { RequestContext } from "../request-context.ts";
import type { CommandReply } from "../run-command.ts";

/** "Until tomorrow 08:00 instead": moves the end that was just set to the moment that was less likely meant. */
export function untilInstead(
  { outcome }: CommandReply,
  at: number | undefined,
  { actor, now }: RequestContext,
): readonly CommandButton[] {
  if (at === undefined || outcome.kind !== "settled") return [];
  const { state, subjectId } = outcome.change;
  if (state !== "succeeded" || subjectId === null || endSetBy(outcome.change) === undefined) return [];
  const label = `Until ${shortMoment(at, actor.timeZone, now)} instead`;
  const { words } = exclusionExtend;
  return [{ label, words, opens: "result", input: { exclusion: subjectId, until: { until: at } } }];
}
