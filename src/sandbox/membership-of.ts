import type { SeedPerson } from "./workspace/default-seed.ts";

/** How a person differs from a regular member, in words for the screen. */
export function membershipOf({ isRestricted, isBot, deleted, teamId }: SeedPerson, home: string): readonly string[] {
  return [
    ...(isRestricted ? ["guest"] : []),
    ...(isBot ? ["bot"] : []),
    ...(deleted ? ["deactivated"] : []),
    ...(teamId !== undefined && teamId !== home ? ["from another organization"] : []),
  ];
}
