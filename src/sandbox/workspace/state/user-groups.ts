import type { SeedUserGroup, WorkspaceSeed } from "../default-seed.ts";
import type { People } from "./people.ts";

export interface UserGroup extends Omit<SeedUserGroup, "members"> {
  readonly memberIds: readonly string[];
  readonly updatedAt: number;
}

export interface UserGroups {
  all(): readonly UserGroup[];
  get(id: string): UserGroup | undefined;
  /** By handle (with or without `@`) or id; throws when there is none. */
  named(handleOrId: string): UserGroup;
  change(id: string, changes: Partial<Pick<UserGroup, "memberIds" | "isDisabled">>): UserGroup;
}

export function createUserGroups(seed: WorkspaceSeed, people: People, now: () => number): UserGroups {
  const groups = new Map<string, UserGroup>();
  for (const { members, ...group } of seed.userGroups) {
    const memberIds = members.map((handle) => people.named(handle).id);
    groups.set(group.id, { ...group, memberIds, updatedAt: now() });
  }
  const named = (handleOrId: string): UserGroup => {
    const handle = handleOrId.replace(/^@/, "");
    const group = groups.get(handle) ?? [...groups.values()].find((candidate) => candidate.handle === handle);
    if (group === undefined) throw new Error(`There is no user group "${handleOrId}" in the sandbox workspace.`);
    return group;
  };
  return {
    all: () => [...groups.values()],
    get: (id) => groups.get(id),
    named,
    change: (id, changes) => {
      const group = { ...named(id), ...changes, updatedAt: now() };
      groups.set(group.id, group);
      return group;
    },
  };
}
