import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStore, type Store } from "../../src/store/open-store.ts";

/** The path of a database that does not exist yet, in a folder that is gone when the test is finished. */
export function newDatabaseFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "curfew-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "data", "curfew.db");
}

/** A store on a real SQLite file of its own, closed when the test is finished. */
export async function openTestStore(file: string = newDatabaseFile()): Promise<Store> {
  const store = await openStore(file);
  onTestFinished(() => store.close());
  return store;
}
