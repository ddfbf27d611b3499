import { cannotBeRead } from "../config/read-settings.ts";
import { directoryListNames, directoryLists } from "../directory/config-entities.ts";
import { csvEntries, jsonEntries, readEntries } from "../directory/read-entries.ts";
import { type ImportEffect, type Imported, type OpenDirectory, openDirectory } from "../store/open-directory.ts";
import { onDatabase, withProgress } from "./database-work.ts";
import { type Around, print, write } from "./process-env.ts";
import type { OperatorCommand } from "./read-arguments.ts";

type Asked<Name> = Extract<OperatorCommand, { name: Name }>;

export async function runDirectoryCommand(
  command: Asked<"directory import" | "directory export">,
  around: Around,
): Promise<number> {
  return command.name === "directory import" ? importFile(command, around) : exportLists(command, around);
}

async function importFile({ file, list }: Asked<"directory import">, around: Around): Promise<number> {
  let text: string;
  try {
    text = around.readFile(file);
  } catch (error) {
    return print([cannotBeRead(file, error)], around.errorOutput, 1);
  }
  const read = readEntries(text, file, list);
  if (read.kind === "problems") return print([...read.problems, "Nothing was imported."], around.errorOutput, 1);
  const { entities, notes } = read;
  return withDirectory(around, async (directory) => {
    const done: Imported[] = [];
    await withProgress(around, async (report) => {
      for await (const some of directory.add(entities)) {
        done.push(...some);
        report?.("Entries imported", done.length, entities.length);
      }
    });
    return print([...summaryOf(done), ...notes], around.output, 0);
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
    if (effect === "unchanged" || some.length === 0) return [];
    const more = some.length > maxNamed ? [`  and ${some.length - maxNamed} more`] : [];
    const lines = some.slice(0, maxNamed).map(({ kind, id, name }) => `  ${kind} ${id}${name ? ` ${name}` : ""}`);
    return [`${aside[effect] ?? effect}:`, ...lines, ...more];
  });
  return [`${counted.join(", ")}.`, ...named];
}

async function exportLists({ list, format }: Asked<"directory export">, around: Around): Promise<number> {
  return withDirectory(around, async (directory) => {
    let nameless = 0;
    async function* itemsOf(name: (typeof directoryListNames)[number]) {
      for await (const item of directoryLists[name].itemsIn(directory)) {
        if (item.name) yield item;
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
