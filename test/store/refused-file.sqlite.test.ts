import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sqliteOfThisNode } from "../../src/store/db/sqlite/open-sqlite.ts";
import { openDirectory } from "../../src/store/open-directory.ts";
import { openStore } from "../../src/store/open-store.ts";
import { newDatabaseFile } from "./open-test-store.ts";

test.each([
  ["a newer Curfew", "update migration set version = 999"],
  ["a development version", "update migration set version = 13"],
  ["another program", "drop table migration"],
])("leaves every byte of a backup of %s as it is", async (_whose, statement) => {
  const database = newDatabaseFile();
  await (await openStore(database)).close();
  const Sqlite = await sqliteOfThisNode();
  const backup = `${database}-backup`;
  for (const [file, sql] of [
    [database, `vacuum into '${backup}'`],
    [backup, statement],
  ] as const) {
    const open = new Sqlite(file);
    open.exec(sql);
    open.close();
  }
  const before = readFileSync(backup);
  await expect(openStore(backup)).rejects.toThrow("Nothing was changed");
  await expect(openDirectory(backup)).rejects.toThrow("Nothing was changed");
  expect(readFileSync(backup).equals(before)).toBe(true);
});
