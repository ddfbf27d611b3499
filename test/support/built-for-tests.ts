import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtIn } from "./built.ts";

/** A folder for the bundles of the test processes. It is removed after all of them end, since they cannot clean up themselves. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "curfew-built-"));
  process.env[builtIn] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
