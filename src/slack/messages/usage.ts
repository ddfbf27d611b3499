import type { Command } from "../../commands/command.ts";
import type { Field } from "../../commands/field.ts";
import { presentFields } from "../../commands/field-values.ts";
import type { CommandHelp } from "../../commands/query-ports.ts";
import { namesOf } from "../../language/names-of.ts";
import { flagOf } from "../../language/take-flags.ts";
import { kindOf } from "../fields/kind-of.ts";

/** The usage of a command, derived from its fields: `exclude <id or group>… [for …|until …] [--process stop|start|both]`. */
export function usageOf(slashCommand: string, command: Command): CommandHelp {
  const asked = Object.entries<Field>(command.fields).filter(([, { hidden }]) => hidden !== "all" && hidden !== "line");
  const parts = asked.map(([name, field]) => [name, usageOfField(name, field)] as const);
  const { words, summary, aliases = [] } = command;
  const names = [words, ...aliases.map((alias) => (typeof alias === "string" ? alias : alias.phrase))];
  const line = (rest: Parts) => `${slashCommand} ${lineOf(command, rest)}`;
  return { words, names, usage: line(parts), example: line(exampleParts(command)), summary };
}

type Parts = readonly (readonly [field: string, text: string])[];

/** The name of a command, and its parts after it or in their places. */
function lineOf(command: Command, parts: Parts): string {
  const placed = shownName(command);
  const rest = parts.filter(([field]) => !placed.includes(`<${field}>`));
  const name = parts.reduce((said, [field, text]) => said.replace(`<${field}>`, text), placed);
  return [name, ...rest.map(([, text]) => text)].join(" ");
}

/** The same without the flags that are rarely needed: what a line begins with, and its times. */
export function shortUsageOf(slashCommand: string, command: Command): string {
  const asked = Object.entries<Field>(command.fields).filter(([name, field]) => {
    const isTime = timeKinds.has(field.kind) || name === "before";
    return field.hidden === undefined && (field.positional !== undefined || isTime);
  });
  const parts = asked.map(([name, field]) => [name, usageOfField(name, field)] as const);
  return `${slashCommand} ${lineOf(command, parts)}`;
}

/** The name to show: the one that says so, or the first alias, which is the usual one, if it is shorter than the command's words. */
function shownName(command: Command): string {
  if (command.shownAs) return command.shownAs;
  const [words = command.words, usual = words] = namesOf(command);
  return usual.length < words.length ? usual : words;
}

/** Positionals, then times, then flags. An edit keeps what is not given, so one flag is enough. */
function exampleParts(command: Command): Parts {
  const initials = Object.entries<Field>(command.fields).map(([name, field]) => [name, initialOf(field)] as const);
  const needed = presentFields(command.fields, Object.fromEntries(initials)).filter(([, field]) => isNeeded(field));
  const placed = needed.filter(([, { positional }]) => positional);
  const times = needed.filter(([, { kind }]) => timeKinds.has(kind));
  const flagged = needed.filter((each) => !placed.includes(each) && !times.includes(each));
  const isEdit = command.kind === "change" && command.fill !== undefined;
  const shown = isEdit ? [...placed, ...flagged.slice(0, 1)] : [...placed, ...times, ...flagged];
  return shown.map(([name, field]) => {
    const example = field.example ?? kindOf(field).example(field);
    const needsNoFlag = field.positional || times.some(([time]) => time === name);
    return [name, needsNoFlag ? example : `--${flagOf(name)} ${example}`.trimEnd()];
  });
}

const timeKinds: ReadonlySet<Field["kind"]> = new Set(["moment", "extension", "recurrence"]);

const isNeeded = (field: Field): boolean => !field.optional && !field.derivedFrom && initialOf(field) === undefined;

const initialOf = (field: Field): string | undefined => (field.kind === "choice" ? field.initial : undefined);

function usageOfField(name: string, field: Field): string {
  const usage = kindOf(field).usage(field);
  if (field.positional) return field.optional ? `[${usage}]` : usage;
  if (field.kind === "moment" || field.kind === "span") return `[${usage}]`;
  if (field.kind === "extension" || field.kind === "recurrence") return field.optional ? `[${usage}]` : usage;
  return `[${[`--${flagOf(name)}`, usage].filter(Boolean).join(" ")}]`;
}
