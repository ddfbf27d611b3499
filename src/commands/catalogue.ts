import { actionList, actionShow } from "./action.ts";
import { approvalList, approve, deny, withdraw } from "./approval.ts";
import type { Command } from "./command.ts";
import { credentialDelete, credentialEdit } from "./credential/credential.ts";
import { exclusionCreate, exclusionEnd, exclusionExtend, exclusionList } from "./exclusion/exclusion.ts";
import { exclusionEdit } from "./exclusion/exclusion-edit.ts";
import { groupDelete, groupList, groupSave, groupShow } from "./group.ts";
import { history, undo } from "./history.ts";
import { planCreate } from "./plan/plan.ts";
import { selectorEdit, selectorShow } from "./plan/selector.ts";
import { policyShow, projectRename } from "./project.ts";
import { userDetachPolicy, userDisable, userEmail, userEnable, userRemoveMfa } from "./user.ts";
import { can, help, whoami } from "./who-may-what.ts";

/** Every command there is, in the order help shows them. */
export const catalogue: readonly Command[] = [
  exclusionCreate,
  exclusionList,
  exclusionExtend,
  exclusionEdit,
  exclusionEnd,
  userEnable,
  userDisable,
  userEmail,
  userRemoveMfa,
  userDetachPolicy,
  projectRename,
  actionList,
  actionShow,
  planCreate,
  selectorShow,
  selectorEdit,
  credentialEdit,
  credentialDelete,
  policyShow,
  groupList,
  groupShow,
  groupSave,
  groupDelete,
  history,
  undo,
  approvalList,
  approve,
  deny,
  withdraw,
  can,
  whoami,
  help,
];

export function commandOf(words: string): Command | undefined {
  return catalogue.find((command) => command.words === words);
}

/** All word sequences that name a command: its words and its aliases. */
export function namesOf(command: Command): readonly string[] {
  return [command.words, ...(command.aliases ?? [])];
}
