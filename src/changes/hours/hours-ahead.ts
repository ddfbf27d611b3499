import { isProblem } from "../../commands/answer.ts";
import { type ChangeCommand, type CommandContext, type HoursAhead, plannedStart } from "../../commands/command.ts";
import type { Input } from "../../commands/field.ts";
import { missingFields } from "../../commands/field-values.ts";
import { hoursWords, mayCountHours } from "../../permissions/budgets.ts";
import { changeTargets, hoursAdded } from "../authorize/decide-change.ts";
import type { ChangeSettings } from "../ports.ts";
import type { ExclusionRecords } from "./kept-running.ts";

/** What a change would come to in each week, of the hours that a rule in force allows. Nothing for an input that is not complete. */
export async function hoursAhead(
  { policy }: Pick<ChangeSettings, "policy">,
  records: ExclusionRecords,
  command: ChangeCommand,
  input: Input,
  context: CommandContext,
): Promise<HoursAhead> {
  if (!mayCountHours(policy, command.operation)) return nothing;
  if (missingFields(command.fields, input).some((name) => !isSaidLater(name))) return nothing;
  const { actor, channelId, directory, now } = context;
  const subjectId = command.subjectId(input);
  const subject = subjectId === null ? undefined : await directory.get(command.about, subjectId);
  const request = command.request(input, context, subject?.body);
  if (isProblem(request)) return nothing;
  const occurrence = { request, before: subject?.body, after: undefined, startsAt: plannedStart(input) };
  const targets = await changeTargets(command, occurrence, { subjectId, now, directory });
  const ask = { actor, operation: command.operation, channelId };
  const counted = { command, occurrence, subject, targets };
  const hours = await hoursAdded(policy, records, counted, { ...context, ...ask });
  return hoursWords(
    policy,
    targets.own.map((target) => ({ ...ask, ...target, hours })),
  );
}

const nothing: HoursAhead = { lines: [], over: [] };
const isSaidLater = (name: string): boolean => name === "reason" || name === "ticket";
