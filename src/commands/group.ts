import { isDeepStrictEqual } from "node:util";
import { type KeptGroup, type ResourceGroup, SavedGroup } from "../directory/directory.ts";
import type { ResourcePlace } from "../directory/resources.ts";
import { groupName } from "../permissions/config-values.ts";
import { unknownProject } from "../permissions/decide.ts";
import { actionsNamed, resourceTypeLabel } from "../service/action-types.ts";
import { resourceTypes } from "../service/resources.ts";
import {
  type Answer,
  type CommandButton,
  changedFact,
  type Fact,
  type FactValue,
  formButton,
  type Item,
  type Line,
  type Problem,
  resultButton,
} from "./answer.ts";
import { defineQuery, type QueryContext } from "./command.ts";
import { knownPlace } from "./exclusion/derive-place.ts";
import { resourceWords } from "./exclusion/exclusion-body.ts";
import { contradictionIn, otherPlacesOf } from "./exclusion/resource-claims.ts";
import { groupTarget } from "./exclusion/resource-context.ts";
import { choice, defined, reference, resourceIds, text } from "./field.ts";
import { defineList } from "./lookup/page-of.ts";

const name = text({ label: "Group", hint: "One word", example: "staging", maxLength: 40, positional: true });

/**
 * Resource groups are Curfew's own: no operation of the service is called. The right to exclude such resources gives the right to
 * save a group of them; the right to list a project's actions gives the right to see its groups.
 */
export const groupSave = defineQuery({
  words: "group save",
  title: "Save resource group",
  summary: "Give a name to machines that are often kept together",
  operation: null,
  offeredFor: "CreateActionExclusion",
  fields: {
    name,
    resourceIds: resourceIds({
      label: "Resource ids",
      hint: "Separated by spaces, commas or lines",
      positional: "rest",
      typedBy: "type",
      placedBy: "project",
    }),
    type: choice(
      resourceTypes.map((type) => ({ value: type, label: type })),
      { label: "Resource type", hint: "If the ids don't show it", derivedFrom: "resourceIds" },
    ),
    project: reference("project", {
      label: "Project",
      hint: "Its name or id, if the ids don't show it",
      derivedFrom: "resourceIds",
    }),
    actions: reference("action", {
      label: "Actions",
      hint: "Those that act on these resources. Then Curfew knows what stops them",
      multiple: true,
      optional: true,
      refusesUnknown: true,
    }),
  },
  complete: async ({ resourceIds: ids = [], ...given }, context) => {
    const { type, project } = await knownPlace(ids, given, context);
    return defined({ type, project });
  },
  answer: ({ name: given, resourceIds: ids, type, project, actions = [] }, context) =>
    saveGroup(given, { type, project, ids, ...(actions.length > 0 ? { actions } : {}) }, context),
  describe: ({ request, before }) => {
    const [group, former] = [SavedGroup.parse(request), SavedGroup.safeParse(before).data];
    const what = `resource group ${group.group}`;
    return {
      done: `${former ? "replaced" : "saved"} ${what}`,
      asked: `save ${what}`,
      facts: groupFacts(group, former),
    };
  },
});

async function saveGroup(given: string, group: ResourceGroup, context: QueryContext): Promise<Answer | Problem> {
  const saved = await context.savedGroups.find(given);
  const problem =
    (await nameProblem(given, group.ids, context)) ??
    rightProblem(group, context) ??
    (saved && rightProblem(saved, context)) ??
    (await idsProblem(given, group, context)) ??
    (await actionsProblem(group, context));
  if (problem) return problem;
  if (!saved && context.savedGroups.isOfConfig(given)) return ofConfig(given, context);
  const { former, changeId } = await context.savedGroups.save(given, group);
  const named = given.toLowerCase();
  const facts = [...groupFacts(group, former), ...changeFact(changeId)];
  if (changeId === undefined)
    return {
      title: `Group ${named} is already saved like this`,
      note: nothingChanged,
      items: [groupItem(named, group)],
    };
  return {
    title: `${former ? "Replaced" : "Saved"} group ${named}`,
    items: [{ title: named, facts, buttons: former ? formerButtons("Put back", named, former) : [] }],
  };
}

/** One that adds to a saved group, or takes from it. */
const groupChange = (verb: "add" | "remove", summary: string, aliases: readonly string[]) =>
  defineQuery({
    words: `group ${verb}`,
    aliases,
    title: verb === "add" ? "Add to a resource group" : "Take out of a group",
    summary,
    operation: null,
    offeredFor: "CreateActionExclusion",
    fields: {
      name,
      resourceIds: resourceIds({ label: "Resource ids", positional: "rest" }),
      project: reference("project", {
        label: "Project",
        hint: "The group's, if Curfew does not know where they are",
        optional: true,
        ...(verb === "remove" ? { hidden: "form" as const } : {}),
      }),
    },
    answer: async ({ name: given, resourceIds: ids, project }, context) => {
      const group = await context.savedGroups.find(given);
      if (!group) return context.savedGroups.isOfConfig(given) ? ofConfig(given, context) : noSuchGroup(given);
      const kept = group.ids.filter((id) => !ids.includes(id));
      const all = verb === "add" ? [...kept, ...ids] : kept;
      const type = resourceTypes.find((each) => each === group.type);
      if (all.length === 0 || !type)
        return {
          field: "resourceIds",
          problem: `Then ${given} would be empty. ${nothingChanged} “group delete ${given}” deletes it.`,
        };
      const isSaid = verb === "remove" || project === group.project;
      const question = isSaid ? undefined : await askWhere({ name: given, resourceIds: ids }, group, context);
      return question ?? saveGroup(given, { ...group, type, ids: all }, context);
    },
  });

/** A group does not say where a machine is: an import, an answer of the service or the config does, or else who adds it. */
async function askWhere(
  input: { readonly name: string; readonly resourceIds: readonly string[] },
  { project }: KeptGroup,
  { directory }: QueryContext,
): Promise<Problem | undefined> {
  const placed = (await directory.placesOf(input.resourceIds)).filter(
    ({ source, projectId }) => source !== "group" && projectId !== undefined,
  );
  const unknown = input.resourceIds.filter((id) => !placed.some((place) => place.id === id));
  if (unknown.length === 0) return undefined;
  const place = (await directory.get("project", project))?.name ?? project;
  return {
    problem: `Curfew does not know the project of ${resourceWords(unknown)}. The group ${input.name} is of ${place}. ${nothingChanged} Add ${unknown.length > 1 ? "them" : "it"} if that is right.`,
    buttons: [resultButton(`Add, it is in ${place}`, "group add", { ...input, project })],
  };
}

const groupAdd = groupChange("add", "Add resources to a resource group", [
  "add <resourceIds> to group <name>",
  "add <resourceIds> to <name>",
]);

const groupRemove = groupChange("remove", "Take resources out of a resource group", [
  "remove <resourceIds> from group <name>",
  "take <resourceIds> out of <name>",
]);

export const groupDelete = defineQuery({
  words: "group delete",
  title: "Delete resource group",
  summary: "Delete a resource group; its resources stay as they are",
  operation: null,
  offeredFor: "CreateActionExclusion",
  fields: { name },
  answer: async ({ name: given }, context) => {
    const group = await context.savedGroups.find(given);
    if (!group) return context.savedGroups.isOfConfig(given) ? ofConfig(given, context) : noSuchGroup(given);
    const problem = rightProblem(group, context);
    if (problem) return problem;
    const { former, changeId } = await context.savedGroups.remove(given);
    // Somebody else deleted it first.
    if (!former) return noSuchGroup(given);
    const named = given.toLowerCase();
    const facts = [...groupFacts(former), ...changeFact(changeId)];
    const buttons = formerButtons("Save again", named, former);
    return { title: `Deleted group ${named}`, items: [{ title: named, facts, buttons }] };
  },
  describe: ({ before }) => {
    const former = SavedGroup.parse(before);
    const what = `resource group ${former.group}`;
    return { done: `deleted ${what}`, asked: `delete ${what}`, facts: groupFacts(former) };
  },
});

export const groupList = defineList({
  ...{ words: "group list", called: "groups", aliases: ["machines"], title: "Resource groups", noun: "resource group" },
  summary: "Show the resource groups with their machines, of a project or all",
  operation: "ListActions",
  note: "Only the machines of groups are known.",
  whenEmpty: "“group save staging i-0a1 i-0a2” makes one.",
  find: async (words, context) => {
    const groups = Object.entries(context.settings.resourceGroups).filter(([, group]) => maySee(group, context));
    if (words === "") return groups;
    const wanted = words.toLowerCase().split(/\s+/);
    const texts = await Promise.all(
      groups.map(async ([named, { project, ids }]) => {
        const place = (await context.directory.get("project", project))?.name ?? "";
        return [named, project, place, ...ids].join("\n").toLowerCase();
      }),
    );
    return groups.filter((_group, index) => wanted.every((word) => texts[index]?.includes(word)));
  },
  line: ([named, group], context) => groupLine(named, group, context),
});

const groupShow = defineQuery({
  words: "group show",
  title: "Resource group",
  summary: "Show what a resource group names",
  operation: "ListActions",
  fields: { name },
  answer: async ({ name: given }, context) => {
    const groups = Object.entries(context.settings.resourceGroups);
    const [named, group] = groups.find(([each]) => each.toLowerCase() === given.toLowerCase()) ?? [];
    if (!named || !group || !maySee(group, context)) return noSuchGroup(given);
    return { title: `Group ${named}`, items: [groupItem(named, group)] };
  },
});

async function groupLine(name: string, group: ResourceGroup, context: QueryContext): Promise<Line> {
  const { ids, type, project, actions, isSaved } = group;
  const place = (await context.directory.get("project", project))?.name ?? project;
  const mayChange = isSaved === true && rightProblem(group, context) === undefined;
  const input = { name, resourceIds: ids, type, project, ...defined({ actions }) };
  return {
    ...{ id: name, sign: "none", name },
    parts: [`${ids.length} × ${resourceTypeLabel(type)} in ${place}`, resourceWords(ids)],
    menu: [
      resultButton("Status", "status", { thing: name }),
      resultButton("What runs next", "next", { thing: name }),
      resultButton("Show", "group show", { name }),
      ...(mayChange
        ? [formButton("Change…", "group save", input), formButton("Delete…", "group delete", { name })]
        : []),
    ],
  };
}

function groupItem(name: string, group: ResourceGroup): Item {
  return { title: name, facts: groupFacts(group) };
}

/** Its resources, type, project and actions; before → after where it replaced another. */
function groupFacts({ type, project, ids, actions }: KeptGroup, former?: KeptGroup): readonly Fact[] {
  const wereOther = former !== undefined && !isDeepStrictEqual(former.actions, actions);
  const [is, was] = [idList(ids), former && idList(former.ids)];
  return [
    changedFact("Resources", is, isDeepStrictEqual(is, was) ? undefined : was),
    changedFact("Type", type, former?.type),
    changedFact("Project", project, former?.project),
    ...(actions || wereOther
      ? [changedFact("Actions", actionList(actions), wereOther ? actionList(former.actions) : undefined)]
      : []),
  ];
}

const idList = (ids: readonly string[]): FactValue => (ids.length > 0 ? { list: ids } : "not known");

const actionList = (actions: readonly string[] | undefined): FactValue =>
  actions?.length === 0 ? "none" : idList(actions ?? []);

const nothingChanged = "Nothing was changed.";
const changeFact = (id: string | undefined): readonly Fact[] =>
  id === undefined ? [] : [{ label: "Change", value: id }];

/** A button that saves the former group again; none where not all of it is known. */
function formerButtons(
  label: string,
  name: string,
  { ids, type, project, actions }: KeptGroup,
): readonly CommandButton[] {
  if (ids.length === 0 || !resourceTypes.some((each) => each === type)) return [];
  const input = { name, resourceIds: ids, type, project, ...defined({ actions }) };
  return [formButton(label, "group save", input)];
}

function maySee({ project }: ResourceGroup, { may }: QueryContext): boolean {
  return may("ListActions", { projectId: project });
}

function ofConfig(name: string, { settings }: QueryContext): Problem {
  const [, group] =
    Object.entries(settings.resourceGroups).find(([each]) => each.toLowerCase() === name.toLowerCase()) ?? [];
  return {
    field: "name",
    problem: `The group ${name} comes from ${group?.imported ? "an import" : "the config file"}. Nothing was changed: ask those who run Curfew to change it there.`,
  };
}

function noSuchGroup(name: string): Problem {
  return {
    field: "name",
    problem: `There is no group ${name} that you may see. “group list” shows the groups.`,
  };
}

export const groupCommands = [groupList, groupShow, groupSave, groupAdd, groupRemove, groupDelete] as const;

/** A name must not be a resource's id, or it would replace that resource wherever ids are typed. */
async function nameProblem(
  name: string,
  ids: readonly string[],
  { directory }: QueryContext,
): Promise<Problem | undefined> {
  const isNamed = ids.some((id) => id.toLowerCase() === name.toLowerCase());
  const isId = isNamed || (await directory.placesOf([name])).length > 0;
  if (groupName.test(name) && !isId) return undefined;
  return {
    field: "name",
    problem:
      "A group's name is one word of letters, digits, “.”, “-” or “_”, and no machine's id. Nothing was saved: choose another.",
  };
}

function rightProblem(group: KeptGroup, { may }: QueryContext): Problem | undefined {
  const { type, project } = group;
  if (may("CreateActionExclusion", groupTarget(group))) return undefined;
  return {
    problem: `You can't keep ${type} resources of project ${project} running here, so you can't change a group of them. Nothing was changed. “whoami” shows what you may do.`,
  };
}

/** A group places each of its resources, so it needs the right for each, as excluding it would. */
async function idsProblem(
  name: string,
  group: ResourceGroup,
  { directory, may }: QueryContext,
): Promise<Problem | undefined> {
  const { ids, type, project } = group;
  const isItself = (place: ResourcePlace) => place.source === "group" && place.name === name.toLowerCase();
  const places = (await directory.placesOf(ids)).filter((place) => !isItself(place));
  const contradiction = contradictionIn({ claimed: ids, resourceType: type, before: [] }, project, places);
  if (contradiction) return contradiction;
  const barred = otherPlacesOf([groupTarget(group)], places).find(
    ({ target }) => !may("CreateActionExclusion", target),
  );
  if (!barred) return undefined;
  return { field: "resourceIds", problem: `${barred.why} You can't keep that running here. Nothing was changed.` };
}

/** An action of another project or kind of resource acts on none of these. It is named only to those who may see it. */
async function actionsProblem(group: ResourceGroup, { directory, may }: QueryContext): Promise<Problem | undefined> {
  for (const id of group.actions ?? []) {
    const known = await directory.get("action", id);
    const action = known && may("ListActions", { projectId: known.projectId ?? unknownProject }) ? known : undefined;
    if (action && actionsNamed(group, [action.body]).length > 0) continue;
    const what = action
      ? `${action.name ?? id} is not for ${group.type} resources of project ${group.project}`
      : `Curfew knows no action ${id}`;
    return { field: "actions", problem: `${what}. Nothing was changed. “action list” shows those there are.` };
  }
  return undefined;
}
