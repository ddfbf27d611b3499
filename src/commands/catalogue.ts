import { actionCommands } from "./action.ts";
import { approvalCommands } from "./approval.ts";
import type { Command } from "./command.ts";
import { credentialCommands } from "./credential/credential.ts";
import { exclusionCommands } from "./exclusion/exclusion.ts";
import { groupCommands } from "./group.ts";
import { accessCommands } from "./help-and-rights.ts";
import { historyCommands } from "./history.ts";
import { planCommands } from "./plan/plan.ts";
import { selectorCommands } from "./plan/selector.ts";
import { projectCommands } from "./project.ts";
import { userCommands } from "./user.ts";

/** Every command, in the order in which help shows them; each file lists its own. */
export const catalogue: readonly Command[] = [
  ...exclusionCommands,
  ...userCommands,
  ...projectCommands,
  ...actionCommands,
  ...planCommands,
  ...selectorCommands,
  ...credentialCommands,
  ...groupCommands,
  ...historyCommands,
  ...approvalCommands,
  ...accessCommands,
];

export function commandOf(words: string): Command | undefined {
  return catalogue.find((command) => command.words === words);
}
