import { rightsOf } from "../../../changes/authorize/decide-change.ts";
import type { WarnedGroup, WarningContent } from "../../../changes/bulletin.ts";
import { mayAskFor } from "../../../changes/queries/queries.ts";
import { exclusionCreate } from "../../../commands/exclusion/exclusion.ts";
import { unknownProject, whoCould } from "../../../permissions/decide.ts";
import { browseOperation } from "../../../service/operations.ts";
import type { Message } from "../message.ts";
import type { BulletinSources } from "./bulletin-sources.ts";
import { warningMessage } from "./warning.ts";

/** A warning as its reader may see it now; undefined for somebody who may see nothing of it, or has left. */
export async function ownWarningMessage(
  content: WarningContent,
  { store, settings, actor, channelMembers }: BulletinSources,
): Promise<Message | undefined> {
  const reader = await actor(content.to);
  if (reader.membership !== "member") return undefined;
  const asked = [...new Set((await store.ownWarnings(reader.userId)).map(({ channelId }) => channelId))];
  const isThere = async (id: string | null) => id === null || (await channelMembers.has(id, reader.userId, "read"));
  const entered = await Promise.all(asked.map(async (id) => ((await isThere(id)) ? [id] : [])));
  const places = [...new Set([null, ...entered.flat()])];
  const mays = places.map((place) => ({ place, may: rightsOf(settings(), reader, place) }));
  const maySee = (projectId: string | null) =>
    mays.some(({ may }) => may(browseOperation, { projectId: projectId ?? unknownProject }));
  const actions = content.actions.filter(({ projectId }) => maySee(projectId));
  if (actions.length === 0) return undefined;
  const groups = content.groups.filter(({ project }) => maySee(project));
  const { operation } = exclusionCreate;
  // A press counts where the message is, and that is in no channel.
  const targetOf = ({ project: projectId, type: resourceType }: WarnedGroup) => ({
    projectId,
    resourceType,
    exclusionLengthMs: 0,
  });
  const placeOf = (group: WarnedGroup) => mays.find(({ may }) => may(operation, targetOf(group)))?.place;
  const left = groups.filter(({ held }) => !held?.isWhole);
  const elsewhere = left.map(placeOf).find((place) => typeof place === "string") ?? undefined;
  const mayAsk = mayAskFor(settings(), exclusionCreate, reader);
  const mayKeep = (group: WarnedGroup) => {
    const place = placeOf(group);
    return place === null || (place === undefined && mayAsk);
  };
  const [barred] = left.filter((group) => !mayKeep(group));
  const byReader = { actor: reader, operation, channelId: null, isOwn: false };
  const couldDo = barred ? whoCould(settings().policy, { ...byReader, ...targetOf(barred) }) : [];
  return warningMessage({ ...content, actions, groups }, reader.timeZone, {
    ...{ teamId: reader.teamId, mayKeep, elsewhere, couldDo },
  });
}
