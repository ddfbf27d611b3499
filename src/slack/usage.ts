import { namesOf } from "../commands/catalogue.ts";
import type { Command, CommandHelp } from "../commands/command.ts";
import type { Field } from "../commands/field.ts";
import { kindOf } from "./fields/field-kinds.ts";
import { flagOf } from "./line/flag.ts";

/** How a command is typed, derived from its fields: `exclude <id or group>… [for …|until …] [--process stop|start|both]`. */
export function usageOf(slashCommand: string, command: Command): CommandHelp {
  const parts = Object.entries<Field>(command.fields).map(([name, field]) => usageOfField(name, field));
  const shortest = [...namesOf(command)].sort((one, other) => one.length - other.length)[0] ?? command.words;
  return { words: command.words, usage: [slashCommand, shortest, ...parts].join(" "), summary: command.summary };
}

function usageOfField(name: string, field: Field): string {
  const usage = kindOf(field).usage(field);
  if (field.positional) return field.optional ? `[${usage}]` : usage;
  if (field.kind === "moment") return `[${usage}]`;
  if (field.kind === "extension") return usage;
  return `[${[`--${flagOf(name)}`, usage].filter(Boolean).join(" ")}]`;
}
