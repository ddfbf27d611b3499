import { type Plan, planTypes, weekdays } from "../../service/resources.ts";
import { type Fact, type Problem, yesOrNo } from "../answer.ts";
import { defineChange } from "../command.ts";
import { choice, type Input, json, number, reference, text, time, zone } from "../field.ts";
import { scheduleWords, serviceZone } from "../schedule-facts.ts";

const workdays = weekdays.slice(0, 5);
const isNoBackup = ({ type }: Input): boolean => type !== "backup-plan";
const mayBeBackup = ({ type }: Input): boolean => type === undefined || type === "backup-plan";

export const planCreate = defineChange({
  words: "plan create",
  title: "New plan",
  summary: "Make a plan that starts and stops resources, or backs them up",
  operation: "CreateManagedServicesPlan",
  about: "plan",
  fields: {
    name: text({ label: "Name", example: '"Office hours"', maxLength: 200, positional: true }),
    type: choice(
      planTypes.map((type) => ({ value: type, label: type })),
      { label: "Type", redraws: true, initial: "start-stop-plan" },
    ),
    project: reference("project", {
      label: "Project",
      hint: "If empty, the account's default project",
      optional: true,
    }),
    days: choice(
      weekdays.map((day) => ({ value: day, label: day })),
      { label: "Days", multiple: true },
    ),
    time: time({ label: "Time" }),
    zone: zone({ label: "Time zone", hint: "Sent as the kind of id that the service uses, IANA or Windows" }),
    stopTime: number({
      label: "Stop time in seconds",
      example: "28800",
      hint: "The service's stopTimeInSeconds for start-stop-combined",
      minimum: 0,
      when: isNoBackup,
    }),
    parameters: json({
      label: "Parameters (JSON)",
      hint: "The service's parameters of a backup plan, such as {}",
      when: mayBeBackup,
    }),
    enabled: yesOrNo({ label: "Enabled", initial: "no", optional: true }),
  },
  subjectId: () => null,
  complete: async ({ parameters, stopTime }, { actor }) => ({
    zone: actor.timeZone,
    ...(parameters ? { type: "backup-plan" } : {}),
    ...(stopTime === undefined ? {} : { type: "start-stop-plan" }),
  }),
  propose: async ({ type, days }) => ({ type: type ?? "start-stop-plan", days: days ?? [...workdays] }),
  prepare: async (input, context) => ({ ...input, zone: await serviceZone(input.zone, context) }),
  request: (input) => {
    const parameters = parametersOf(input);
    if ("problem" in parameters) return parameters;
    return {
      name: input.name,
      planType: input.type,
      schedule: {
        scheduleType: "daily",
        timeOfDay: input.time,
        timeZoneId: input.zone,
        parameters: { days: weekdays.filter((day) => input.days.includes(day)) },
      },
      parameters: parameters.sent,
      isEnabled: input.enabled === "yes",
      ...(input.project ? { projectId: input.project } : {}),
    };
  },
  target: ({ request }) => ({ projectId: request.projectId }),
  describe: ({ request, after, at }) => ({
    done: `created plan ${request.name}`,
    asked: `create plan ${request.name}`,
    facts: planFacts({ ...request, ...after }, at),
  }),
});

interface PlanInput {
  readonly type: (typeof planTypes)[number];
  readonly stopTime?: number;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

function parametersOf({ type, stopTime, parameters }: PlanInput): { readonly sent: Record<string, unknown> } | Problem {
  if (type === "backup-plan") {
    return parameters
      ? { sent: parameters }
      : { field: "parameters", problem: "A backup plan needs its parameters. Nothing was changed." };
  }
  return stopTime === undefined
    ? { field: "stopTime", problem: "A start-stop plan needs its stop time. Nothing was changed." }
    : { sent: { startStopMode: "start-stop-combined", stopTimeInSeconds: stopTime } };
}

/** The facts of a plan; its zone's offset is the one at `at` (epoch ms). */
export function planFacts(plan: Partial<Plan>, at?: number): readonly Fact[] {
  const values: readonly (readonly [string, string | null | undefined])[] = [
    ["Type", plan.planType],
    ["Schedule", plan.schedule && scheduleWords(plan.schedule, at)],
    ["Parameters", plan.parameters && JSON.stringify(plan.parameters)],
    ["Enabled", plan.isEnabled ? "yes" : "no"],
    ["State", plan.state],
    ["Project", plan.projectId],
    ["Plan", plan.planId],
  ];
  return values.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

export const planCommands = [planCreate] as const;
