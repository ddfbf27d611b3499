import type { Command } from "../commands/command.ts";

/** The names of a command that a line begins with: its words, and the aliases that are plain words. */
export function namesOf({ words, aliases = [] }: Command): readonly string[] {
  return [words, ...aliases.filter((alias) => typeof alias === "string" && !alias.includes("<"))].map(String);
}
