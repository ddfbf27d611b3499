import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtIn } from "./built.ts";

/** A folder for what the tests' processes bundle, gone when all are done: they themselves are not asked to end. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "curfew-built-"));
  process.env[builtIn] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
