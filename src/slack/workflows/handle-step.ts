import type { Problem } from "../../commands/answer.ts";
import { commandOf, type StepCommand } from "../../commands/catalogue.ts";
import type { FillContext } from "../../commands/command.ts";
import { exclusionCreate } from "../../commands/exclusion/exclusion.ts";
import type { Input } from "../../commands/field.ts";
import type { SplitLine } from "../../language/split-line.ts";
import { choicesAsProblems, type FieldsRead, readParts } from "../fields/read-fields.ts";
import type { Access } from "../listeners/access.ts";
import type { ContextOf, Origin } from "../listeners/request-context.ts";
import type { CommandReply, RunCommand } from "../listeners/run-command.ts";
import type { Message } from "../messages/message.ts";
import { completedAs, completedWith, failedWith, type StepEnding, wordsOf } from "./step-ending.ts";
import type { StepEnds } from "./step-ends.ts";

/** The part of the config that steps need. */
export interface WorkflowRules {
  readonly steps: ReadonlySet<string>;
  readonly channel?: string | undefined;
}

/** The ports of `handleStep`. */
export interface StepPorts {
  readonly contextOf: ContextOf;
  readonly access: Access;
  readonly runCommand: RunCommand;
  readonly stepEnds: StepEnds;
  /** Undefined where the config allows no steps. */
  readonly workflows: () => WorkflowRules | undefined;
  readonly isOurTeam: (teamId: string) => boolean;
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
export async function handleStep(ports: StepPorts, step: Step): Promise<void> {
  const { executionId } = step;
  if (await ports.stepEnds.hasEnded(executionId)) return;
  const ending = await endingHere(ports, step);
  if (ending) await ports.stepEnds.endOnce(executionId, ending);
}

async function endingHere(ports: StepPorts, step: Step): Promise<StepEnding | undefined> {
  const { contextOf, access, runCommand, workflows } = ports;
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
export function whyClosed(workflows: WorkflowRules | undefined, name: string): string | undefined {
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
