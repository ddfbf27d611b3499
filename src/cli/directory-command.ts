import { text } from "node:stream/consumers";
import { cannotBeRead } from "../config/read-settings.ts";
import type { Machine, Settings } from "../config/settings.ts";
import { directoryListNames, directoryLists } from "../directory/config-entities.ts";
import { csvEntries, isMachine, jsonEntries, readEntries } from "../directory/read-entries.ts";
import { type ImportEffect, type Imported, type OpenDirectory, openDirectory } from "../store/open-directory.ts";
import { groupBy } from "../time/group-by.ts";
import { interrupted, onDatabase, withProgress } from "./database-work.ts";
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

async function importFile(command: Asked<"directory import">, around: Around): Promise<number> {
  const { file, list, isComplete, isSure } = command;
  let content: string;
  try {
    const asked = file === "-" ? await Promise.race([text(around.input), around.stopAsked]) : around.readFile(file);
    if (typeof asked !== "string") return interrupted;
    content = asked;
  } catch (error) {
    return print([cannotBeRead(file, error)], around.errorOutput, 1);
  }
  const failed = (problems: readonly string[]) => print([...problems, "Nothing was imported."], around.errorOutput, 1);
  const config = readConfigAlone({ ...around, configFile: undefined });
  // Without a config nobody can say which accounts there are.
  const settings = config.kind === "config" ? config.settings : undefined;
  const read = readEntries(content, file, { list, accounts: settings?.accounts });
  if (read.kind === "problems") return failed(read.problems);
  const { entities, notes } = read;
  if (isComplete && !entities.every(isMachine))
    return failed(["--complete is for machines: import the rest without it."]);
  return withDirectory(around, async (directory) => {
    const before = await machinesBefore(read, directory, {
      isComplete,
      named: Object.keys(settings?.resourceGroups ?? {}),
    });
    if (before.problems.length > 0) return failed(before.problems);
    const { missing: gone, known } = before;
    if (isComplete && !isSure && gone.length > known / 2)
      return failed([
        `--complete would forget ${gone.length} of the ${known} machines that Curfew knows in these projects. If that is meant, add --yes.`,
      ]);
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
  { entities, remarkOn }: Extract<ReturnType<typeof readEntries>, { kind: "entries" }>,
  { entries }: OpenDirectory,
  { isComplete, named }: { readonly isComplete: boolean; readonly named: readonly string[] },
) {
  const machines = entities.filter(isMachine);
  const ids = new Set(machines.map(({ id }) => id));
  const projects = new Set(machines.map(({ body }) => body.project));
  const groups = groupBy(machines, ({ body }) => body.group?.toLowerCase());
  const otherGroups = new Set(named.map((name) => name.toLowerCase()));
  const missing: string[] = [];
  let known = 0;
  const problems = new Set<string>();
  for await (const { id, body } of ids.size > 0 ? entries("machine") : []) {
    const group = body.group?.toLowerCase();
    if (group !== undefined) otherGroups.add(group);
    if (projects.has(body.project)) known += 1;
    if (ids.has(id)) continue;
    const isMissing = projects.has(body.project);
    if (isMissing) missing.push(id);
    const others = group === undefined || (isMissing && isComplete) ? [] : (groups.get(group) ?? []);
    const [other] = others;
    if (other && (other.body.project !== body.project || other.body.type !== body.type))
      problems.add(
        remarkOn(
          other,
          "group",
          `the group “${body.group}” holds ${body.type} of ${body.project} already, and here ${other.body.type} of ${other.body.project}: name one group for each. If those are no more in it, import the list of ${body.project} first, with --complete`,
        ),
      );
  }
  for await (const { id } of ids.size > 0 ? entries("project") : []) projects.delete(id);
  const unknown = [...projects].slice(0, maxNamed).join(", ");
  const alone = [...groups].flatMap(([name, [first, ...more]]) =>
    first && name !== undefined && more.length === 0 && !otherGroups.has(name)
      ? [remarkOn(first, "group", `nothing else names the group “${first.body.group}”: is it mistyped?`)]
      : [],
  );
  const notes = [
    ...(unknown ? [`Curfew has not heard of these projects yet: ${unknown}. Are they ids, and no names?`] : []),
    ...alone.slice(0, maxNamed),
    ...(alone.length > maxNamed ? [`and ${alone.length - maxNamed} more groups with one machine`] : []),
  ];
  return { missing, known, problems: [...problems], notes };
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
