import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk takes milliseconds for each commit, and only a machine's crash needs one: what a dead process wrote survives in memory too. */
const memory = "/dev/shm";

/** A new folder in memory where the system has such, else on the disk. */
export const makeFolder = (prefix: string): string =>
  mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), `${prefix}-`));
