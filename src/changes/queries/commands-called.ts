import type { Command } from "../../commands/command.ts";
import type { CommandHelp } from "../../commands/query-ports.ts";

interface Named {
  readonly commands: readonly Command[];
  readonly helpFor: (command: Command) => CommandHelp;
}

/** Every command that is named so, by its words, an alias or its operation. */
export const commandsNamed = ({ commands, helpFor }: Named, phrase: string): readonly Command[] =>
  commands.filter(
    (command) =>
      command.operation?.toLowerCase() === phrase || helpFor(command).names.some((name) => isSaid(name, phrase)),
  );

/** The words of those that make changes. */
export const commandsCalled = (named: Named, phrase: string): readonly string[] =>
  commandsNamed(named, phrase)
    .filter(makesChanges)
    .map(({ words }) => words);

/** Whether the history may have a change by this command. */
const makesChanges = (command: Command): boolean =>
  command.kind === "change" || (command.kind === "query" && command.describe !== undefined);

/** A name may have places for fields: "rename <project> to <name>" is said as "rename" too. */
const isSaid = (name: string, phrase: string): boolean =>
  [/ ?<\w+>/g, / ?<.*/].some((fields) => name.replace(fields, "") === phrase);
