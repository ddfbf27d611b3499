import { resourceTypeNamed, typeWords } from "../../directory/resources.ts";
import type { FillContext } from "../command.ts";
import { groupsProject } from "./derive-place.ts";
import { resourceWords } from "./exclusion-body.ts";
import type { PlannedExclusion } from "./exclusion-impact.ts";
import { groupOf } from "./resource-context.ts";

interface Planned extends PlannedExclusion {
  readonly projectFrom?: string | undefined;
}

/** What was understood by *What*: "staging: 2 EC2 instances in Development (i-0a1, i-0a2)". */
export async function exclusionNotes(
  { resourceIds = [], type, project, projectFrom }: Planned,
  { directory, settings }: FillContext,
): Promise<Readonly<Record<string, string>>> {
  if (resourceIds.length === 0) return {};
  const group = groupOf(resourceIds, settings.resourceGroups);
  const known = project === undefined ? undefined : await directory.get("project", project);
  const where = project === undefined ? "" : ` in ${known?.name ?? project}`;
  const why = projectFrom === undefined || projectFrom === groupsProject ? [] : [projectFrom];
  const inBrackets = [...(group === undefined ? [] : [resourceWords(resourceIds, 5)]), ...why].join("; ");
  const what = `${counted(resourceIds.length, type)}${where}${inBrackets ? ` (${inBrackets})` : ""}`;
  return { resourceIds: group === undefined ? what : `${group}: ${what}` };
}

function counted(count: number, type: string | undefined): string {
  const known = resourceTypeNamed(type);
  const one = known ? typeWords[known] : "resource";
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
