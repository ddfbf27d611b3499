import type { Entity } from "../../directory/directory.ts";
import { accountOf } from "../../service/account-ids.ts";
import { resourceKeys } from "../../service/resources.ts";
import type { Interval } from "../../time/intervals.ts";
import { type Answer, isProblem, type Problem } from "../answer.ts";
import type { QueryContext } from "../command.ts";
import type { Span as SpanSaid } from "../field.ts";
import { type Filter, readFilter } from "../filter.ts";
import { withDayOff } from "../lookup/days-off.ts";
import { maySeeProject } from "../lookup/may-see.ts";
import { listAnswer } from "../lookup/page-of.ts";
import type { Plan } from "../query-ports.ts";
import type { Thing } from "../thing.ts";
import { expiryOf, isSwitchedOff, startOf } from "./exclusion-body.ts";
import { endOf, exclusionLines } from "./exclusion-line.ts";
import { planLine, plansSeen } from "./planned/plans.ts";

type Exclusion = Entity<"exclusion">;

/** The exclusions that are not over, or those of a time, narrowed by words in any order. */
export async function listExclusions(
  { page, ...asked }: { readonly which: string; readonly when: SpanSaid | undefined; readonly page: number },
  context: QueryContext,
): Promise<Answer | Problem> {
  const { said: which = "", when } = await withDayOff({ said: asked.which, when: asked.when }, context);
  const filter = await readFilter(which, ["mine", "others", "person", "things", "account"], context);
  if (isProblem(filter)) return filter;
  const known = when
    ? await knownDuring(when.spans, filter, context)
    : await context.directory.liveExclusions(context.now);
  const shown = known
    .filter(({ projectId }) => maySeeProject(context, projectId))
    .filter(({ ownerId, projectId, id, body }) =>
      isWanted({ ownerId, projectId, id, resourceIds: body.resourceIds ?? [] }, filter, context.actor.userId),
    );
  const plans = (await plansSeen(context))
    .filter((plan) => isWanted(plan, filter, context.actor.userId))
    .filter(({ spans }) => !when || spans.some(({ startsAt, endsAt }) => isWithin(startsAt, endsAt, when.spans)));
  return listAnswer<Exclusion | Plan>({
    all: [...shown, ...plans],
    page,
    command: { words: "exclusion list", input: { ...(which ? { which } : {}), ...(when ? { when } : {}) } },
    noun: keptCount,
    narrowed: [...filter.said.map((part) => (part === "mine" ? "by you" : part)), ...(when ? [when.said] : [])].join(
      " ",
    ),
    whenEmpty: "“keep staging up until 18:00” makes one.",
    lines: async (onPage) => [
      ...(await exclusionLines(onPage.filter(isExclusion), context, when !== undefined)),
      ...(await Promise.all(onPage.flatMap((each) => (isExclusion(each) ? [] : planLine(each, context))))),
    ],
  });
}

/** "3 kept running or off" */
export const keptCount = (count: number): string => `${count === 0 ? "Nothing is" : count} kept running or off`;

/** Those in force at some time within the spans, the last to end first. Of ended ones, the latest of each resource of a group. */
async function knownDuring(spans: readonly Interval[], { things }: Filter, context: QueryContext) {
  const { directory, now, settings } = context;
  const from = Math.min(now, ...spans.map((each) => each.from));
  const groups =
    things?.flatMap((thing) => (thing.kind === "resources" ? thing : [])) ?? Object.values(settings.resourceGroups);
  const ids = groups.flatMap(({ ids: each }) => each.flatMap(resourceKeys));
  const all = [...(await directory.liveExclusions(from)), ...(await directory.exclusionsNaming([...new Set(ids)]))];
  return [...new Map(all.map((each) => [each.id, each])).values()]
    .map((exclusion) => ({
      exclusion,
      end: endOf(exclusion, now) ?? expiryOf(exclusion.body) ?? Number.POSITIVE_INFINITY,
    }))
    .filter(({ exclusion: { body }, end }) => !isSwitchedOff(body) && isWithin(startOf(body) ?? 0, end, spans))
    .sort((one, other) => other.end - one.end)
    .map(({ exclusion }) => exclusion);
}

const isWithin = (from: number, to: number, spans: readonly Interval[]): boolean =>
  spans.some((each) => from < each.to && each.from < to);

const isExclusion = (each: Exclusion | Plan): each is Exclusion => "kind" in each;

interface Listed extends Pick<Plan, "id" | "projectId" | "resourceIds"> {
  readonly ownerId: string | null;
}

function isWanted(listed: Listed, { mine, others, person, things, account }: Filter, requesterId: string): boolean {
  const { ownerId, id, projectId } = listed;
  if (account !== undefined && accountOf(projectId ?? id) !== account) return false;
  if ((mine && ownerId !== requesterId) || (others && ownerId === requesterId)) return false;
  if (person !== undefined && ownerId !== person) return false;
  return (
    things === undefined ||
    things.some((thing) => (thing.kind === "exclusion" ? thing.id === id : namesThing(listed, thing)))
  );
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
