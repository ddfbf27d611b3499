import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { spaceFinding } from "../../src/cli/doctor-database.ts";
import { sqliteOfThisNode } from "../../src/store/db/open-sqlite.ts";
import { newDatabaseFile } from "../store/open-test-store.ts";
import { execute } from "../support/execute.ts";
import { aHealthyPlace, complaints, failed } from "./doctor-place.ts";

/** So that the file's own header counts. */
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

  test("that is not there yet is a warning, and none is made", async () => {
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

  test("that cannot be made where it is named has failed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "curfew-doctor-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "file");
    writeFileSync(file, "");
    const found = await checkedWith(`sqlite:${file}/data/curfew.db`);
    expect(found).toEqual([failed("database", expect.stringMatching(/cannot be made in .*file: /))]);
  });

  test.each([
    ["delete from migration where version > 1", "warning", "schema version 1", "A start brings it up to date"],
    ["insert into migration values (99)", "failed", "schema version 99", "Start the newer Curfew"],
  ])("of another version is told, and left as it is (%s)", async (statement, verdict, what, whatToDo) => {
    const { env, files, databaseFile } = await aHealthyPlace();
    await execute(databaseFile, statement);
    expect(await complaints({ env, files })).toEqual([
      { name: "database", verdict, what: expect.stringContaining(what), whatToDo: expect.stringContaining(whatToDo) },
    ]);
  });

  test("that is no database has failed", async () => {
    const { env, files, databaseFile } = await aHealthyPlace();
    writeFileSync(databaseFile, "no database, and long enough to be looked at. ".repeat(50));
    rmSync(`${databaseFile}-wal`, { force: true });
    expect(await complaints({ env, files })).toEqual([failed("database", expect.stringContaining("not a database"))]);
  });

  test("that may only be read has failed", async () => {
    const { env, files, databaseFile } = await aHealthyPlace();
    await checkpoint(databaseFile);
    // SQLite takes a file whose header asks for a newer format of writing as one to read only; root may write anywhere else.
    const bytes = readFileSync(databaseFile);
    bytes[18] = 3;
    writeFileSync(databaseFile, bytes);
    expect(await complaints({ env, files })).toEqual([failed("database", expect.stringMatching(/readonly|read-only/))]);
  });

  test("that is no SQLite file's address has failed", async () => {
    expect(await checkedWith("mysql://x")).toContainEqual(
      failed("database", expect.stringContaining("must be sqlite:")),
    );
  });

  test.each([
    [10 * 1024 ** 3, "ok"],
    [900 * 1024 ** 2, "warning"],
    [10 * 1024 ** 2, "failed"],
  ])("with %s bytes left on its disk is %s", (free, verdict) => {
    expect(spaceFinding("/data", free)).toMatchObject({ name: "disk space", verdict });
  });
});
