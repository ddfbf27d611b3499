import { rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStore, type Store, type StoreOptions } from "../../src/store/open-store.ts";
import { noon } from "../changes/build.ts";
import { makeFolder } from "../support/memory-folder.ts";
import { newDatabase } from "../support/new-database.ts";

/** The path for a new SQLite database, in a folder that is removed after the test. */
export function newDatabaseFile(): string {
  const folder = makeFolder("curfew-store");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "data", "curfew.db");
}

/** A store on its own real database, with the clock at noon; closed after the test. */
export async function openTestStore(database?: string, options: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await openStore(database ?? (await newDatabase()), { now: () => noon, ...options });
  onTestFinished(() => store.close());
  return store;
}
