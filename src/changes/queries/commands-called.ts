import type { Command } from "../../commands/command.ts";
import type { CommandHelp } from "../../commands/query-ports.ts";

/** The words of every command that makes changes and is named so. */
export function commandsCalled(
  { commands, helpFor }: { readonly commands: readonly Command[]; readonly helpFor: (command: Command) => CommandHelp },
  phrase: string,
): readonly string[] {
  const isCalled = (command: Command): boolean =>
    command.operation?.toLowerCase() === phrase || helpFor(command).names.some((name) => isSaid(name, phrase));
  return commands.filter((command) => makesChanges(command) && isCalled(command)).map(({ words }) => words);
}

/** Whether the history may have a change by this command. */
const makesChanges = (command: Command): boolean =>
  command.kind === "change" || (command.kind === "query" && command.describe !== undefined);

/** A name may have places for fields: "rename <project> to <name>". */
const isSaid = (name: string, phrase: string): boolean => name.replace(/ ?<\w+>/g, "") === phrase;
