import { cannotBeRead } from "../config/read-settings.ts";
import type { Machine, Settings } from "../config/settings.ts";
import { directoryListNames, directoryLists } from "../directory/config-entities.ts";
import type { NewEntity } from "../directory/directory.ts";
import { csvEntries, isMachine, jsonEntries, readEntries } from "../directory/read-entries.ts";
import { type ImportEffect, type Imported, type OpenDirectory, openDirectory } from "../store/open-directory.ts";
import { groupBy } from "../time/group-by.ts";
import { onDatabase, withProgress } from "./database-work.ts";
import { type Around, print, write } from "./process-env.ts";
import type { OperatorCommand } from "./read-arguments.ts";
import { readConfigAlone, readDatabase } from "./read-setup.ts";

type Asked<Name> = Extract<OperatorCommand, { name: Name }>;

export async function runDirectoryCommand(
  command: Asked<"directory import" | "directory export">,
  around: Around,
): Promise<number> {
  return command.name === "directory import" ? importFile(command, around) : exportLists(command, around);
}

async function importFile({ file, list, isComplete }: Asked<"directory import">, around: Around): Promise<number> {
  let text: string;
  try {
    text = around.readFile(file);
  } catch (error) {
    return print([cannotBeRead(file, error)], around.errorOutput, 1);
  }
  const failed = (problems: readonly string[]) => print([...problems, "Nothing was imported."], around.errorOutput, 1);
  const config = readConfigAlone({ ...around, configFile: undefined });
  // Without a config nobody can say which accounts there are.
  const accounts = config.kind === "config" ? config.settings.accounts : undefined;
  const read = readEntries(text, file, { list, accounts });
  if (read.kind === "problems") return failed(read.problems);
  const { entities, notes } = read;
  if (isComplete && !entities.every(isMachine))
    return failed(["--complete is for machines: import the rest without it."]);
  return withDirectory(around, async (directory) => {
    const before = await machinesBefore(entities.filter(isMachine), directory, isComplete);
    if (before.problems.length > 0) return failed(before.problems);
    const done: Imported[] = [];
    await withProgress(around, async (report) => {
      for await (const some of directory.add(entities, isComplete ? before.missing : [])) {
        done.push(...some);
        report?.("Entries imported", done.length, entities.length);
      }
    });
    const missing = before.missing.map((id) => `  machine ${id}`);
    return print(
      [...summaryOf(done), ...listed(isComplete ? forgotten : kept, missing), ...before.notes, ...notes],
      around.output,
      0,
    );
  });
}

const forgotten = "forgotten, since the file lists all machines of its projects";
const kept = "not in this file, and kept (--complete forgets them)";

/** What is known of the machines of these projects and groups before an import, and does not agree with it. */
async function machinesBefore(
  machines: readonly NewEntity<"machine">[],
  { entries }: OpenDirectory,
  isComplete: boolean,
) {
  const ids = new Set(machines.map(({ id }) => id));
  const projects = new Set(machines.map(({ body }) => body.project));
  const groups = new Map(machines.map(({ body }) => [body.group?.toLowerCase() ?? "", body]));
  const missing: string[] = [];
  const problems = new Set<string>();
  for await (const { id, body } of ids.size > 0 ? entries("machine") : []) {
    if (ids.has(id)) continue;
    const isMissing = projects.has(body.project);
    if (isMissing) missing.push(id);
    const other = body.group && !(isMissing && isComplete) ? groups.get(body.group.toLowerCase()) : undefined;
    if (other && (other.project !== body.project || other.type !== body.type))
      problems.add(
        `The group “${body.group}” holds ${body.type} of ${body.project} already, and here ${other.type} of ${other.project}: name one group for each. If those are no more in it, import the list of ${body.project} first, with --complete.`,
      );
  }
  for await (const { id } of ids.size > 0 ? entries("project") : []) projects.delete(id);
  const unknown = [...projects].slice(0, maxNamed).join(", ");
  const notes = unknown ? [`Curfew has not heard of these projects yet: ${unknown}. Are they ids, and no names?`] : [];
  return { missing, problems: [...problems], notes };
}

export interface ImportedEntries {
  readonly machines: readonly Machine[];
  /** The ids of the projects that Curfew has heard of. */
  readonly projects: readonly string[];
}

/** The imported machines, and the projects that are known; undefined where the database cannot be read. */
export async function readImported(around: Around): Promise<ImportedEntries | undefined> {
  const database = readDatabase(around);
  const directory = typeof database === "string" ? await openDirectory(database).catch(() => undefined) : undefined;
  if (!directory) return undefined;
  const [machines, projects]: [Machine[], string[]] = [[], []];
  for await (const { body } of directory.entries("machine")) machines.push(body);
  for await (const { id } of directory.entries("project")) projects.push(id);
  await directory.close();
  return { machines, projects };
}

/** The groups of the file that an import fills, and that have no machine. */
export function withoutMachines(
  { resourceGroups }: Pick<Settings, "resourceGroups">,
  machines: readonly Machine[],
): readonly string[] {
  const found = groupBy(machines, ({ group }) => group?.toLowerCase());
  return Object.entries(resourceGroups).flatMap(([name, { imported, type, project }]) => {
    const places = new Set((found.get(name.toLowerCase()) ?? []).map((each) => `${each.type} of ${each.project}`));
    if (!imported || places.has(`${type} of ${project}`)) return [];
    const there = places.size > 0 ? `it names ${[...places].join(" and ")}` : "it names none";
    return [
      `the group ${name} is of imported ${type} of ${project}, and ${there}: import them with “directory import”`,
    ];
  });
}

/** More entries than this are only counted. */
const maxNamed = 20;

const effects: readonly ImportEffect[] = ["added", "changed", "unchanged", "configured", "removed"];

const aside: Readonly<Partial<Record<ImportEffect, string>>> = {
  configured: "named by the config file, whose entry counts while it is there",
  removed: "left out, since Curfew knows that the service deleted it",
};

function summaryOf(done: readonly Imported[]): readonly string[] {
  const by = new Map(effects.map((effect) => [effect, done.filter((each) => each.effect === effect)]));
  const counted = effects.slice(0, 3).map((effect) => `${by.get(effect)?.length ?? 0} ${effect}`);
  const named = effects.flatMap((effect) => {
    const some = by.get(effect) ?? [];
    if (effect === "unchanged") return [];
    return listed(
      aside[effect] ?? effect,
      some.map(({ kind, id, name }) => `  ${kind} ${id}${name ? ` ${name}` : ""}`),
    );
  });
  return [`${counted.join(", ")}.`, ...named];
}

function listed(heading: string, lines: readonly string[]): readonly string[] {
  const more = lines.length > maxNamed ? [`  and ${lines.length - maxNamed} more`] : [];
  return lines.length === 0 ? [] : [`${heading}:`, ...lines.slice(0, maxNamed), ...more];
}

async function exportLists({ list, format }: Asked<"directory export">, around: Around): Promise<number> {
  return withDirectory(around, async (directory) => {
    let nameless = 0;
    async function* itemsOf(name: (typeof directoryListNames)[number]) {
      for await (const item of directoryLists[name].itemsIn(directory)) {
        if (item.name ?? item.type) yield item;
        else nameless += 1;
      }
    }
    const lines =
      list !== undefined && format === "csv"
        ? csvEntries(list, itemsOf(list))
        : jsonEntries((list ? [list] : directoryListNames).map((name) => [name, itemsOf(name)] as const));
    const code = await write(lines, around);
    if (nameless > 0) print([`Left out ${nameless} of which only the id is known.`], around.errorOutput, code);
    return code;
  });
}

function withDirectory(around: Around, use: (directory: OpenDirectory) => Promise<number>): Promise<number> {
  const failed = (name: string) => `The directory in ${name} cannot be used`;
  return onDatabase(around, failed, async (database) => {
    const directory = await openDirectory(database);
    return use(directory).finally(() => directory.close());
  });
}
