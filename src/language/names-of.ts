import type { Command } from "../commands/command.ts";

/** Every phrase that names a command on a line: its words and its aliases. */
export function namesOf(command: Command): readonly string[] {
  return [command.words, ...(command.aliases ?? [])];
}
