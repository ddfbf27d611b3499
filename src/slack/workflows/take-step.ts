import { NotRecordedError, type Receipt, TakenOverError } from "../../changes/receipts.ts";
import { stepCommands, stepNamed } from "../../commands/catalogue.ts";
import { workflowActorId } from "../../permissions/actor.ts";
import { type AttendPorts, attend } from "../listeners/attend.ts";
import { splitOf } from "../listeners/receipt-of.ts";
import type { Origin } from "../listeners/request-context.ts";
import { handleStep, type StepPorts, whyClosed } from "./handle-step.ts";
import { readInputs, type StepToDo } from "./read-step.ts";
import { failedWith, wordsOf } from "./step-ending.ts";

export interface TakeStepPorts extends AttendPorts, StepPorts {
  readonly now: () => number;
}

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
export async function takeStep(ports: TakeStepPorts, todo: StepToDo, { arrivedAt, ...taking }: Taking): Promise<void> {
  const { executionId } = todo;
  const { channel: channelId = null } = ports.workflows() ?? {};
  const origin = { userId: workflowActorId, channelId, responseUrl: undefined, arrivedAt, executionId };
  const read = whyRefused(ports, todo) ?? receiptFor(todo, ports.now(), channelId);
  const receipt = async () => {
    if (!("error" in read)) return read;
    // Before the acknowledgement too, after which Slack does not send it again.
    await ports.stepEnds.endOnce(executionId, failedWith(read.error)).catch((error: unknown) => {
      throw new NotRecordedError(error);
    });
    return undefined;
  };
  await attendStep(ports, origin, { ...taking, receipt }, async (attended) => {
    if (!("error" in read)) await doStep(ports, attended, read);
  });
}

/** Does a step whose instance is gone. Nobody waits who could have asked again. */
export async function resumeStep(ports: TakeStepPorts, receipt: Receipt, isGivenUp: boolean): Promise<void> {
  const { id, userId, channelId, receivedAt } = receipt;
  const isLate = ports.now() - receivedAt > resumeStepWithinMs;
  const executionId = id.slice(stepKey("").length);
  const origin = {
    userId,
    channelId,
    responseUrl: undefined,
    arrivedAt: performance.now(),
    receiptId: id,
    executionId,
  };
  await attendStep(ports, origin, {}, (attended) =>
    isLate || isGivenUp
      ? ports.stepEnds.endOnce(executionId, failedWith(isGivenUp ? interruptedTwice : interrupted))
      : doStep(ports, attended, receipt),
  );
}

/** Its times count from when the workflow asked. Later, they may be over. */
const resumeStepWithinMs = 15 * 60_000;
const interrupted = "Curfew was down when this step should have run. Nothing was done: run the workflow again.";
const interruptedTwice =
  "Curfew was interrupted twice while it handled this step. Nothing was done. Tell the people who run Curfew before you run the workflow again.";

type StepOrigin = Origin & { readonly executionId: string };

async function attendStep(
  ports: TakeStepPorts,
  origin: StepOrigin,
  attending: Parameters<typeof attend>[3],
  handle: (attended: StepOrigin) => Promise<void>,
): Promise<void> {
  // A workflow waits for its step's end, so it needs no notice that there is much to do.
  const quiet = { ...ports, progressSchedule: () => () => undefined };
  await attend(quiet, origin, handle, {
    ...attending,
    send: async ({ text }, { onUnanswered }) => {
      const failed = failedWith(wordsOf({ text, blocks: [] }));
      await ports.stepEnds.endOnce(origin.executionId, failed).catch((error: unknown) => {
        ports.log.error({ err: error }, "the end of a step could not be recorded; trying again");
        onUnanswered?.();
      });
    },
  });
}

async function doStep(ports: TakeStepPorts, origin: StepOrigin, receipt: Receipt): Promise<void> {
  const command = stepCommands.find(({ words }) => words === receipt.words);
  const split = splitOf(receipt);
  if (!command || !split) return ports.stepEnds.endOnce(origin.executionId, failedWith(unknownStep));
  const step = { ...origin, command, split, key: receipt.id, askedAt: receipt.receivedAt };
  await handleStep(ports, step).catch((error: unknown) => {
    if (!(error instanceof TakenOverError)) throw error;
    ports.log.warn({ command: command.words }, "a step was dropped, since another instance has taken it over");
  });
}

const unknownStep =
  "This version of Curfew does not know this step. Nothing was changed. Ask the people who run Curfew to update it.";

function whyRefused(
  { workflows, isOurTeam }: TakeStepPorts,
  { name, teamId }: StepToDo,
): { error: string } | undefined {
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
