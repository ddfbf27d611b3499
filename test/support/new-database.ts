import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { isPostgresUrl } from "../../src/store/db/open-database.ts";
import { makeFolder } from "./memory-folder.ts";
import { templates } from "./postgres-for-tests.ts";

export interface TestDatabase {
  /** In the form that `openStore` takes. */
  readonly database: string;
  remove(): Promise<void>;
}

/** A new database of the kind that the current tests use, with this version's schema or empty. */
export async function makeDatabase(content: keyof typeof templates = "migrated"): Promise<TestDatabase> {
  const server = inject("postgresUrl");
  return server === undefined ? makeFile() : makePostgresDatabase(server, content);
}

/** The same for one test, which deletes it afterwards. */
export async function newDatabase(content?: keyof typeof templates): Promise<string> {
  const { database, remove } = await makeDatabase(content);
  onTestFinished(remove);
  return database;
}

/** In the form of DATABASE_URL. */
export const urlOf = (database: string): string => (isPostgresUrl(database) ? database : `sqlite:${database}`);

/** A file that the first opener creates. */
function makeFile(): TestDatabase {
  const folder = makeFolder("curfew-store");
  return {
    database: join(folder, "data", "curfew.db"),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function makePostgresDatabase(server: string, content: keyof typeof templates): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await administer(server, `create database ${name} template ${templates[content]} strategy file_copy`);
  return {
    database: `${server}/${name}`,
    remove: () => administer(server, `drop database if exists ${name} with (force)`),
  };
}

let administrator: pg.Pool | undefined;

async function administer(server: string, statement: string): Promise<void> {
  administrator ??= new pg.Pool({ connectionString: `${server}/postgres`, allowExitOnIdle: true });
  await administrator.query(statement);
}
