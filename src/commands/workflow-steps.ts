import { catalogue } from "./catalogue.ts";
import type { Command } from "./command.ts";
import type { Step } from "./command-base.ts";

/** A command that may be a step of a workflow. */
export type StepCommand = Command & { readonly step: Step };

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
