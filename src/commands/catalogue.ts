import { approvalCommands, outcomeCommands } from "./about-changes/approval.ts";
import { history, undo } from "./about-changes/history.ts";
import { actionCommands } from "./action.ts";
import type { Command, WorkflowStep } from "./command.ts";
import { credentialCommands } from "./credential.ts";
import { exclusionCommands } from "./exclusion/exclusion.ts";
import { groupCommands } from "./group.ts";
import { accessCommands } from "./help.ts";
import { holidays } from "./lookup/days-off.ts";
import { find } from "./lookup/find.ts";
import { knownLists } from "./lookup/known-lists.ts";
import { budget, mine } from "./lookup/mine.ts";
import { next } from "./lookup/next.ts";
import { running } from "./lookup/running.ts";
import { status } from "./lookup/status.ts";
import { userList, userShow } from "./lookup/user-show.ts";
import { why } from "./lookup/why.ts";
import { planCommands } from "./plan.ts";
import { projectCommands } from "./project.ts";
import { selectorCommands } from "./selector.ts";
import { userCommands, userOffboard } from "./user.ts";
import { warningCommands } from "./warnings.ts";

/** Every command, in the order in which help shows them; each file lists its own. */
export const catalogue: readonly Command[] = [
  ...exclusionCommands,
  find,
  status,
  why,
  next,
  running,
  mine,
  budget,
  holidays,
  ...warningCommands,
  userShow,
  userList,
  ...userCommands,
  userOffboard,
  ...projectCommands,
  ...actionCommands,
  ...planCommands,
  ...selectorCommands,
  ...credentialCommands,
  ...knownLists,
  ...groupCommands,
  history,
  undo,
  ...approvalCommands,
  ...outcomeCommands,
  ...accessCommands,
];

export function commandOf(words: string): Command | undefined {
  return byWords.get(words);
}

const byWords = new Map(catalogue.map((command) => [command.words, command]));

/** A command that may be a step of a workflow. */
export type StepCommand = Command & { readonly step: WorkflowStep };

/** Every one of them, in the order of the catalogue. */
export const stepCommands: readonly StepCommand[] = catalogue.filter(
  (command): command is StepCommand => command.step !== undefined,
);

export function stepNamed(name: string): StepCommand | undefined {
  return stepCommands.find(({ step }) => step.name === name);
}

/** The fields that a step asks for. A change may say its reason and its ticket. */
export function fieldsOfStep({
  kind,
  fields,
  step,
}: StepCommand): readonly (readonly [string, Command["fields"][string]])[] {
  const names = kind === "change" ? [...step.inputs, "reason", "ticket"] : step.inputs;
  return names.flatMap((name) => {
    const field = fields[name];
    return field ? [[name, field] as const] : [];
  });
}
