import { actionList, actionShow } from "./action.ts";
import { approvalList } from "./approval.ts";
import { can } from "./can.ts";
import type { Command } from "./command.ts";
import { credentialDelete, credentialEdit } from "./credential.ts";
import { approve, deny, withdraw } from "./decision.ts";
import { exclusionCreate, exclusionEnd, exclusionExtend, exclusionList } from "./exclusion.ts";
import { exclusionEdit } from "./exclusion-edit.ts";
import { groupDelete, groupList, groupSave, groupShow } from "./group.ts";
import { help } from "./help.ts";
import { history } from "./history.ts";
import { planCreate } from "./plan.ts";
import { policyShow } from "./policy.ts";
import { projectRename } from "./project.ts";
import { selectorEdit, selectorShow } from "./selector.ts";
import { undo } from "./undo.ts";
import { userDetachPolicy, userDisable, userEmail, userEnable, userRemoveMfa } from "./user.ts";
import { whoami } from "./whoami.ts";

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
