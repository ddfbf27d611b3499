import { z } from "zod";
import type { CommandButton, Problem } from "../answer.ts";
import type { FillContext, Inverse } from "../command.ts";
import type { Input } from "../field.ts";
import { dayOf } from "./day-of.ts";
import { afterRunMs, keptUntil, type Lasting, lastings } from "./kept-until.ts";
import type { NamedGroup } from "./resource-context.ts";

/** The run that somebody was warned of, and how long it should be held back. */
export const warnedRun = z.object({
  run: z.number(),
  lasting: z.enum(lastings.map(({ value }) => value)),
  process: z.enum(["stop", "start"]),
});

interface WarnedRun {
  readonly run: number;
  readonly lasting: Lasting;
  readonly process: "stop" | "start";
}

/** Excludes the group that a warning names; of several it asks which. What was said beside it is passed on. */
export function skipWarned(names: string, warned: WarnedRun, said: Input, context: FillContext): Inverse | Problem {
  const { run, lasting, process } = warned;
  const wanted = names.toLowerCase().split(" ");
  const groups = Object.entries(context.settings.resourceGroups).filter(([name]) => wanted.includes(name));
  const [first, ...others] = groups;
  if (!first) return unknownGroups(wanted, context.now, run);
  if (others.length > 0) return whichGroup(groups, warned, context);
  const [name, { ids, type, project }] = first;
  if (run <= context.now) return isOver(name, { resourceIds: ids, type, project, process });
  const until = keptUntil(run, lasting, dayOf(context));
  return { words: "exclusion create", input: { resourceIds: ids, type, project, process, until, ...said } };
}

function whichGroup(groups: readonly NamedGroup[], warned: WarnedRun, { may, now }: FillContext): Problem {
  const until = Math.max(0, warned.run - now);
  const allowed = groups.filter(([, { project: projectId, type: resourceType }]) =>
    may("CreateActionExclusion", { projectId, resourceType, exclusionLengthMs: until }),
  );
  // Whoever may exclude none of them is shown all: the answer says whom to ask.
  const shown = allowed.length > 0 ? allowed : groups;
  return {
    problem: "This is about more than one group. Nothing was changed yet. Which one?",
    select: {
      ...{ words: "skip", field: "thing", input: { ...warned }, placeholder: "Choose a group…" },
      options: shown.slice(0, maxOptions).map(([name]) => ({ label: name, value: name })),
    },
  };
}

/** Slack's limit of a select. */
const maxOptions = 100;

const formButton = (input: Input): CommandButton => ({
  ...{ label: "Open the form", words: "exclusion create", opens: "form", input },
});

function unknownGroups(names: readonly string[], now: number, run: number): Problem {
  return {
    problem: `I don't know ${names.map((name) => `“${name}”`).join(" or ")} as a group that you may see. Nothing was changed. “groups” shows the groups.`,
    buttons: [formButton(run > now ? { until: run + afterRunMs } : {})],
  };
}

const isOver = (name: string, input: Input): Problem => ({
  problem: `This run of ${name} was due already. Nothing was changed. You can exclude it from the next one.`,
  buttons: [formButton(input)],
});
