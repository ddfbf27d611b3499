import type { Command } from "../commands/command.ts";

/**
 * The block that a command's field stands in. The command is part of it: when one form takes another's place, Slack keeps what was
 * typed in blocks with equal ids (platform.md §7.3), and it must not end up in another command's field.
 */
export function blockIdOf({ words }: Pick<Command, "words">, field: string): string {
  return `${words}/${field}`;
}
