import type { Problem } from "../commands/answer.ts";
import type { AnyOccurrence, ChangeCommand, Target } from "../commands/command.ts";
import { contradictionIn, type Elsewhere, placedElsewhere } from "../commands/exclusion/resource-claims.ts";
import type { PlacedDirectory } from "../directory/directory.ts";
import { type ApprovalRule, approvalsFor, combinedApproval } from "../permissions/approval.ts";
import type { PermissionRequest } from "../permissions/decide.ts";
import type { Policy } from "../permissions/policy.ts";

/** Everything that a change touches, before and after it: each of these is judged. */
export interface Touched {
  /** What the change says that it is about. */
  readonly own: readonly [Target, ...Target[]];
  /** Where its resources are known to belong beside that, and who says so. */
  readonly elsewhere: readonly Elsewhere[];
  /** What it says of a resource, and is known to be otherwise. */
  readonly contradiction: Problem | undefined;
}

interface When {
  readonly subjectId: string | null;
  readonly now: number;
  readonly directory: PlacedDirectory;
}

export async function touchedBy(
  command: ChangeCommand,
  occurrence: AnyOccurrence,
  { subjectId, now, directory }: When,
): Promise<Touched> {
  const [first = {}, ...rest] = [await command.target(occurrence, now, directory)].flat();
  const own = [first, ...rest] as const;
  const named = command.resources?.(occurrence);
  if (!named) return { own, elsewhere: [], contradiction: undefined };
  // What an exclusion says of itself is no news about what it is to become.
  const itself = command.about === "exclusion" ? (subjectId ?? undefined) : undefined;
  const ids = [...named.claimed, ...named.before];
  const places = await directory.placesOf(ids, itself);
  return {
    own,
    elsewhere: placedElsewhere(own, places),
    contradiction: contradictionIn(named, first.projectId, places),
  };
}

/** The rules whose approval it takes: of whichever target, and also those for making directly what it turns a thing into. */
export function approvalOf(
  policy: Policy,
  command: ChangeCommand,
  occurrence: AnyOccurrence,
  { own, elsewhere }: Touched,
  ask: PermissionRequest,
): ApprovalRule | "none together" | undefined {
  const operations = [ask.operation, command.makes?.(occurrence) ?? []].flat();
  const targets = [...own, ...elsewhere.map(({ target }) => target)];
  const requests = operations.flatMap((operation) => targets.map((target) => ({ ...ask, operation, ...target })));
  return combinedApproval(approvalsFor(policy, requests));
}
