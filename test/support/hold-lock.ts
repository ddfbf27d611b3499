import pg from "pg";
import { isPostgresUrl } from "../../src/store/db/open-database.ts";
import { sqliteOfThisNode } from "../../src/store/db/sqlite/open-sqlite.ts";

const tables = "change, transition, decision, outbox, history_head, entity, resource_group, receipt";

/** Locks a database as another program does, until the returned function is called. */
export async function holdLock(
  database: string,
  how: "immediate" | "exclusive" = "exclusive",
): Promise<() => Promise<void>> {
  return isPostgresUrl(database) ? holdTables(database) : holdFile(database, how);
}

async function holdFile(path: string, how: string): Promise<() => Promise<void>> {
  const file = new (await sqliteOfThisNode())(path, { timeout: 0 });
  file.exec(`begin ${how}`);
  return async () => {
    if (file.isOpen) file.close();
  };
}

async function holdTables(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`begin; lock table ${tables} in access exclusive mode`);
  let ending: Promise<void> | undefined;
  return () => {
    ending ??= client.end();
    return ending;
  };
}
