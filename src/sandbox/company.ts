import { parse } from "yaml";
import type { Account } from "./service/account.ts";
import { createSeedAccount, daily, everyDay, workdays } from "./service/seed-account.ts";
import { defaultSeed, type SeedPerson, type WorkspaceSeed } from "./workspace/default-seed.ts";

/** A large company around the small one: the same each time. */
const areas = words("payments search orders media growth billing mobile fraud maps pricing support platform");
const teams = areas.flatMap((area) =>
  words("web api data jobs tools").map((what) => ({ area, name: `${area}-${what}` })),
);
const purposes = words("dev test qa staging demo load batch");
const zones = words("Europe/Berlin America/New_York Asia/Kolkata Europe/London America/Chicago Asia/Tokyo");
const machinesOfGroup = 50;
const [peopleCount, groupCount] = [3000, 400];

function words(text: string): readonly string[] {
  return text.split(" ");
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const numbered = (index: number): string => String(index).padStart(4, "0");
const at = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;

const people: readonly SeedPerson[] = times(peopleCount - defaultSeed.people.length, (index) => {
  const handle = `person${numbered(index)}`;
  const [id, tz, email] = [`U1P${numbered(index)}`, at(zones, index), `${handle}@example.com`];
  return { id, handle, realName: `Person ${index}`, displayName: handle, email, tz };
});

/** Alice helps every third team. */
const handlesOf = (team: number) => [
  ...people.flatMap(({ handle }, index) => (index % teams.length === team ? [handle] : [])),
  ...(team % 3 === 0 ? ["alice"] : []),
];

export const companySeed: WorkspaceSeed = {
  ...defaultSeed,
  people: [...defaultSeed.people, ...people],
  channels: [
    ...defaultSeed.channels,
    ...teams.map(({ name }, team) => ({ id: `C1T${numbered(team)}`, name, members: handlesOf(team), hasBot: true })),
  ],
  userGroups: [
    ...defaultSeed.userGroups,
    { id: "S1STAFF", handle: "staff", name: "Everybody", members: people.map(({ handle }) => handle) },
    ...teams.map(({ name }, team) => ({ id: `S1T${numbered(team)}`, handle: name, name, members: handlesOf(team) })),
  ],
};

const groups = times(groupCount, (index) => {
  const [team, purpose] = [at(teams, index), at(purposes, Math.floor(index / teams.length))];
  const name = `${team.name}-${purpose}`;
  const ids = [`a-1${numbered(index)}1`, `a-1${numbered(index)}2`];
  return {
    name,
    type: "amazon-ec2-instance",
    project: `p-${team.area}`,
    ids: times(machinesOfGroup, (each) => `i-0c${(index * machinesOfGroup + each).toString(16).padStart(15, "0")}`),
    // By id, by tag, by name.
    actions: at([ids, [name], [`Start ${name}`, `Stop ${name}`]], index),
  };
});

const users = people.map(({ handle: name }, index) => ({
  ...{ id: `u-1${numbered(index)}`, name, email: `${name}@example.com` },
}));
const projects = areas.map((area) => ({ id: `p-${area}`, name: area.charAt(0).toUpperCase() + area.slice(1) }));

const exclusions = ["CreateActionExclusion", "ModifyActionExclusion", "DeleteActionExclusion"];

/** Limited to its project, in turn also to its channel, its groups, or what its members made. */
function roleOf({ area, name }: (typeof teams)[number], team: number) {
  const own = groups.flatMap((group) => (group.name.startsWith(`${name}-`) ? [group.name] : []));
  const limits = [{ channels: [`C1T${numbered(team)}`] }, { groups: own }, { own: true }, { maxExclusion: "8h" }];
  return {
    members: [`S1T${numbered(team)}`, at(people, team * 7).id],
    allow: ["reads", ...exclusions],
    where: { projects: [`p-${area}`], maxExclusion: "24h", ...at(limits, team) },
    mayAsk: { operations: ["CreateActionExclusion"], approvers: ["admin"] },
  };
}

/** The settings of the small company, as its file says them, with those of the large one. */
export function companyConfig(example: string): string {
  const { permissions, channels, resourceGroups, directory, announce, ...others } = parse(example);
  const roles = Object.fromEntries(teams.map((team, index) => [`team-${team.name}`, roleOf(team, index)]));
  const places = teams.map(({ area }, team) => [
    `C1T${numbered(team)}`,
    { project: `p-${area}`, zone: at(zones, team) },
  ]);
  const ofAreas = areas.map((area, index) => ({
    ...{ operations: ["CreateActionExclusion"], projects: [`p-${area}`], channel: `C1T${numbered(index * 5)}` },
  }));
  return JSON.stringify({
    ...others,
    permissions: { roles: { ...permissions.roles, staff: { members: ["S1STAFF"], allow: ["reads"] }, ...roles } },
    channels: { ...channels, ...Object.fromEntries(places) },
    announce: [...announce, ...ofAreas],
    resourceGroups: { ...resourceGroups, ...Object.fromEntries(groups.map(({ name, ...group }) => [name, group])) },
    directory: { ...directory, users: [...directory.users, ...users], projects: [...directory.projects, ...projects] },
  });
}

export function companyAccount(nowMs: number): Account {
  const account = createSeedAccount(nowMs);
  const [[, first] = []] = account.actions;
  const [[, project] = []] = account.projects;
  const [[, user] = []] = account.users;
  if (!first || !project || !user) throw new Error("the small company has no action, project or user");
  for (const { id: projectId, name } of projects) account.projects.set(projectId, { ...project, projectId, name });
  for (const { id: userId, name, email } of users)
    account.users.set(userId, { ...user, userId, username: name, emailAddress: email });
  for (const [index, { name, project: projectId, ids }] of groups.entries())
    for (const turn of [0, 1]) {
      const actionId = `a-1${numbered(index)}${turn + 1}`;
      const verb = turn === 0 ? "start" : "stop";
      const time = `${String((turn === 0 ? 5 : 16) + (index % 6)).padStart(2, "0")}:${String((index * 5) % 60).padStart(2, "0")}`;
      account.actions.set(actionId, {
        ...first,
        ...{ actionId, actionVersionId: `${actionId}v`, actionType: `amazon-${verb}-ec2-instances`, projectId },
        name: `${turn === 0 ? "Start" : "Stop"} ${name}`,
        schedule: { ...first.schedule, ...daily(time, at(zones, index), index % 3 === 0 ? everyDay : workdays) },
        tags: [name],
        parameters: { ...first.parameters, resourceIds: ids },
        lastExecution: null,
      });
    }
  return account;
}
