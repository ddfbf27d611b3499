import { SavedGroup } from "../directory/directory.ts";
import type { KeptGroup, ResourceGroup } from "../directory/resource-group.ts";
import type { ResourcePlace } from "../directory/resource-place.ts";
import { resourceTypes } from "../service/resources.ts";
import type { CommandButton, Fact, FactValue, Item, Problem } from "./answer.ts";
import { defineQuery, type QueryContext } from "./command.ts";
import { contradictionIn, placedElsewhere } from "./exclusion/resource-claims.ts";
import { followingFrom } from "./exclusion/resource-context.ts";
import { choice, reference, resourceIds, text } from "./field.ts";

const name = text({ label: "Group", hint: "One word", example: "staging", maxLength: 40, positional: true });

/**
 * Resource groups are Curfew's own: no operation of the service is called. The right to exclude such resources gives the right to
 * save a group of them; the right to list a project's actions gives the right to see its groups.
 */
export const groupSave = defineQuery({
  words: "group save",
  title: "Save resource group",
  summary: "Give a name to resources that are often excluded together",
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
  },
  complete: async (input, { settings }) => followingFrom(input.resourceIds ?? [], settings.resourceGroups),
  answer: async ({ name: given, resourceIds: ids, type, project }, context) => {
    const group = { type, project, ids };
    const saved = await context.savedGroups.find(given);
    const problem =
      (await nameProblem(given, ids, context)) ??
      rightProblem(group, context) ??
      (saved && rightProblem(saved, context)) ??
      (await idsProblem(given, group, context));
    if (problem) return problem;
    if (!saved && context.savedGroups.isOfConfig(given)) return ofConfig(given);
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
  },
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

export const groupDelete = defineQuery({
  words: "group delete",
  title: "Delete resource group",
  summary: "Delete a resource group; its resources stay as they are",
  operation: null,
  offeredFor: "CreateActionExclusion",
  fields: { name },
  answer: async ({ name: given }, context) => {
    const group = await context.savedGroups.find(given);
    if (!group) return context.savedGroups.isOfConfig(given) ? ofConfig(given) : noSuchGroup(given);
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

export const groupList = defineQuery({
  words: "group list",
  aliases: ["groups"],
  title: "Resource groups",
  summary: "Show the resource groups",
  operation: "ListActions",
  fields: {},
  answer: async (_input, context) => {
    const groups = Object.entries(context.settings.resourceGroups).filter(([, group]) => maySee(group, context));
    return {
      title: groups.length === 1 ? "1 resource group" : `${groups.length} resource groups`,
      items: groups.map(([named, group]) => groupItem(named, group)),
    };
  },
});

export const groupShow = defineQuery({
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

function groupItem(name: string, group: ResourceGroup): Item {
  return { title: name, facts: groupFacts(group) };
}

/** Its resources, type and project; before → after where it replaced another. */
function groupFacts({ type, project, ids }: KeptGroup, former?: KeptGroup): readonly Fact[] {
  const isOther =
    former !== undefined && (former.ids.length !== ids.length || ids.some((id, at) => id !== former.ids[at]));
  return [
    { label: "Resources", value: idList(ids), ...(isOther ? { before: idList(former.ids) } : {}) },
    { label: "Type", value: type, ...(former && former.type !== type ? { before: former.type } : {}) },
    { label: "Project", value: project, ...(former && former.project !== project ? { before: former.project } : {}) },
  ];
}

const idList = (ids: readonly string[]): FactValue => (ids.length > 0 ? { list: ids } : "not known");

const nothingChanged = "Nothing was changed.";
const changeFact = (id: string | undefined): readonly Fact[] =>
  id === undefined ? [] : [{ label: "Change", value: id }];

/** A button that saves the former group again; none where not all of it is known. */
function formerButtons(label: string, name: string, { ids, type, project }: KeptGroup): readonly CommandButton[] {
  if (ids.length === 0 || !resourceTypes.some((each) => each === type)) return [];
  return [{ label, words: "group save", opens: "form", input: { name, resourceIds: ids, type, project } }];
}

function maySee({ project }: ResourceGroup, { may }: QueryContext): boolean {
  return may("ListActions", { projectId: project });
}

/** A name must not be a resource's id, or it would replace that resource wherever ids are typed. */
async function nameProblem(
  name: string,
  ids: readonly string[],
  { directory }: QueryContext,
): Promise<Problem | undefined> {
  const isNamed = ids.some((id) => id.toLowerCase() === name.toLowerCase());
  const isId = isNamed || (await directory.placesOf([name])).length > 0;
  if (/^[a-z0-9][\w.-]*$/i.test(name) && !isId) return undefined;
  return {
    field: "name",
    problem:
      "A group's name is one word of letters, digits, dots, hyphens and underscores, and no resource's id. Nothing was saved.",
  };
}

function rightProblem({ type, project }: KeptGroup, { may }: QueryContext): Problem | undefined {
  if (may("CreateActionExclusion", { projectId: project, resourceType: type, exclusionLengthMs: 0 })) return undefined;
  return {
    problem: `You may not exclude ${type} resources of project ${project} here, so you may not change a group of them. Nothing was changed.`,
  };
}

/** A group places each of its resources, so it needs the right for each, as excluding it would. */
async function idsProblem(
  name: string,
  { ids, type, project }: ResourceGroup,
  { directory, may }: QueryContext,
): Promise<Problem | undefined> {
  const isItself = (place: ResourcePlace) => place.source === "group" && place.name === name.toLowerCase();
  const places = (await directory.placesOf(ids)).filter((place) => !isItself(place));
  const contradiction = contradictionIn({ claimed: ids, resourceType: type, before: [] }, project, places);
  if (contradiction) return contradiction;
  const own = { projectId: project, resourceType: type, exclusionLengthMs: 0 };
  const barred = placedElsewhere([own], places).find(({ target }) => !may("CreateActionExclusion", target));
  if (!barred) return undefined;
  return { field: "resourceIds", problem: `${barred.why} You may not exclude that here. Nothing was changed.` };
}

function ofConfig(name: string): Problem {
  return {
    field: "name",
    problem: `The group ${name} comes from the config file; those who run Curfew can change it there. Nothing was changed.`,
  };
}

function noSuchGroup(name: string): Problem {
  return {
    field: "name",
    problem: `There is no group ${name} that you may see. \`group list\` shows the groups.`,
  };
}

export const groupCommands = [groupList, groupShow, groupSave, groupDelete] as const;
