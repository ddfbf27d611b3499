import type { TestProject } from "vitest/node";

/** Says at the end which tests were not run, for want of a PostgreSQL. */
export function setup(_project: TestProject): () => void {
  return () => {
    process.stdout.write(`\nLeft out: the tests on PostgreSQL (those of the project "postgres" in test/vitest.config.ts), since no PostgreSQL was found.
To have them: apt-get install postgresql, or POSTGRES_BIN=<the folder of its initdb and postgres>.\n\n`);
  };
}
