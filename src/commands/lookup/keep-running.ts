import { actsOn, isFor } from "../../service/action-types.ts";
import { type Action, resourceTypes } from "../../service/resources.ts";
import type { CommandButton } from "../answer.ts";
import type { FillContext } from "../command.ts";
import { afterRunMs } from "../exclusion/kept-until.ts";
import type { Resources } from "../thing.ts";
import { groupsOf, type Place, type Run } from "./coming-runs.ts";

type KeepContext = Pick<FillContext, "may" | "now" | "settings">;

export interface RunButtons {
  /** Keeps the one group that the action acts on. */
  readonly keep?: CommandButton;
  /** Where no group names what the action acts on: the form, and the one that makes such a group. */
  readonly forms: readonly CommandButton[];
}

/** What prevents a run that stops something, as far as the requester may. */
export function keepRunningButtons({ action, at }: Run, context: KeepContext): RunButtons {
  if (!isFor("stop", action)) return { forms: [] };
  const until = at + afterRunMs;
  const names = groupsOf(action, context);
  const [name, ...others] = names;
  const group = name !== undefined && others.length === 0 ? context.settings.resourceGroups[name] : undefined;
  if (!group) {
    const place = { project: action.projectId ?? undefined, type: typeOf(action) };
    const [form] = exclusionForm(place, [], until, context);
    if (!form) return { forms: [] };
    const label = { label: "Keep running…" };
    return { forms: [{ ...form, ...label }, ...(names.length === 0 ? [nameMachines(action, place)] : [])] };
  }
  const { ids, type, project } = group;
  if (!mayExclude({ type, project }, until, context)) return { forms: [] };
  const input = { resourceIds: ids, type, project, process: "stop", until };
  return { keep: { label: "Keep running", words: "exclusion create", opens: "result", input }, forms: [] };
}

/** An action does not name its machines (API.md). A group that does makes one press enough from then on. */
function nameMachines({ actionId }: Action, { project, type }: Place): CommandButton {
  const known = { ...(project === undefined ? {} : { project }), ...(type === undefined ? {} : { type }) };
  return { label: "Name its machines…", words: "group save", opens: "form", input: { ...known, actions: [actionId] } };
}

/** Opens the form for excluding these resources, filled with what is known. */
export function keepResourcesButton(
  { ids }: Pick<Resources, "ids">,
  place: Place,
  stop: Run | undefined,
  context: KeepContext,
): readonly CommandButton[] {
  return exclusionForm(place, ids, stop && stop.at + afterRunMs, context);
}

function exclusionForm(
  { project, type }: Place,
  ids: readonly string[],
  until: number | undefined,
  context: KeepContext,
): readonly CommandButton[] {
  if (!mayExclude({ project, type }, until ?? context.now, context)) return [];
  const input = {
    ...(ids.length > 0 ? { resourceIds: ids } : {}),
    ...(project === undefined ? {} : { project }),
    ...(resourceTypes.some((each) => each === type) ? { type } : {}),
    ...(until === undefined ? {} : { until }),
    process: "stop",
  };
  return [{ label: "Keep running", words: "exclusion create", opens: "form", input }];
}

function mayExclude({ project, type }: Place, until: number, { may, now }: KeepContext): boolean {
  const target = { projectId: project, resourceType: type, exclusionLengthMs: Math.max(0, until - now) };
  return may("CreateActionExclusion", target);
}

const typeOf = (action: Action): string | undefined => resourceTypes.find((type) => actsOn(action, type) === true);
