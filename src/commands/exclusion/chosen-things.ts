import { groupsNaming } from "../../directory/group-index.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { shortMoment } from "../../time/format-moment.ts";
import { isProblem, type Problem } from "../answer.ts";
import type { FillContext } from "../command.ts";
import { maySeeProject } from "../lookup/may-see.ts";
import { endAmong, processesOf } from "./exclusion-body.ts";
import { nextRunOf } from "./next-run.ts";
import { exclusionsHolding } from "./overlapping-exclusions.ts";

/** A group, a machine or an action that is chosen by its name, in place of the ids of its machines. */
export interface ChosenThing {
  readonly kind: "group" | "machine" | "action";
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** What is typed instead: an id, or the name of a group. */
  readonly word: string;
  readonly ids: readonly string[];
}

type Sources = Pick<FillContext, "directory" | "may" | "now" | "settings">;

/** As an option of a select has it: `group:staging`. */
export const keyOf = ({ kind, id }: Pick<ChosenThing, "kind" | "id">): string => `${kind}:${id}`;

export const readKey = (key: string): Pick<ChosenThing, "kind" | "id"> | undefined => {
  const [, kind, id] = /^(group|machine|action):(.+)$/.exec(key) ?? [];
  return (kind === "group" || kind === "machine" || kind === "action") && id ? { kind, id } : undefined;
};

/**
 * The groups and machines that the requester may see with an id or name that is wanted. Machines are known by imports, groups and
 * exclusions in force.
 */
export async function groupsAndMachines(
  { directory, may, now, settings }: Sources,
  isWanted: (idOrName: string) => boolean,
): Promise<readonly ChosenThing[]> {
  const groups = Object.entries(settings.resourceGroups);
  const names = new Set(groups.map(([name]) => name.toLowerCase()));
  const seen = (await directory.liveExclusions(now)).filter(({ projectId }) => maySeeProject({ may }, projectId));
  const ids = [...groups.flatMap(([, group]) => group.ids), ...seen.flatMap(({ body }) => body.resourceIds ?? [])];
  const imported = directory.machines().filter(({ id, name }) => isWanted(id) || isWanted(name ?? id));
  const projects = new Set(imported.map(({ project }) => project));
  const hidden = new Set([...projects].filter((project) => !maySeeProject({ may }, project)));
  const machines = new Map([
    ...ids.filter(isWanted).map((id) => [id, id] as const),
    ...imported.flatMap(({ id, name, project }) => (hidden.has(project) ? [] : [[id, name ?? id] as const])),
  ]);
  const things: readonly ChosenThing[] = [
    ...groups
      .filter(([name]) => isWanted(name))
      .map(([name, group]) => ({ kind: "group", id: name, name, word: name, ids: group.ids }) as const),
    // A word that is also the name of a group means the group.
    ...[...machines]
      .filter(([id]) => !names.has(id.toLowerCase()))
      .map(([id, name]) => ({ kind: "machine", id, name, word: id, ids: [id] }) as const),
  ];
  return things.filter(({ word }) => isOneWord.test(word));
}

/** It is read as if it were typed. */
const isOneWord = /^[^\s,;|"'`“”„‘’]+$/;

/** An action stands for the machines of the one group that names it; undefined where none or several do, or it may not be seen. */
export async function actionAsThing(
  id: string,
  { directory, may, settings }: Pick<Sources, "directory" | "may" | "settings">,
): Promise<ChosenThing | undefined> {
  const action = await directory.get("action", id);
  if (!action || !may("ListActions", { projectId: action.projectId ?? unknownProject })) return undefined;
  const groups = groupsNaming([action.body], settings.resourceGroups);
  const [[word, group] = [], ...others] = groups;
  if (word === undefined || group === undefined || others.length > 0) return undefined;
  return { kind: "action", id: action.id, name: action.name ?? action.id, word, ids: group.ids };
}

/** What the keys of chosen options stand for now, for the requester; a problem where one of them is nothing that they may choose. */
export async function thingsChosen(
  keys: readonly string[],
  context: Sources,
): Promise<readonly ChosenThing[] | Problem> {
  const wanted = new Set(keys.map((key) => readKey(key)?.id));
  const found = await groupsAndMachines(context, (id) => wanted.has(id));
  const known = new Map(found.map((thing) => [keyOf(thing), thing]));
  const things: ChosenThing[] = [];
  for (const key of new Set(keys)) {
    const read = readKey(key);
    const thing = read?.kind === "action" ? await actionAsThing(read.id, context) : known.get(key);
    if (!thing)
      return { problem: `“${(read?.id ?? key).slice(0, 150)}” can't be chosen any more. Remove it, or type the ids.` };
    things.push(thing);
  }
  return things;
}

const shownStates = 10;

/** "staging: held until today 21:00", or when it stops next. */
export async function statesOf(keys: readonly string[], context: FillContext): Promise<string | undefined> {
  if (keys.length === 0) return undefined;
  const things = await thingsChosen(keys, context);
  if (isProblem(things)) return undefined;
  const shown = things.slice(0, shownStates);
  const lines = await Promise.all(shown.map(async (thing) => `${thing.name}: ${await stateOf(thing, context)}`));
  const more = things.length - shown.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join(" · ");
}

async function stateOf({ ids }: ChosenThing, context: FillContext): Promise<string> {
  const { actor, directory, may, now } = context;
  const moment = (at: number): string => shortMoment(Math.floor(at / 60_000) * 60_000, actor.timeZone, now);
  const holding = await exclusionsHolding(directory, { resourceIds: ids, processes: processesOf.stop }, now);
  const seen = holding.filter(({ projectId }) => maySeeProject({ may }, projectId));
  const isWhole = ids.every((id) => seen.some(({ body }) => body.resourceIds?.includes(id)));
  const end = Math.max(0, ...seen.map(({ body }) => endAmong(body, ids) ?? 0));
  if (seen.length > 0) return `${isWhole ? "" : "partly "}held${end > 0 ? ` until ${moment(end)}` : ""}`;
  const run = await nextRunOf({ resourceIds: ids }, context);
  return run === undefined || isProblem(run) ? "no stop known" : `stops ${moment(run.at)}`;
}

/** The words that chosen things stand for; none where one of them can't be chosen, which its own field says. */
export async function wordsChosen(keys: unknown, context: Sources): Promise<readonly string[]> {
  const things = Array.isArray(keys) ? await thingsChosen(keys.map(String), context) : [];
  return isProblem(things) ? [] : things.map(({ word }) => word);
}
