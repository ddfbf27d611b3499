import { approvalCommands } from "./about-changes/approval.ts";
import { history } from "./about-changes/history.ts";
import { outcomeCommands } from "./about-changes/outcome.ts";
import { undo } from "./about-changes/undo.ts";
import { actionCommands } from "./action.ts";
import type { Command } from "./command.ts";
import { credentialCommands } from "./credential/credential.ts";
import { exclusionCommands } from "./exclusion/exclusion.ts";
import { groupCommands } from "./group/group.ts";
import { accessCommands } from "./help/help-and-rights.ts";
import { budget } from "./lookup/budget.ts";
import { find } from "./lookup/find.ts";
import { holidays } from "./lookup/holidays.ts";
import { knownLists } from "./lookup/known-lists.ts";
import { mine } from "./lookup/mine.ts";
import { next } from "./lookup/next.ts";
import { running } from "./lookup/running.ts";
import { status } from "./lookup/status.ts";
import { userList, userShow } from "./lookup/user-show.ts";
import { why } from "./lookup/why.ts";
import { userOffboard } from "./offboard.ts";
import { planCommands } from "./plan/plan.ts";
import { selectorCommands } from "./plan/selector.ts";
import { projectCommands } from "./project.ts";
import { userCommands } from "./user.ts";
import { warningCommands } from "./warnings/own-warnings.ts";

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
  return catalogue.find((command) => command.words === words);
}
