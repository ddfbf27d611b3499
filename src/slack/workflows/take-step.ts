import type { App } from "@slack/bolt";
import { NotRecordedError, type Receipt, TakenOverError } from "../../changes/receipts.ts";
import type { Problem } from "../../commands/answer.ts";
import { commandOf, type StepCommand, stepCommands, stepNamed } from "../../commands/catalogue.ts";
import type { FillContext } from "../../commands/command.ts";
import { exclusionCreate } from "../../commands/exclusion/exclusion.ts";
import type { Input } from "../../commands/field.ts";
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
import { completedAs, completedWith, failedWith, type StepEnding, wordsOf } from "./step-ending.ts";
import { readInputs, readStep, type StepToDo } from "./step-function.ts";

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
