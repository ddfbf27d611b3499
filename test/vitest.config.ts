import { configDefaults, defineConfig } from "vitest/config";
import { findPostgres } from "./support/postgres.ts";
import {
  isEverything,
  onBothDatabases,
  onlyInEverything,
  onPostgresAlone,
  onSqliteAlone,
  timed,
} from "./support/tiers.ts";

if (isEverything && findPostgres(process.env) === undefined)
  throw new Error("Every test is to be run, and there is no PostgreSQL for some: apt-get install postgresql.");

/** Tests pass in any order. A seed shuffles them. */
const { TEST_SEED: seed } = process.env;
const order = seed === undefined ? {} : { shuffle: true, seed: Number(seed) };

const onSqlite = {
  extends: true as const,
  test: {
    name: "sqlite",
    // One project after the other: a worker that changes the project imports everything anew.
    sequence: { groupOrder: 0 },
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...timed, ...(isEverything ? [onPostgresAlone] : onlyInEverything)],
    globalSetup: ["test/support/built-for-tests.ts", "test/support/launch-browser.ts"],
  },
};

/** In a process of its own: V8 no longer compiles regular expressions where many were compiled before. */
const inTime = {
  extends: true as const,
  test: { name: "timed", sequence: { groupOrder: 2 }, include: [...timed] },
};

const onPostgres = {
  extends: true as const,
  test: {
    name: "postgres",
    sequence: { groupOrder: 1 },
    include: [...onBothDatabases, onPostgresAlone],
    exclude: [...configDefaults.exclude, onSqliteAlone],
    globalSetup: ["test/support/built-for-tests.ts", "test/support/postgres-for-tests.ts"],
  },
};

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    env: { TZ: "UTC" },
    sequence: order,
    // For a machine that has much else to do: what hangs fails later, and nothing else takes longer.
    testTimeout: 40_000,
    hookTimeout: 40_000,
    // Importing a module does nothing, so files can share what they import; it halves the time the suite takes.
    isolate: false,
    // In the full run, processes and clocks share two cores with everything else: what fails is tried once more, and reported as such.
    // What a random input breaks is never tried again: the next input would hide it.
    retry: isEverything ? { count: 1, condition: /^(?!Property failed)/ } : 0,
    projects: isEverything ? [onSqlite, onPostgres, inTime] : [onSqlite],
  },
});
