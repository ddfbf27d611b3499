import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { spaceResult } from "../../src/cli/doctor-here.ts";
import { sqliteOfThisNode } from "../../src/store/db/sqlite/open-sqlite.ts";
import { openStore } from "../../src/store/open-store.ts";
import { newDatabaseFile } from "../store/open-test-store.ts";
import { execute } from "../support/execute.ts";
import { aHealthyPlace, complaints, failed } from "./doctor-place.ts";
import { runWithArgs } from "./run-with-args.ts";

/** Moves the write-ahead log into the file, so that the file's own header counts. */
async function checkpoint(file: string): Promise<void> {
  const Sqlite = await sqliteOfThisNode();
  const opened = new Sqlite(file);
  opened.exec("pragma wal_checkpoint(truncate)");
  opened.close();
}

describe("the database", () => {
  const checkedWith = async (url: string) => {
    const { env, files } = await aHealthyPlace();
    return complaints({ env: { ...env, DATABASE_URL: url }, files });
  };

  test("gives a warning when it does not exist yet, and is not created", async () => {
    const file = newDatabaseFile();
    expect(await checkedWith(`sqlite:${file}`)).toEqual([
      {
        name: "database",
        verdict: "warning",
        what: `${file} does not exist`,
        whatToDo: expect.stringContaining("first start"),
      },
    ]);
    expect(() => readFileSync(file)).toThrow("ENOENT");
  });

  test("fails when it cannot be created at its path", async () => {
    const folder = mkdtempSync(join(tmpdir(), "curfew-doctor-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "file");
    writeFileSync(file, "");
    const found = await checkedWith(`sqlite:${file}/data/curfew.db`);
    expect(found).toEqual([failed("database", expect.stringMatching(/cannot be created in .*file: /))]);
  });

  test.each([
    ["update migration set version = 14", "warning", "schema version 14", "A start brings it up to date"],
    ["update migration set version = 13", "failed", "before 1.0", "Set DATABASE_URL"],
    ["drop table migration", "failed", "another program's tables", "Set DATABASE_URL"],
    ["insert into migration values (999)", "failed", "schema version 999", "Start the newer Curfew"],
  ])("is reported and left unchanged when its version differs (%s)", async (statement, verdict, what, whatToDo) => {
    const { env, files, databaseFile } = await aHealthyPlace();
    await execute(databaseFile, statement);
    expect(await complaints({ env, files })).toEqual([
      { name: "database", verdict, what: expect.stringContaining(what), whatToDo: expect.stringContaining(whatToDo) },
    ]);
  });

  test("of another program is refused in the same words by every command and by a start, and stays as it is", async () => {
    const { env, files } = await aHealthyPlace();
    const file = join(mkdtempSync(join(tmpdir(), "curfew-doctor-")), "theirs.db");
    onTestFinished(() => rmSync(dirname(file), { recursive: true }));
    await execute(file, "create table migration (version integer); insert into migration values (100)");
    const bytes = readFileSync(file);
    const given = { env: { ...env, DATABASE_URL: `sqlite:${file}` }, files };
    const words = "another program's tables. Nothing was changed: name Curfew's database, or an empty one.";
    const moved = ["database", "move", "--to", "postgres://nobody@127.0.0.1:1/none"];
    for (const args of [["audit", "verify"], ["audit", "export"], ["directory", "export"], moved]) {
      const { code, errors } = await runWithArgs(args, given);
      expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining(words) });
    }
    expect(await complaints(given)).toEqual([failed("database", expect.stringContaining(words))]);
    await expect(openStore(file, { isToRun: true })).rejects.toThrow(words);
    expect(readFileSync(file)).toEqual(bytes);
  });

  test("fails when the file is not a database", async () => {
    const { env, files, databaseFile } = await aHealthyPlace();
    writeFileSync(databaseFile, "no database, and long enough to be looked at. ".repeat(50));
    rmSync(`${databaseFile}-wal`, { force: true });
    expect(await complaints({ env, files })).toEqual([failed("database", expect.stringContaining("not a database"))]);
  });

  test("fails when it is read-only", async () => {
    const { env, files, databaseFile } = await aHealthyPlace();
    await checkpoint(databaseFile);
    // SQLite treats a file with a newer write format in its header as read-only. Permissions would not stop root.
    const bytes = readFileSync(databaseFile);
    bytes[18] = 3;
    writeFileSync(databaseFile, bytes);
    expect(await complaints({ env, files })).toEqual([failed("database", expect.stringMatching(/readonly|read-only/))]);
  });

  test("fails when the URL names no SQLite file", async () => {
    expect(await checkedWith("mysql://x")).toContainEqual(
      failed("database", expect.stringContaining("must be sqlite:")),
    );
  });

  test.each([
    [10 * 1024 ** 3, "ok"],
    [900 * 1024 ** 2, "warning"],
    [10 * 1024 ** 2, "failed"],
  ])("with %s bytes free on its disk is %s", (free, verdict) => {
    expect(spaceResult("/data", free)).toMatchObject({ name: "disk space", verdict });
  });
});
