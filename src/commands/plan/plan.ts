import { planTypes, weekdays } from "../../service/resources.ts";
import { yesOrNo } from "../answer.ts";
import { defineChange } from "../command.ts";
import { usualProject } from "../exclusion/derive-place.ts";
import { choice, days, type Input, json, length, reference, text, time, zone } from "../field.ts";
import { serviceZone } from "../schedule-facts.ts";
import { parametersOf, planFacts, planNotes, stopCounts, stopOf } from "./plan-times.ts";

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
    return { lines: [], buttons: [], answer: { effect: "", lines: [`Project ${name}: ${projectFrom}.`] } };
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
