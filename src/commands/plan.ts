import { type Plan, planTypes, stopTimes, weekdays } from "../service/resources.ts";
import { formatDuration } from "../time/duration.ts";
import { readClock } from "../time/wall-clock.ts";
import { type Fact, factsIn, type Problem, yesOrNo } from "./answer.ts";
import { defineChange } from "./command.ts";
import { usualProject } from "./exclusion/derive-place.ts";
import { choice, days, type Input, json, length, reference, text, time, zone } from "./field.ts";
import { scheduleWords, serviceZone } from "./schedule-facts.ts";

/** How a stop time is given: as a time of day, where it is known what the service counts it from, else as a length. */
const stopCounts = [...stopTimes, "length"] as const;
const workdays = weekdays.slice(0, 5);
const isNoBackup = ({ type }: Input): boolean => type !== "backup-plan";
const mayBeBackup = ({ type }: Input): boolean => type === undefined || type === "backup-plan";
const stopsAtTime = (input: Input): boolean => isNoBackup(input) && input.stopCounts !== "length";
const stopsAfterLength = (input: Input): boolean =>
  isNoBackup(input) && (input.stopCounts === "length" || input.stopAfter !== undefined);
const operation = "CreateManagedServicesPlan";

export const planCreate = defineChange({
  words: "plan create",
  title: "New plan",
  summary: "Make a plan that starts and stops resources, or backs them up",
  operation,
  about: "plan",
  fields: {
    name: text({ label: "Name", example: '"Office hours"', maxLength: 200, positional: true }),
    type: choice(
      planTypes.map((type) => ({ value: type, label: type })),
      { label: "Type", redraws: true, initial: "start-stop-plan" },
    ),
    project: reference("project", { label: "Project", hint: "Its name or id" }),
    days: days({ label: "Days", hint: "Mon–Fri, weekends, daily, or Mon, Wed, Fri" }),
    start: time({ label: "Start at" }),
    stop: time({
      label: "Stop at",
      example: "18:30",
      hint: "A time before the start is on the next day",
      when: stopsAtTime,
    }),
    stopAfter: length({
      label: "Stop after",
      hint: "The length from the start, such as 11h",
      when: stopsAfterLength,
    }),
    zone: zone({ label: "Time zone", hint: "Sent as the service writes it: IANA or Windows" }),
    parameters: json({
      label: "Parameters (JSON)",
      hint: "The service's parameters of a backup plan, such as {}",
      when: mayBeBackup,
    }),
    enabled: yesOrNo({ label: "Enabled", initial: "no", optional: true }),
    stopCounts: choice(
      stopCounts.map((value) => ({ value, label: value })),
      { label: "Stop times count", hidden: "all", optional: true },
    ),
    projectFrom: text({ label: "Project known from", maxLength: 60, hidden: "all", optional: true }),
  },
  subjectId: () => null,
  complete: async (input, context) => {
    const { parameters, stop, stopAfter, project } = input;
    const counts = context.settings.service?.stopTime ?? "length";
    const isStartStop = stop !== undefined || stopAfter !== undefined;
    return {
      zone: context.actor.timeZone,
      stopCounts: counts,
      ...(parameters ? { type: "backup-plan" } : {}),
      ...(isStartStop ? { type: "start-stop-plan" } : {}),
      ...(counts === "length" ? {} : stopOf(input)),
      ...(project === undefined ? await usualProject(undefined, context, operation) : {}),
    };
  },
  propose: async ({ type, days: given }) => ({ type: type ?? "start-stop-plan", days: given ?? [...workdays] }),
  notes: async (input) => ({ ...planNotes(input), ...(input.projectFrom ? { project: input.projectFrom } : {}) }),
  preview: async ({ project, projectFrom }, { directory }) => {
    if (project === undefined || projectFrom === undefined) return { lines: [], buttons: [] };
    const name = (await directory.get("project", project))?.name ?? project;
    return { lines: [], buttons: [], answer: { effect: [], lines: [`Project ${name}: ${projectFrom}.`] } };
  },
  prepare: async (input, context) => ({ ...input, zone: await serviceZone(input.zone, context) }),
  request: (input) => {
    const parameters = parametersOf(input);
    if ("problem" in parameters) return parameters;
    return {
      name: input.name,
      planType: input.type,
      schedule: {
        scheduleType: "daily",
        timeOfDay: input.start,
        timeZoneId: input.zone,
        parameters: { days: weekdays.filter((day) => input.days.includes(day)) },
      },
      parameters: parameters.sent,
      isEnabled: input.enabled === "yes",
      projectId: input.project,
    };
  },
  target: ({ request }) => ({ projectId: request.projectId }),
  describe: ({ request, after, at }) => ({
    done: `created plan ${request.name}`,
    asked: `create plan ${request.name}`,
    facts: planFacts({ ...request, ...after }, at),
  }),
});

export const planCommands = [planCreate] as const;

interface Times {
  readonly start?: string | undefined;
  readonly stop?: string | undefined;
  readonly stopAfter?: number | undefined;
  readonly stopCounts?: (typeof stopCounts)[number] | undefined;
}

const secondsPerDay = 86_400;

/** The time of day that a length after the start comes to; nothing where a stop is given or the start is not. */
function stopOf({ start, stop, stopAfter }: Times): { readonly stop?: string } {
  if (stop !== undefined || start === undefined || stopAfter === undefined) return {};
  const seconds = (secondsOf(start) + Math.round(stopAfter / 1000)) % secondsPerDay;
  const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  return { stop: parts.map((part) => String(part).padStart(2, "0")).join(":") };
}

/** What the times come to: "11 h after the start, on the same day". */
function planNotes(times: Times): Readonly<Record<string, string>> {
  const { start, stop } = times;
  if (times.stopCounts === "length") return { stopAfter: lengthNote };
  if (start === undefined || stop === undefined || start === stop) return {};
  const day = stop > start ? "on the same day" : "on the next day";
  return { stop: `${formatDuration(lengthOf(start, stop) * 1000)} after the start, ${day}` };
}

const lengthNote =
  "Curfew doesn't know what the service counts stop times from, so it sends this length as stopTimeInSeconds. Those who run Curfew can set “service.stopTime”.";

interface PlanInput extends Times {
  readonly type: (typeof planTypes)[number];
  readonly start: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

function parametersOf(input: PlanInput): { readonly sent: Record<string, unknown> } | Problem {
  const { type, parameters } = input;
  if (type !== "backup-plan") {
    const seconds = stopSeconds(input);
    if (typeof seconds !== "number") return seconds;
    return { sent: { startStopMode: "start-stop-combined", stopTimeInSeconds: seconds } };
  }
  return parameters
    ? { sent: parameters }
    : { field: "parameters", problem: "A backup plan needs its parameters. Nothing was changed." };
}

function stopSeconds({ start, stop, stopAfter, stopCounts: counts }: PlanInput): number | Problem {
  if (counts === "afterStart" || counts === "ofDay") {
    if (stop === undefined) return { field: "stop", problem: "When does it stop? Nothing was changed." };
    if (stop === start) return { field: "stop", problem: "It would stop when it starts. Nothing was changed." };
    return counts === "ofDay" ? secondsOf(stop) : lengthOf(start, stop);
  }
  if (stopAfter !== undefined) return Math.round(stopAfter / 1000);
  return { field: "stopAfter", problem: "After how long does it stop? Nothing was changed." };
}

/** From one time of day to the next such time, in seconds. */
const lengthOf = (start: string, stop: string): number =>
  (secondsOf(stop) - secondsOf(start) + secondsPerDay) % secondsPerDay;

function secondsOf(clock: string): number {
  const { hour = 0, minute = 0, second = 0 } = readClock(clock) ?? {};
  return hour * 3600 + minute * 60 + second;
}

/** The facts of a plan; its zone's offset is the one at `at` (epoch ms). */
export function planFacts(plan: Partial<Plan>, at?: number): readonly Fact[] {
  return factsIn({
    Type: plan.planType,
    Schedule: plan.schedule && scheduleWords(plan.schedule, at),
    ...parameterWords(plan.parameters),
    Enabled: plan.isEnabled ? "yes" : "no",
    ...{ State: plan.state, Project: plan.projectId, Plan: plan.planId },
  });
}

/** The seconds as the service has them: what it counts them from is not part of a plan. */
function parameterWords(parameters: Plan["parameters"]) {
  const { startStopMode, stopTimeInSeconds: seconds, ...rest } = parameters ?? {};
  const isKnown = startStopMode === "start-stop-combined" && typeof seconds === "number";
  const other = isKnown ? rest : (parameters ?? {});
  return {
    "Stop time": isKnown ? `${formatDuration(seconds * 1000)} (${seconds} s)` : undefined,
    Parameters: Object.keys(other).length > 0 || (parameters && !isKnown) ? JSON.stringify(other) : undefined,
  };
}
