import { type GroupMembers, type NamedGroups, namesOf, type Scope } from "../permissions/config-values.ts";
import { rolesByOperation } from "../permissions/policy.ts";
import { groupBy } from "../time/group-by.ts";
import type { Machine, ResourceGroup, Settings } from "./settings.ts";

type Machines = readonly Machine[];
type Place = Pick<GroupMembers, "type" | "project">;

/**
 * The settings with the members that imported machines give to groups, and with the groups that only an import names. For rules only
 * those count that an import puts into a group by its name: whoever names a machine must not get a right by that. A group without
 * members is left out.
 */
export function withMachines(settings: Settings, machines: Machines): Settings {
  const ofPlace = groupBy(machines, placeOf);
  const ofGroup = groupBy(machines, ({ group }) => group?.toLowerCase());
  const imported = (name: string, place: Place): Machines =>
    (ofGroup.get(name.toLowerCase()) ?? []).filter((machine) => placeOf(machine) === placeOf(place));
  const configured = Object.entries(settings.resourceGroups).map(([name, group]) => {
    const matched = group.match ? (ofPlace.get(placeOf(group)) ?? []).filter(fits(group.match)) : [];
    const members = [...(group.imported ? imported(name, group) : []), ...matched];
    return [name, { ...group, ids: [...new Set([...group.ids, ...members.map(({ id }) => id)])] }] as const;
  });
  const taken = new Set(configured.map(([name]) => name.toLowerCase()));
  const others = [...ofGroup.values()].flatMap((members) => (taken.has(nameOf(members)) ? [] : groupMade(members)));
  const groups = [...configured, ...others].filter(([, { ids }]) => ids.length > 0);
  const scoped = scopedBy((name, place) => (settings.resourceGroups[name]?.imported ? imported(name, place) : []));
  const { policy, announce, warnings, digest } = settings;
  const roles = policy.roles.map((role) => ({ ...role, where: scoped(role.where) }));
  return {
    ...settings,
    resourceGroups: Object.assign(Object.create(null), Object.fromEntries(groups)),
    ...{ announce: announce.map(scoped), warnings: warnings.map(scoped), digest: digest.map(scoped) },
    policy: {
      ...{ ...policy, roles, rolesFor: rolesByOperation(roles) },
      approvals: policy.approvals.map((rule) => ({ ...rule, when: scoped(rule.when) })),
      budgets: policy.budgets.map(scoped),
    },
  };
}

const placeOf = ({ type, project }: Place): string => `${type} ${project}`;
const nameOf = ([first]: Machines): string => first?.group?.toLowerCase() ?? "";

/** Of several types or projects there is none: an exclusion is of one. */
function groupMade(members: Machines): readonly (readonly [string, ResourceGroup])[] {
  const [first] = members;
  if (!first?.group || members.some((machine) => placeOf(machine) !== placeOf(first))) return [];
  const { group, type, project } = first;
  return [[group, { type, project, ids: members.map(({ id }) => id), imported: true }]];
}

/** Whether a machine's name is like this, where `*` stands for any letters. Ignores case. */
function fits(match: string): (machine: Machine) => boolean {
  const parts = match.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`^${parts.join(".*")}$`, "i");
  return ({ name }) => name !== undefined && pattern.test(name);
}

function scopedBy(membersOf: (name: string, place: Place) => Machines) {
  // Many rules may name one large group.
  const members = new Map<GroupMembers, GroupMembers>();
  const withMembers = (name: string, group: GroupMembers): GroupMembers => {
    const known = members.get(group);
    if (known) return known;
    const imported = membersOf(name, group).map(({ id }) => id);
    const all = imported.length === 0 ? group : { ...group, ...namesOf([...group.ids, ...imported]) };
    members.set(group, all);
    return all;
  };
  const filled = (groups: NamedGroups): NamedGroups =>
    new Map([...groups].map(([name, group]) => [name, withMembers(name, group)]));
  return <S extends Scope>(scope: S): S => (scope.groups ? { ...scope, groups: filled(scope.groups) } : scope);
}
