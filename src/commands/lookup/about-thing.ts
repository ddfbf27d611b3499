import { groupsWithAny } from "../../directory/group-index.ts";
import { resourceTypeLabel } from "../../service/action-types.ts";
import { resourceKeys } from "../../service/resources.ts";
import { inOrder } from "../about-changes/history.ts";
import { type Item, isLine, type Line } from "../answer.ts";
import type { QueryContext } from "../command.ts";
import { changesOf } from "../filter.ts";
import type { Resources, Thing } from "../thing.ts";
import { maySee, maySeeProject } from "./may-see.ts";
import { groupsOf, placeOf } from "./runs.ts";
import { changesSeen } from "./seen-parts.ts";

/** "A group of 3 (EC2) in Production." */
export async function whatIs(thing: Thing, context: QueryContext): Promise<string> {
  switch (thing.kind) {
    case "resources":
      return whatAre(thing, context);
    case "project": {
      const groups = groupsWhere(({ project }) => project === thing.id, context);
      return groups.length > 0 ? `A project with the groups ${groups.join(", ")}.` : "A project.";
    }
    case "action": {
      const groups = groupsOf(thing.action, context);
      const on = groups.length > 0 ? `, for ${groups.join(", ")}` : "";
      return `An action${await inProject(thing.action.projectId, context)}${on}.`;
    }
    case "exclusion":
      return `Kept${await inProject(thing.exclusion.projectId, context)}.`;
    default:
      return `A ${thing.kind}.`;
  }
}

async function whatAre({ ids, group }: Resources, context: QueryContext): Promise<string> {
  const { project, type } = await placeOf({ kind: "resources", ids, group, name: "" }, context);
  const kind = type === undefined ? "" : ` (${resourceTypeLabel(type)})`;
  const where = await inProject(project, context);
  if (group !== undefined) return `A group of ${ids.length}${kind}${where}.${await selectedBy(ids, context)}`;
  const groups = groupsWithAny(ids, context.settings.resourceGroups).flatMap(([name, { project: of }]) =>
    maySeeProject(context, of) ? [name] : [],
  );
  const what = ids.length === 1 ? "A resource" : `${ids.length} resources`;
  const of = groups.length > 0 ? ` of ${groups.join(", ")}` : ", in no group that you may see";
  return `${what}${kind}${of}${where}.${await selectedBy(ids, context)}`;
}

type Groups = QueryContext["settings"]["resourceGroups"];

const groupsWhere = (isMeant: (group: Groups[string]) => boolean, context: QueryContext): readonly string[] =>
  Object.entries(context.settings.resourceGroups).flatMap(([name, group]) =>
    isMeant(group) && maySeeProject(context, group.project) ? [name] : [],
  );

async function inProject(id: string | null | undefined, { directory }: QueryContext): Promise<string> {
  return id ? ` in ${(await directory.get("project", id))?.name ?? id}` : "";
}

const maxSelectors = 200;

/** The selectors that name resources by their ids, as far as Curfew knows them. */
async function selectedBy(ids: readonly string[], context: QueryContext): Promise<string> {
  const keys = new Set(ids.flatMap(resourceKeys));
  const all = await context.directory.search("selector", "", maxSelectors);
  const naming = all.filter(({ body }) => body.resourceIds?.flatMap(resourceKeys).some((key) => keys.has(key)));
  const isSeen = await Promise.all(naming.map((each) => maySee(each, context)));
  const names = naming
    .filter((_each, index) => isSeen[index])
    .map(async ({ id, name, body }) => {
      const plan = body.planId ? await context.directory.get("plan", body.planId) : undefined;
      return `${name ?? id}${plan ? ` of the plan ${plan.name ?? plan.id}` : ""}`;
    });
  return names.length > 0 ? ` Selected by ${(await Promise.all(names)).join(", ")}.` : "";
}

/** The latest changes of a thing, made here or in the service itself. */
export async function latestLines(
  thing: Thing,
  limit: number,
  context: QueryContext,
): Promise<{ readonly lines: readonly Line[]; readonly isMore: boolean }> {
  const entries = await context.history({ about: changesOf([thing]), limit });
  const seen = await changesSeen({ things: [thing] }, context);
  const lines = await inOrder(entries, seen.slice(0, limit), context);
  return { lines: lines.slice(0, limit), isMore: entries.length + seen.length >= limit };
}

/** Each line once: a planned change is a plan and a change. */
export function eachOnce(items: readonly (Item | Line)[]): readonly (Item | Line)[] {
  const ids = new Set<string>();
  return items.filter((item) => !isLine(item) || (!ids.has(item.id) && ids.add(item.id)));
}
