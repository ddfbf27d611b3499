import type { CommandContext } from "../../commands/command.ts";
import { exclusionCreate } from "../../commands/exclusion/exclusion.ts";
import type { HoursHeld, WeekHours } from "../../commands/query-ports.ts";
import { mayBeIn } from "../../permissions/approval-rules.ts";
import { budgetSays } from "../../permissions/budgets/budgets.ts";
import { inHours } from "../../permissions/budgets/weekly-hours.ts";
import type { Policy } from "../../permissions/policy.ts";
import { holdsRole } from "../../permissions/roles-held.ts";
import { formatDuration } from "../../time/duration.ts";
import { lengthWithin } from "../../time/intervals.ts";
import { weekAt } from "../../time/week.ts";
import { type ExclusionRecords, type Kept, keptBy } from "../hours/kept-running.ts";

/** What people keep running this week, and what limits the requester. */
export async function weekHours(
  policy: Policy,
  records: Pick<ExclusionRecords, "exclusionsKeeping">,
  { actor, channelId, settings, now }: CommandContext,
): Promise<WeekHours> {
  const week = weekAt(now, settings.channels[channelId ?? ""]?.zone ?? actor.timeZone);
  const kept = (await records.exclusionsKeeping(week.from)).flatMap(keptBy);
  const each = new Map<string, Kept[]>();
  for (const time of kept) {
    const key = `${time.by} ${time.resource.key}`;
    each.set(key, [...(each.get(key) ?? []), time]);
  }
  const held = new Map<string, HoursHeld>();
  for (const times of each.values()) {
    const [first] = times;
    const hours = inHours(lengthWithin(times, week));
    if (!first || first.by === null || hours === 0) continue;
    const { by, projectId, resource } = first;
    const key = `${by} ${projectId} ${hours}`;
    const resourceIds = [...(held.get(key)?.resourceIds ?? []), resource.id];
    held.set(key, { by, projectId, resourceIds, hours, budget: budgetIn(policy, projectId) });
  }
  const longest = `Nobody may hold anything for more than ${formatDuration(settings.exclusions.maxLengthMs)}`;
  const own = roleLimits(policy, actor);
  const rules = policy.budgets.map(budgetSays);
  const limits = own.length > 0 ? [...own, longest, ...rules] : ["You have no role that may exclude resources"];
  return { limits, held: [...held.values()].sort((one, other) => other.hours - one.hours) };
}

function budgetIn({ budgets }: Policy, projectId: string | null): number | undefined {
  const counting = budgets.filter(({ projects }) => mayBeIn(projects, projectId ?? undefined));
  return counting.length > 0 ? Math.min(...counting.map(({ weeklyHours: hours }) => hours)) : undefined;
}

const roleLimits = ({ rolesFor }: Policy, actor: CommandContext["actor"]): readonly string[] =>
  (rolesFor.get(exclusionCreate.operation) ?? [])
    .filter((role) => holdsRole(actor, role))
    .map(({ name, where: { maxExclusionMs, weeklyHours: hours } }) => {
      const limits = [
        ...(maxExclusionMs === undefined ? [] : [`${formatDuration(maxExclusionMs)} at a time`]),
        ...(hours === undefined ? [] : [`${hours} h of each resource in a week`]),
      ];
      return limits.length > 0
        ? `As ${name} you may hold up to ${limits.join(" and ")}`
        : `As ${name} you have no limit`;
    });
