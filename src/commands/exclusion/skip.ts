import { isFor } from "../../service/action-types.ts";
import type { Problem } from "../answer.ts";
import type { FillContext, ShortcutCommand } from "../command.ts";
import { text } from "../field.ts";
import { exclusionOperation } from "./exclusion-body.ts";
import { groupsOfAction, nextRunOf } from "./next-run.ts";
import type { NamedGroup } from "./resource-context.ts";

/** After the run, so that it is surely held back. */
const marginMs = 5 * 60_000;

/** Excludes a group, or the group of an action, until just after its next run. */
export const skip: ShortcutCommand = {
  kind: "shortcut",
  words: "skip",
  title: "Skip the next run",
  summary: "Keep a group out of its next scheduled run",
  operation: exclusionOperation,
  fields: {
    thing: text({
      label: "Group or action",
      hint: "A resource group, or an action by its name or id",
      example: "staging",
      maxLength: 200,
      positional: "rest",
    }),
    reason: text({ label: "Reason", maxLength: 500, optional: true }),
  },
  leadsTo: async ({ thing, reason }, context) => {
    const skipped = await runToSkip(String(thing), context);
    if ("problem" in skipped) return skipped;
    const { group, at, process } = skipped;
    const { ids, type, project } = group[1];
    const input = { resourceIds: ids, type, project, process, until: at + marginMs };
    return { words: "exclusion create", input: typeof reason === "string" ? { ...input, reason } : input };
  },
};

interface Skipped {
  readonly group: NamedGroup;
  readonly at: number;
  readonly process: "start" | "stop";
}

async function runToSkip(thing: string, context: FillContext): Promise<Skipped | Problem> {
  const groups = Object.entries(context.settings.resourceGroups);
  const named = groups.find(([name]) => name.toLowerCase() === thing.toLowerCase());
  if (named) return skippedRun(named, await nextRunOf({ group: named[1] }, context));
  const found = await groupsOfAction(thing, context);
  if ("problem" in found) return found;
  const [group, ...others] = found;
  if (!group || others.length > 0) return unclear(thing, others.length > 0);
  const [action, ...more] = await context.directory.match("action", thing);
  if (!action || more.length > 0) return unclear(thing, more.length > 0);
  return skippedRun(group, await nextRunOf({ actionId: action.id }, context));
}

function skippedRun(group: NamedGroup, run: Awaited<ReturnType<typeof nextRunOf>>): Skipped | Problem {
  if (run === undefined) return { problem: `Nothing is due that would stop ${group[0]}. Nothing was changed.` };
  if ("problem" in run) return { problem: `${run.problem} Nothing was changed.` };
  return { group, at: run.at, process: isFor("start", run.action) ? "start" : "stop" };
}

function unclear(thing: string, isSeveral: boolean): Problem {
  const why = isSeveral
    ? `“${thing}” is about more than one group.`
    : `I don't know “${thing}” as a group, or as an action that a group lists.`;
  return { problem: `${why} Nothing was changed. \`groups\` shows the groups, and \`actions\` what runs.` };
}
