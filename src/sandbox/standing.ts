import type { SeedPerson } from "./workspace/default-seed.ts";

/** How a person differs from an ordinary member of the workspace, in words. */
export function membershipOf({ isRestricted, isBot, deleted, teamId }: SeedPerson, home: string): readonly string[] {
  return [
    ...(isRestricted ? ["guest"] : []),
    ...(isBot ? ["bot"] : []),
    ...(deleted ? ["deactivated"] : []),
    ...(teamId !== undefined && teamId !== home ? ["of another organisation"] : []),
  ];
}
