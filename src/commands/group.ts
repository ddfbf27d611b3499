import { SavedGroup } from "../directory/directory.ts";
import { resourceTypes } from "../service/resources.ts";
import type { CommandButton, Fact, FactValue, Item, Problem } from "./answer.ts";
import { defineQuery, type KeptGroup, type QueryContext, type ResourceGroup } from "./command.ts";
import { contradictionIn, placedElsewhere } from "./exclusion/resource-claims.ts";
import { followingFrom } from "./exclusion/resource-context.ts";
import type { ResourcePlace } from "./exclusion/resource-place.ts";
import { choice, reference, resourceIds, text } from "./field.ts";

const name = text({ label: "Group", hint: "One word", example: "staging", maxLength: 40, positional: true });

/**
 * Resource groups are Curfew's own: no operation of the service is called. Who may exclude such resources may name them; who may
 * list a project's actions may see its groups.
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
      hint: "Ids in any separation",
      positional: "rest",
      typedBy: "type",
      placedBy: "project",
    }),
    type: choice(
      resourceTypes.map((type) => ({ value: type, label: type })),
      { label: "Resource type", hint: "Where the ids do not tell", derivedFrom: "resourceIds" },
    ),
    project: reference("project", {
      label: "Project",
      hint: "Its name or id, where the ids do not tell",
      derivedFrom: "resourceIds",
    }),
  },
  complete: async (input, { settings }) => followingFrom(input.resourceIds ?? [], settings.resourceGroups),
  answer: async ({ name: said, resourceIds: ids, type, project }, context) => {
    const group = { type, project, ids };
    const saved = await context.savedGroups.find(said);
    const problem =
      (await nameProblem(said, ids, context)) ??
      rightProblem(group, context) ??
      (saved && rightProblem(saved, context)) ??
      (await idsProblem(said, group, context));
    if (problem) return problem;
    if (!saved && context.savedGroups.isOfConfig(said)) return ofConfig(said);
    const { former, changeId } = await context.savedGroups.save(said, group);
    const named = said.toLowerCase();
    const facts = [...groupFacts(group, former), ...changeFact(changeId)];
    if (changeId === undefined)
      return { title: `Group ${named} is so already`, note: nothingChanged, items: [groupItem(named, group)] };
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
  summary: "Forget a resource group; what it names is left alone",
  operation: null,
  offeredFor: "CreateActionExclusion",
  fields: { name },
  answer: async ({ name: said }, context) => {
    const group = await context.savedGroups.find(said);
    if (!group) return context.savedGroups.isOfConfig(said) ? ofConfig(said) : noSuchGroup(said);
    const problem = rightProblem(group, context);
    if (problem) return problem;
    const { former, changeId } = await context.savedGroups.remove(said);
    // Somebody else was quicker.
    if (!former) return noSuchGroup(said);
    const named = said.toLowerCase();
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
  answer: async ({ name: said }, context) => {
    const groups = Object.entries(context.settings.resourceGroups);
    const [named, group] = groups.find(([directory]) => directory.toLowerCase() === said.toLowerCase()) ?? [];
    if (!named || !group || !maySee(group, context)) return noSuchGroup(said);
    return { title: `Group ${named}`, items: [groupItem(named, group)] };
  },
});

function groupItem(name: string, group: ResourceGroup): Item {
  return { title: name, facts: groupFacts(group) };
}

/** What it names, and where it replaced another, before → after what differs. */
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

/** The form that saves what the name stood for; none where not all of it is known. */
function formerButtons(label: string, name: string, { ids, type, project }: KeptGroup): readonly CommandButton[] {
  if (ids.length === 0 || !resourceTypes.some((directory) => directory === type)) return [];
  return [{ label, words: "group save", opens: "form", input: { name, resourceIds: ids, type, project } }];
}

function maySee({ project }: ResourceGroup, { may }: QueryContext): boolean {
  return may("ListActions", { projectId: project });
}

/** A name that is a resource's id, by its form or as one that is known, would stand in its place wherever ids are typed. */
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

/** A group says of each of its resources where it belongs, so it takes the right for each, as excluding it would. */
async function idsProblem(
  name: string,
  { ids, type, project }: ResourceGroup,
  { directory, may }: QueryContext,
): Promise<Problem | undefined> {
  const isItself = (place: ResourcePlace) => place.source === "group" && place.name === name.toLowerCase();
  const places = (await directory.placesOf(ids)).filter((place) => !isItself(place));
  const contradiction = contradictionIn({ claimed: ids, resourceType: type, before: [] }, project, places);
  if (contradiction) return contradiction;
  const said = { projectId: project, resourceType: type, exclusionLengthMs: 0 };
  const barred = placedElsewhere([said], places).find(({ target }) => !may("CreateActionExclusion", target));
  if (!barred) return undefined;
  return { field: "resourceIds", problem: `${barred.why} You may not exclude that here. Nothing was changed.` };
}

function ofConfig(name: string): Problem {
  return {
    field: "name",
    problem: `The group ${name} stands in the config file; those who run Curfew can change it there. Nothing was changed.`,
  };
}

function noSuchGroup(name: string): Problem {
  return {
    field: "name",
    problem: `There is no group ${name} that you may see. \`group list\` shows those there are.`,
  };
}
