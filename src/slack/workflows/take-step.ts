import type { App } from "@slack/bolt";
import { z } from "zod";
import { NotRecordedError, type Receipt, type Said, TakenOverError } from "../../changes/receipts.ts";
import type { Problem } from "../../commands/answer.ts";
import { commandOf, fieldsOfStep, type StepCommand, stepCommands, stepNamed } from "../../commands/catalogue.ts";
import type { FillContext } from "../../commands/command.ts";
import { exclusionCreate } from "../../commands/exclusion/exclusion.ts";
import type { Field, Input } from "../../commands/field.ts";
import type { SplitLine } from "../../language/split-line.ts";
import { workflowActorId } from "../../permissions/actor.ts";
import { acknowledgementIn } from "../connection/held-events.ts";
import { arrivalIn } from "../connection/measured-client.ts";
import { choicesAsProblems, type FieldsRead, readParts } from "../fields/read-fields.ts";
import { attend } from "../listeners/attend.ts";
import type { Deps } from "../listeners/deps.ts";
import { createOnce, isRepeatedBySlack } from "../listeners/mention/once.ts";
import { splitOf } from "../listeners/receipt-of.ts";
import type { Origin } from "../listeners/request-context.ts";
import type { CommandReply } from "../listeners/run-command.ts";
import type { Message } from "../messages/message.ts";
import { optionalText } from "../optional-text.ts";
import { completedAs, completedWith, failedWith, type StepEnding, wordsOf } from "./step-ending.ts";

export interface Taking {
  readonly arrivedAt: number;
  /** Acknowledges the step, or may do so later. */
  readonly recorded: () => void;
  /** Slack sends the step again if it is not acknowledged. */
  readonly isRepeated: boolean;
}

/** Also the idempotency key of its change. */
export const stepKey = (executionId: string): string => `execution:${executionId}`;

/** Records a step before it is acknowledged, and does it. One that cannot be done ends with the reason. */
export async function takeStep(deps: Deps, todo: StepToDo, { arrivedAt, ...taking }: Taking): Promise<void> {
  const { executionId } = todo;
  const { channel: channelId = null } = deps.workflows() ?? {};
  const origin = { userId: workflowActorId, channelId, responseUrl: undefined, arrivedAt, executionId };
  const read = whyRefused(deps, todo) ?? receiptFor(todo, deps.now(), channelId);
  const receipt = async () => {
    if (!("error" in read)) return read;
    // Before the acknowledgement too, after which Slack does not send it again.
    await deps.stepEnds.endOnce(executionId, failedWith(read.error)).catch((error: unknown) => {
      throw new NotRecordedError(error);
    });
    return undefined;
  };
  await attendStep(deps, origin, { ...taking, receipt }, async (attended) => {
    if (!("error" in read)) await doStep(deps, attended, read);
  });
}

/** Does a step whose instance is gone. Nobody waits who could have asked again. */
export async function resumeStep(deps: Deps, receipt: Receipt, isGivenUp: boolean): Promise<void> {
  const { id, userId, channelId, receivedAt } = receipt;
  const isLate = deps.now() - receivedAt > resumeStepWithinMs;
  const executionId = id.slice(stepKey("").length);
  const origin = {
    userId,
    channelId,
    responseUrl: undefined,
    arrivedAt: performance.now(),
    receiptId: id,
    executionId,
  };
  await attendStep(deps, origin, {}, (attended) =>
    isLate || isGivenUp
      ? deps.stepEnds.endOnce(executionId, failedWith(isGivenUp ? interruptedTwice : interrupted))
      : doStep(deps, attended, receipt),
  );
}

/** Its times count from when the workflow asked. Later, they may be over. */
const resumeStepWithinMs = 15 * 60_000;
const interrupted = "Curfew was down when this step should have run. Nothing was done: run the workflow again.";
const interruptedTwice =
  "Curfew was interrupted twice while it handled this step. Nothing was done. Tell the people who run Curfew before you run the workflow again.";

type StepOrigin = Origin & { readonly executionId: string };

async function attendStep(
  deps: Deps,
  origin: StepOrigin,
  attending: Parameters<typeof attend>[3],
  handle: (attended: StepOrigin) => Promise<void>,
): Promise<void> {
  // A workflow waits for its step's end, so it needs no notice that there is much to do.
  const quiet = { ...deps, progressSchedule: () => () => undefined };
  await attend(quiet, origin, handle, {
    ...attending,
    send: async ({ text }, { onUnanswered }) => {
      const failed = failedWith(wordsOf({ text, blocks: [] }));
      await deps.stepEnds.endOnce(origin.executionId, failed).catch((error: unknown) => {
        deps.log.error({ err: error }, "the end of a step could not be recorded; trying again");
        onUnanswered?.();
      });
    },
  });
}

async function doStep(deps: Deps, origin: StepOrigin, receipt: Receipt): Promise<void> {
  const command = stepCommands.find(({ words }) => words === receipt.words);
  const split = splitOf(receipt);
  if (!command || !split) return deps.stepEnds.endOnce(origin.executionId, failedWith(unknownStep));
  const step = { ...origin, command, split, key: receipt.id, askedAt: receipt.receivedAt };
  await handleStep(deps, step).catch((error: unknown) => {
    if (!(error instanceof TakenOverError)) throw error;
    deps.log.warn({ command: command.words }, "a step was dropped, since another instance has taken it over");
  });
}

const unknownStep =
  "This version of Curfew does not know this step. Nothing was changed. Ask the people who run Curfew to update it.";

function whyRefused({ workflows, isOurTeam }: Deps, { name, teamId }: StepToDo): { error: string } | undefined {
  const closed = whyClosed(workflows(), name);
  if (closed !== undefined) return { error: closed };
  if (isOurTeam(teamId)) return undefined;
  const error = `Curfew does not work for workflows of the workspace ${teamId}. Nothing was changed. Ask the people who run Curfew to add it to “teams”.`;
  return { error };
}

/** Of a read too: after a crash its step must not stay open. */
function receiptFor(
  { executionId, name, inputs }: StepToDo,
  receivedAt: number,
  channelId: string | null,
): Receipt | { error: string } {
  const command = stepNamed(name);
  if (!command) return { error: unknownStep };
  const read = readInputs(command, inputs);
  if (read.kind === "problem") return { error: read.problem };
  const asked = { userId: workflowActorId, channelId, receivedAt };
  return { id: stepKey(executionId), kind: "step", words: command.words, said: read.said, ...asked };
}

/** A step whose inputs were put in words. */
export interface Step extends Origin {
  readonly executionId: string;
  readonly command: StepCommand;
  readonly split: SplitLine;
  /** Its idempotency key. */
  readonly key: string;
  readonly askedAt: number;
}

/**
 * Does a step with the role of the config. What a person would be asked is its error. One that is recorded as a change ends with that
 * change, however long that takes; any other ends here.
 */
export async function handleStep(deps: Deps, step: Step): Promise<void> {
  const { executionId } = step;
  if (await deps.stepEnds.hasEnded(executionId)) return;
  const ending = await endingHere(deps, step);
  if (ending) await deps.stepEnds.endOnce(executionId, ending);
}

async function endingHere(deps: Deps, step: Step): Promise<StepEnding | undefined> {
  const { contextOf, access, runCommand, workflows } = deps;
  const { command, split, executionId, key, askedAt: now } = step;
  const closed = whyClosed(workflows(), command.step.name);
  if (closed !== undefined) return failedWith(closed);
  const context = { ...(await contextOf(step, "change")), executionId, now };
  const refusal = await access.refusalOf(command, {}, context);
  if (refusal) return failed(refusal, nextSteps.refused);
  const read = choicesAsProblems(await readParts(command, split.parts, context, split.sets));
  const question = questionIn(command, read);
  if (question !== undefined) return failedWith(question);
  const reply = await runCommand(command, read.input, context, key);
  const held = await heldAlready(command, read.input, context, reply);
  const instead = reply.outcome.kind === "invalid" ? held?.instead : undefined;
  const other = instead && commandOf(instead.words);
  const ending = endingOf(other ? await runCommand(other, instead.input, context, key) : reply, executionId);
  const isHeld = held !== undefined && (other !== undefined || reply.outcome.kind === "refused");
  return isHeld && ending?.kind === "failed" ? failedWith(`${held.problem} ${ending.error}`) : ending;
}

/** Who keeps the machines running already that a step wants to keep running for longer than it may. */
async function heldAlready(
  command: StepCommand,
  input: Input,
  context: FillContext,
  { outcome }: CommandReply,
): Promise<Problem | undefined> {
  if (outcome.kind === "invalid") return outcome.problem;
  const isNew = outcome.kind === "refused" && command.kind === "change" && command.words === exclusionCreate.words;
  return isNew ? command.already?.(input, context) : undefined;
}

/** Why this step is not offered; undefined if the config allows it. */
export function whyClosed(workflows: ReturnType<Deps["workflows"]>, name: string): string | undefined {
  if (workflows?.steps.has(name)) return undefined;
  const why = workflows ? "does not allow workflows this step" : "does not let workflows do anything";
  return `Curfew's config ${why}. Nothing was changed. Ask the people who run Curfew to add ${name} to “workflows.steps”.`;
}

/** What is wrong or missing, as a person would be asked. */
function questionIn(command: StepCommand, { problems, missing }: FieldsRead): string | undefined {
  const wrong = Object.values(problems);
  if (wrong.length === 0 && missing.length === 0) return undefined;
  const labels = missing.map((name) => `“${command.fields[name]?.label ?? name}”`);
  // An unreadable field may contain the missing ones.
  const lacking = labels.length > 0 && wrong.length === 0 ? [`This step lacks ${labels.join(" and ")}.`] : [];
  const said = [...wrong, ...lacking].join(" ");
  const unchanged = command.kind === "change" && !said.includes("Nothing was changed") ? " Nothing was changed." : "";
  return `${said}${unchanged} Correct the step in Workflow Builder.`;
}

/** A change of this step ends it when it is settled. */
function endingOf({ message, outcome, change }: CommandReply, executionId: string): StepEnding | undefined {
  if (change !== undefined && change.executionId === executionId) return undefined;
  if (outcome.kind === "invalid" && outcome.problem.met) return completedAs(message, outcome.problem.met);
  return done.has(outcome.kind) ? completedWith(message) : failed(message, nextSteps[outcome.kind]);
}

const done: ReadonlySet<CommandReply["outcome"]["kind"]> = new Set(["answered", "decided", "known"]);

/** What a person would do by a button of the answer. */
const nextSteps: Partial<Record<CommandReply["outcome"]["kind"], string>> = {
  refused: "Correct the step in Workflow Builder. Or ask the people who run Curfew for more rights.",
  invalid: "Correct the step in Workflow Builder.",
  "already-requested": "Wait for that change before you run the workflow again.",
};

const failed = ({ text }: Message, next = ""): StepEnding =>
  failedWith(`${wordsOf({ text, blocks: [] })} ${next}`.trimEnd());

/** Listens to the steps of workflows, also to those of a manifest that is newer than this code. */
export function listenToSteps(app: App, deps: Deps): void {
  const once = createOnce(() => performance.now());
  app.event("function_executed", async ({ event, body, context }) => {
    const todo = readStep(body, event);
    if (!todo) return;
    const taking = {
      arrivedAt: arrivalIn(context),
      recorded: acknowledgementIn(context),
      isRepeated: isRepeatedBySlack(context.retryNum),
    };
    await once(stepKey(todo.executionId), () => takeStep(deps, todo, taking));
  });
}

/** The types of a step's parameters (PLATFORM.md §15.2). */
type ParameterType = "string" | "integer" | "boolean" | "slack#/types/user_id" | "slack#/types/timestamp";

export interface Parameter {
  readonly type: ParameterType;
  readonly title: string;
  readonly description: string;
  readonly is_required: boolean;
}

export interface StepInput extends Parameter {
  readonly name: string;
  readonly field: string;
}

/** The entry of a step in the manifest's `functions`. */
export interface StepFunction {
  readonly title: string;
  readonly description: string;
  readonly input_parameters: Readonly<Record<string, Parameter>>;
  readonly output_parameters: Readonly<Record<string, Parameter>>;
}

export function stepFunction(command: StepCommand): StepFunction {
  const inputs = inputsOf(command).map(({ name, field: _field, ...parameter }) => [name, parameter] as const);
  return {
    title: command.step.title,
    description: `${command.summary}.`,
    input_parameters: Object.fromEntries(inputs),
    output_parameters: outputsOf(command),
  };
}

/** A field that can be given in two ways has two inputs, and either will do. */
export function inputsOf(command: StepCommand): readonly StepInput[] {
  return fieldsOfStep(command).flatMap(([field, declared]) => {
    const ways = waysToGive(declared);
    const isNeeded = !declared.optional && declared.derivedFrom === undefined;
    return ways.map(({ suffix, type, title, says }) => ({
      ...{ name: `${snakeCase(field)}${suffix}`, field, type, title: `${declared.label}${title}` },
      description: descriptionOf(says ?? declared.hint ?? declared.label),
      is_required: isNeeded && ways.length === 1,
    }));
  });
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const descriptionOf = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

interface Way {
  readonly suffix: string;
  readonly type: ParameterType;
  readonly title: string;
  readonly says?: string;
}

const asText: Way = { suffix: "", type: "string", title: "" };

function waysToGive(field: Field): readonly Way[] {
  switch (field.kind) {
    case "moment":
    case "extension":
      return [
        { ...asText, says: "A length or a time, such as “2h”, “until 18:00” or “tonight”" },
        {
          suffix: "_time",
          type: "slack#/types/timestamp",
          title: " (date and time)",
          says: "Instead of words, a date",
        },
      ];
    case "reference":
      return field.to === "user"
        ? [
            asText,
            {
              suffix: "_in_slack",
              type: "slack#/types/user_id",
              title: " (in Slack)",
              says: "Instead, by their Slack profile",
            },
          ]
        : [asText];
    case "person":
      return [{ ...asText, type: "slack#/types/user_id" }];
    case "number":
      return [{ ...asText, type: "integer" }];
    case "switch":
      return [{ ...asText, type: "boolean" }];
    default:
      return [asText];
  }
}

const outputs = {
  change_id: { type: "string", title: "Change", description: "The id of the change in Curfew." },
  exclusion_id: { type: "string", title: "Exclusion", description: "The id of the exclusion in the service." },
  ends_at: { type: "slack#/types/timestamp", title: "End", description: "When the exclusion ends." },
  outcome: { type: "string", title: "Outcome", description: "What happened, in words." },
} as const;

/** What a step gives to the next ones. Only the words are always there. */
function outputsOf(command: StepCommand): StepFunction["output_parameters"] {
  const isChange = command.kind === "change";
  const names = [
    ...(isChange ? (["change_id"] as const) : []),
    ...(isChange && command.about === "exclusion" ? (["exclusion_id", "ends_at"] as const) : []),
    "outcome" as const,
  ];
  return Object.fromEntries(names.map((name) => [name, { ...outputs[name], is_required: name === "outcome" }]));
}

/** The used parts of a `function_executed` event (PLATFORM.md §18.1). Its token is not read: it is for this execution only. */
const stepEvent = z.looseObject({
  function: z.looseObject({ callback_id: z.string() }),
  inputs: z.record(z.string(), z.unknown()).nullish(),
  function_execution_id: z.string().regex(/^Fx\w{1,100}$/),
});
const stepBody = z.looseObject({ team_id: optionalText });

/** A step of a workflow that is to be done. */
export interface StepToDo {
  readonly executionId: string;
  /** Its name in the manifest. */
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The workspace of the workflow; "unknown" if Slack does not name it. */
  readonly teamId: string;
}

export function readStep(body: unknown, event: unknown): StepToDo | undefined {
  const [read, whole] = [stepEvent.safeParse(event).data, stepBody.safeParse(body).data];
  if (!read) return undefined;
  const { function: called, inputs, function_execution_id: executionId } = read;
  return { executionId, name: called.callback_id, inputs: inputs ?? {}, teamId: whole?.team_id ?? "unknown" };
}

type Inputs = { readonly kind: "said"; readonly said: Said } | { readonly kind: "problem"; readonly problem: string };

/** The words of each field, as a line would have them. Each input is one value: no word of it can be a flag or another field. */
function readInputs(command: StepCommand, inputs: StepToDo["inputs"]): Inputs {
  const parts: Record<string, Said["parts"][string]> = {};
  const sets: Record<string, unknown> = { ...command.step.sets };
  const given = new Map<string, StepInput>();
  for (const input of inputsOf(command)) {
    const { name, field, title } = input;
    const value = inputs[name];
    if (value === undefined || value === null || value === "" || value === false) continue;
    const other = given.get(field);
    if (other) return problem(`Give “${other.title}” or “${title}”, not both.`);
    given.set(field, input);
    const read = readValue(input, value);
    if (read === undefined) return problem(`“${title}” is not of the type that this step takes.`);
    if ("word" in read) parts[field] = [{ value: read.word, isQuoted: true }];
    else sets[field] = command.fields[field]?.kind === "extension" ? { until: read.value } : read.value;
  }
  return { kind: "said", said: { parts, sets } };
}

const problem = (text: string): Inputs => ({ kind: "problem", problem: `${text} Nothing was changed.` });

type Value = { readonly word: string } | { readonly value: number | true };

/** More than any field takes. */
const maxLength = 4000;
const maxSeconds = 1e10;

function readValue({ type }: StepInput, value: unknown): Value | undefined {
  switch (type) {
    case "string":
      return typeof value === "string" && value.length <= maxLength ? { word: value } : undefined;
    case "slack#/types/user_id":
      return typeof value === "string" && /^[UW][A-Z0-9]{1,30}$/.test(value) ? { word: `<@${value}>` } : undefined;
    case "slack#/types/timestamp":
      return typeof value === "number" && value > 0 && value < maxSeconds
        ? { value: Math.floor(value) * 1000 }
        : undefined;
    case "integer":
      return Number.isInteger(value) ? { word: String(value) } : undefined;
    case "boolean":
      return value === true ? { value } : undefined;
  }
}
