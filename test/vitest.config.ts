import { configDefaults, defineConfig } from "vitest/config";
import { onBothDatabases, onPostgresAlone } from "./support/left-out.ts";
import { findPostgres } from "./support/postgres.ts";

const hasPostgres = findPostgres(process.env) !== undefined;
if (!hasPostgres && process.env.CURFEW_TEST_ALL === "1")
  throw new Error("Every test is to be run, and there is no PostgreSQL for some: apt-get install postgresql.");

const onSqliteAlone = "test/**/*.sqlite.test.ts";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    env: { TZ: "UTC" },
    testTimeout: 20_000,
    // Importing a module does nothing, so files can share what they import; it halves the time the suite takes.
    isolate: false,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "sqlite",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, onPostgresAlone],
          globalSetup: ["test/support/built-for-tests.ts", ...(hasPostgres ? [] : ["test/support/left-out.ts"])],
        },
      },
      ...(hasPostgres
        ? [
            {
              extends: true as const,
              test: {
                name: "postgres",
                include: [...onBothDatabases, onPostgresAlone],
                exclude: [...configDefaults.exclude, onSqliteAlone],
                globalSetup: ["test/support/built-for-tests.ts", "test/support/postgres-for-tests.ts"],
              },
            },
          ]
        : []),
    ],
  },
});
