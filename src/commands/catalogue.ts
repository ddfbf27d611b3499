import { actionList, actionShow } from "./action.ts";
import type { Command } from "./command.ts";
import { exclusionCreate, exclusionEnd, exclusionExtend, exclusionList } from "./exclusion.ts";
import { help } from "./help.ts";
import { history } from "./history.ts";
import { projectRename } from "./project.ts";
import { userDisable, userEnable, userRemoveMfa } from "./user.ts";
import { whoami } from "./whoami.ts";

/** Every command there is, in the order help shows them. */
export const catalogue: readonly Command[] = [
  exclusionCreate,
  exclusionList,
  exclusionExtend,
  exclusionEnd,
  userEnable,
  userDisable,
  userRemoveMfa,
  projectRename,
  actionList,
  actionShow,
  history,
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
