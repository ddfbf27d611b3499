import { resourceTypeNamed } from "../../directory/resources.ts";
import { accountOf } from "../../service/account-ids.ts";
import type { OperationName } from "../../service/operations.ts";
import type { ResourceType } from "../../service/resources.ts";
import type { FillContext } from "../command.ts";
import { exclusionOperation } from "./exclusion-body.ts";
import { followingFrom, only, same } from "./resource-context.ts";

/** What follows about resources from everything that Curfew knows. `projectFrom`: how the project was found, in a few words. */
export interface DerivedPlace {
  readonly type?: ResourceType;
  readonly project?: string;
  readonly projectFrom?: string;
}

/**
 * The type and project of resources, by the first of these that gives them: their group, their form, what these ids had before, the only
 * project that the requester may use, the channel's project, the requester's last, the only one known.
 */
export async function derivePlace(
  ids: readonly string[],
  given: { readonly type?: string | undefined; readonly project?: string | undefined },
  context: FillContext,
): Promise<DerivedPlace> {
  if (ids.length === 0) return {};
  const known = await knownPlace(ids, given, context);
  if (given.project !== undefined || known.project !== undefined) return known;
  return { ...known, ...(await usualProject(given.type ?? known.type, context, exclusionOperation, ids)) };
}

/** By their group, their form, or what these ids had before. */
export async function knownPlace(
  ids: readonly string[],
  given: { readonly type?: string | undefined; readonly project?: string | undefined },
  context: FillContext,
): Promise<DerivedPlace> {
  const following = followingFrom(ids, context.settings.resourceGroups);
  const isKnown = (given.type ?? following.type) !== undefined && (given.project ?? following.project) !== undefined;
  const earlier = isKnown ? {} : await earlierPlace(ids, context);
  const type = following.type ?? earlier.type;
  const place = type ? { type } : {};
  if (given.project !== undefined) return place;
  if (following.project !== undefined) return { ...place, project: following.project, projectFrom: groupsProject };
  return earlier.project === undefined ? place : { ...place, ...earlier, ...place };
}

export const groupsProject = "its group's";

/** Where all these ids were before. A place that holds now has precedence over those of ended exclusions. */
async function earlierPlace(ids: readonly string[], { directory }: FillContext): Promise<DerivedPlace> {
  const all = await directory.placesOf(ids);
  const present = all.filter(({ isPast }) => !isPast);
  const places = ids.map((id) => {
    const own = present.filter((place) => place.id === id && (place.projectId !== undefined || place.types.length > 0));
    return own.length > 0 ? own : all.filter((place) => place.id === id);
  });
  const type = resourceTypeNamed(
    same(places.map((own) => only(own.flatMap(({ types }) => (types.length === 1 ? types : []))))),
  );
  const project = same(places.map((own) => only(own.flatMap(({ projectId }) => projectId ?? []))));
  const projectFrom = all.some(({ source }) => source === "import") ? "as imported" : "as last time";
  return { ...(type ? { type } : {}), ...(project ? { project, projectFrom } : {}) };
}

/** How many projects are judged; with more, the requester says which. */
const maxProjects = 200;

export async function usualProject(
  resourceType: string | undefined,
  context: FillContext,
  operation: OperationName = exclusionOperation,
  ids: readonly string[] = [],
): Promise<Omit<DerivedPlace, "type">> {
  const { settings, actor } = context;
  // In a direct message, the only channel of one's own counts.
  const channelId = actor.inChannels?.length === 1 ? (actor.inChannels[0] ?? null) : context.channelId;
  const known = (await context.directory.search("project", "", maxProjects)).map(({ id }) => id);
  const ofGroups = Object.values(settings.resourceGroups).map(({ project }) => project);
  const all = [...new Set([...known, ...ofGroups])];
  const accounts = Object.keys(settings.accounts).length > 0 ? [...new Set(ids.map(accountOf))] : [];
  const mayUse = (projectId: string) =>
    accounts.every((account) => account === accountOf(projectId)) &&
    context.may(operation, { projectId, resourceType, exclusionLengthMs: 0 });
  const allowed = all.filter(mayUse);
  const [single] = allowed;
  if (single !== undefined && allowed.length === 1 && all.length > 1)
    return {
      project: single,
      projectFrom: `the only one${accounts[0] === undefined ? "" : ` of ${accounts[0]}`} you may use`,
    };
  const ofChannel = channelId === null ? undefined : settings.channels[channelId]?.project;
  if (ofChannel !== undefined && mayUse(ofChannel)) return { project: ofChannel, projectFrom: "this channel's" };
  const last = await context.lastProject?.();
  if (last !== undefined && mayUse(last)) return { project: last, projectFrom: "your last one" };
  return single !== undefined && allowed.length === 1 ? { project: single, projectFrom: "the only one known" } : {};
}
