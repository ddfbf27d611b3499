import type { AnyOccurrence, ChangeCommand, Target } from "../commands/command.ts";
import type { Directory } from "../directory/directory.ts";
import { accountOf } from "../service/account-ids.ts";

interface When {
  readonly subjectId: string | null;
  readonly now: number;
  readonly directory: Pick<Directory, "get">;
}

/** Where a change acts, with the account of the service: users and policies have no project that would say it. */
export async function targetsIn(
  command: Pick<ChangeCommand, "target">,
  occurrence: AnyOccurrence,
  { subjectId, now, directory }: When,
): Promise<readonly [Target, ...Target[]]> {
  const targets = [await command.target(occurrence, now, directory)].flat();
  const [first = {}, ...others] = targets.map((target) => ({
    account: accountOf(subjectId ?? target.projectId ?? ""),
    ...target,
  }));
  return [first, ...others];
}
