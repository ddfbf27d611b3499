import { mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk takes milliseconds for each commit, and only a machine's crash needs one: what a dead process wrote survives in memory too. */
const memory = "/dev/shm";

/** What a full run may need at a time. Containers often have 64 MiB. */
const neededBytes = 2e9;

/** A new folder in memory where the system has room for such, else on the disk. */
export const makeFolder = (prefix: string): string => mkdtempSync(join(hasRoom() ? memory : tmpdir(), `${prefix}-`));

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > neededBytes;
  } catch {
    return false;
  }
}
