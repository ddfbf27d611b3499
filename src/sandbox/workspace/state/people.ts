import type { SeedPerson, WorkspaceSeed } from "../default-seed.ts";

export type User = SeedPerson & { readonly teamId: string; readonly updatedAt: number };

/** Everyone in the workspace, including people from other organizations and the app's bot user. */
export interface People {
  all(): readonly User[];
  get(id: string): User | undefined;
  /** By handle (with or without `@`) or id; throws when there is no such person. */
  named(handleOrId: string): User;
  change(id: string, changes: Partial<SeedPerson>): User;
}

export function createPeople(seed: WorkspaceSeed, bot: SeedPerson, now: () => number): People {
  const users = new Map<string, User>();
  for (const person of [...seed.people, bot]) {
    users.set(person.id, { ...person, teamId: person.teamId ?? seed.team.id, updatedAt: now() });
  }
  const named = (handleOrId: string): User => {
    const handle = handleOrId.replace(/^@/, "");
    const user = users.get(handle) ?? [...users.values()].find((candidate) => candidate.handle === handle);
    if (user === undefined) throw new Error(`There is no person "${handleOrId}" in the sandbox workspace.`);
    return user;
  };
  return {
    all: () => [...users.values()],
    get: (id) => users.get(id),
    named,
    change: (id, changes) => {
      const user = { ...named(id), ...changes, updatedAt: now() };
      users.set(id, user);
      return user;
    },
  };
}
