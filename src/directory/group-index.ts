import { splitId } from "../service/account-ids.ts";
import { type ActedOn, actionsNamed } from "../service/action-types.ts";
import { type Action, resourceKeys } from "../service/resources.ts";
import { indexBy } from "../time/group-by.ts";
import { oncePer } from "../time/once-per.ts";
import type { ResourceGroup } from "./directory.ts";

/** Many groups with thousands of machines: what asks for those of a machine or an action does not look at each of them. */
export type Groups = Readonly<Record<string, ResourceGroup>>;
export type NamedGroup = readonly [name: string, group: ResourceGroup];

const wholes = new WeakMap<Groups, Groups>();
const merged = new WeakMap<Groups, { readonly saved: Groups; readonly all: Groups }>();

/** As people see them, by names in lower case: a group of the config file takes precedence over a saved one. */
export function allGroups(saved: Groups, ofConfig: Groups): Groups {
  const known = merged.get(ofConfig);
  if (known?.saved === saved) return known.all;
  const all = new Map<string, ResourceGroup>();
  for (const [name, group] of Object.entries(saved)) all.set(name.toLowerCase(), { ...group, isSaved: true });
  for (const [name, group] of Object.entries(ofConfig)) all.set(name.toLowerCase(), group);
  const groups = Object.fromEntries(all);
  merged.set(ofConfig, { saved, all: groups });
  return groups;
}

/** Some of these, which are looked up by the same index. */
export function someGroups(all: Groups, isMeant: (group: ResourceGroup) => boolean): Groups {
  const entries = Object.entries(all);
  const meant = entries.filter(([, group]) => isMeant(group));
  if (meant.length === entries.length) return all;
  const some = Object.fromEntries(meant);
  wholes.set(some, all);
  return some;
}

/** In any case. */
export function groupCalled(text: string, groups: Groups): NamedGroup | undefined {
  const name = text.toLowerCase();
  const group = Object.hasOwn(groups, name) ? groups[name] : undefined;
  return group ? [name, group] : Object.entries(groups).find(([each]) => each.toLowerCase() === name);
}

/** Those with one of these machines, by any way to name it, in their order. */
export const groupsWithAny = (ids: readonly string[], groups: Groups): readonly NamedGroup[] =>
  found(["byId", "byArn"], ids.flatMap(resourceKeys), groups);

/** The same of one machine, also those that are not among some; the same list for all machines of the same groups only. */
export function groupsOfMachine(id: string, groups: Groups): readonly NamedGroup[] {
  const whole = wholes.get(groups) ?? groups;
  const { byId, byArn } = indexOf(whole);
  const [key, bare] = resourceKeys(id);
  const isSimple = bare === undefined && !byArn.has(key);
  return isSimple ? (byId.get(key) ?? none) : found(["byId", "byArn"], resourceKeys(id), whole);
}

/** Those that list this id in any case; and those that list its ARN, or an ARN by its name alone. */
export function groupsPlacing(id: string, groups: Groups): Readonly<Record<"exact" | "alike", readonly NamedGroup[]>> {
  const { byId, byArn } = indexOf(groups);
  const [key, bare] = resourceKeys(id);
  return { exact: byId.get(key) ?? none, alike: (bare === undefined ? byArn.get(key) : byId.get(bare)) ?? none };
}

/** Machines that are in the same groups. */
export interface Alike {
  /** Also those that are not among some. */
  readonly groups: readonly NamedGroup[];
  /** The names of those that list them by these very ids. */
  readonly listedBy: readonly string[];
  readonly ids: readonly string[];
}

/** All machines, also of groups that are not among some. */
export const allAlike = (groups: Groups): readonly Alike[] => alikeOf(wholes.get(groups) ?? groups);

const alikeOf = oncePer((whole: Groups) => {
  const lists = new Map<string, readonly string[]>();
  for (const [name, { ids }] of Object.entries(whole))
    for (const id of new Set(ids)) lists.set(id, [...(lists.get(id) ?? []), name]);
  return together(lists.keys(), whole, (id) => lists.get(id) ?? []);
});

export const alikeAmong = (ids: readonly string[], groups: Groups): readonly Alike[] =>
  together(new Set(ids), wholes.get(groups) ?? groups, () => []);

function together(ids: Iterable<string>, groups: Groups, listing: (id: string) => readonly string[]) {
  const found = new Map<string, Alike & { readonly ids: string[] }>();
  for (const id of ids) {
    const [own, names] = [groupsOfMachine(id, groups), listing(id)];
    const key = [...own.map(([name]) => name), "", ...names].join("\n");
    const same = found.get(key);
    if (same) same.ids.push(id);
    else found.set(key, { groups: own, listedBy: names, ids: [id] });
  }
  return [...found.values()];
}

/** Those that list this very id. */
export const groupsListing = (id: string, groups: Groups): readonly NamedGroup[] =>
  found(["byId"], [id.toLowerCase()], groups).filter(([, group]) => group.ids.includes(id));

/** Those that list all of these ids. */
export function groupsListingAll([first, ...others]: readonly string[], groups: Groups): readonly NamedGroup[] {
  if (first === undefined) return [];
  return groupsListing(first, groups).filter(([, group]) => {
    const own = new Set(group.ids);
    return others.every((id) => own.has(id));
  });
}

/** Those that name one of these actions as theirs. */
export function groupsNaming(actions: readonly Action[], groups: Groups): readonly NamedGroup[] {
  const words = actions.flatMap(wordsOf);
  const keys = words.map((word) => word.toLowerCase());
  return found(["byAction"], keys, groups).filter(([, group]) => actionsNamed(group, actions).length > 0);
}

/** What a group may call an action; its id also without the account, which the group's project says. */
const wordsOf = ({ actionId, name, tags }: Action): readonly string[] => [
  ...new Set([actionId, splitId(actionId)[1], ...(name ? [name] : []), ...(tags ?? [])]),
];

function found(
  by: readonly ("byId" | "byArn" | "byAction")[],
  keys: readonly string[],
  groups: Groups,
): readonly NamedGroup[] {
  const index = indexOf(wholes.get(groups) ?? groups);
  const lists = new Set(by.flatMap((each) => keys.map((key) => index[each].get(key) ?? none)));
  const own = [...new Set([...lists].flat())].filter(([name, group]) => groups[name] === group);
  return own.sort(([one], [other]) => (index.places.get(one) ?? 0) - (index.places.get(other) ?? 0));
}

const none: readonly NamedGroup[] = [];
const newLists = () => new Map<string, readonly NamedGroup[]>();

const indexOf = oncePer((groups: Groups) => {
  /** By the ids that they list, and by what they name as their actions, in lower case. */
  const [byId, byAction] = [newLists(), newLists()];
  /** By the name or id at the end of each ARN that they list. */
  const byArn = newLists();
  const entries: readonly NamedGroup[] = Object.entries(groups);
  for (const entry of entries) {
    const [, { ids, actions = [] }] = entry;
    // One list for all that are in no other group.
    const alone = [entry];
    const add = (map: typeof byId, key: string) => {
      const others = map.get(key);
      map.set(key, others ? [...others, entry] : alone);
    };
    for (const key of new Set(ids.map((id) => id.toLowerCase()))) add(byId, key);
    for (const key of new Set(ids.flatMap((id) => resourceKeys(id).slice(1)))) add(byArn, key);
    for (const key of new Set(actions.map((action) => action.toLowerCase()))) add(byAction, key);
  }
  return { places: new Map(entries.map(([name], place) => [name, place])), byId, byArn, byAction };
});

/** The listed actions that a group names, for many groups. */
export const actionsByGroup = oncePer((listed: readonly Action[]) => {
  const byWord = indexBy(listed, (action) => wordsOf(action).map((word) => word.toLowerCase()));
  const places = new Map(listed.map((action, place) => [action, place]));
  return oncePer((group: ActedOn) => {
    const meant = new Set((group.actions ?? []).flatMap((reference) => byWord.get(reference.toLowerCase()) ?? []));
    return actionsNamed(
      group,
      [...meant].sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0)),
    );
  });
});
