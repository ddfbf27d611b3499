import type { Entity } from "../../directory/directory.ts";
import { resourceKeys } from "../../directory/resource-place.ts";
import { type Answer, isProblem, type Problem } from "../answer.ts";
import type { QueryContext } from "../command.ts";
import { readFilter } from "../filter/filter.ts";
import type { Filter } from "../filter/filter-parts.ts";
import { maySeeProject } from "../lookup/may-see.ts";
import { listAnswer } from "../lookup/page-of.ts";
import type { Plan } from "../query-ports.ts";
import type { Thing } from "../thing.ts";
import { startOf } from "./exclusion-body.ts";
import { exclusionLines } from "./exclusion-line.ts";
import { planLine, plansSeen } from "./planned/plans.ts";

type Exclusion = Entity<"exclusion">;

/** The exclusions that are not over, narrowed by words in any order. */
export async function listExclusions(which: string, page: number, context: QueryContext): Promise<Answer | Problem> {
  const filter = await readFilter(which, ["mine", "others", "person", "things", "since"], context);
  if (isProblem(filter)) return filter;
  const live = await context.directory.liveExclusions(context.now);
  const shown = live
    .filter(({ projectId }) => maySeeProject(context, projectId))
    .filter((exclusion) => isWanted(exclusion, filter, context.actor.userId));
  const plans = (await plansSeen(context)).filter((plan) => isPlanWanted(plan, filter, context.actor.userId));
  return listAnswer<Exclusion | Plan>({
    ...{
      all: [...shown, ...plans],
      page,
      command: { words: "exclusion list", input: which ? { which } : {} },
      noun: "exclusion",
    },
    narrowed: filter.said.map((part) => (part === "mine" ? "of yours" : part)).join(" "),
    note: "Only those that Curfew knows: the service cannot list exclusions made elsewhere.",
    whenEmpty: "“keep staging up until 18:00” makes one.",
    lines: async (onPage) => [
      ...(await exclusionLines(onPage.filter(isExclusion), context)),
      ...onPage.flatMap((each) => (isExclusion(each) ? [] : planLine(each, context))),
    ],
  });
}

function isWanted(exclusion: Exclusion, { mine, others, person, things, since }: Filter, requesterId: string): boolean {
  const { ownerId, body } = exclusion;
  if (mine && ownerId !== requesterId) return false;
  if (others && ownerId === requesterId) return false;
  if (person !== undefined && ownerId !== person) return false;
  if (since !== undefined && (startOf(body) ?? since) < since) return false;
  return things === undefined || things.some((thing) => isAbout(exclusion, thing));
}

const isExclusion = (each: Exclusion | Plan): each is Exclusion => "kind" in each;

function isPlanWanted(plan: Plan, { mine, others, person, things, since }: Filter, requesterId: string): boolean {
  const { ownerId, projectId, resourceIds } = plan;
  if (since !== undefined || (mine && ownerId !== requesterId)) return false;
  if ((others && ownerId === requesterId) || (person !== undefined && ownerId !== person)) return false;
  return things === undefined || things.some((thing) => namesThing({ projectId, resourceIds }, thing));
}

/** Whether an exclusion is this thing, is in it, or names one of these resources. */
export function isAbout({ id, projectId, body }: Exclusion, thing: Thing): boolean {
  if (thing.kind === "exclusion") return id === thing.id;
  return namesThing({ projectId, resourceIds: body.resourceIds ?? [] }, thing);
}

export function namesThing({ projectId, resourceIds }: Pick<Plan, "projectId" | "resourceIds">, thing: Thing): boolean {
  if (thing.kind === "project") return projectId === thing.id;
  if (thing.kind !== "resources") return false;
  const keys = new Set(resourceIds.flatMap(resourceKeys));
  return thing.ids.flatMap(resourceKeys).some((key) => keys.has(key));
}
