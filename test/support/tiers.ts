/** `npm run test:all` runs everything; `npm test` what is quick, on SQLite. */
export const isEverything = process.env.CURFEW_TEST_ALL === "1";

/** Tests that involve the database, and a selection of whole-bot journeys: run on SQLite and PostgreSQL. */
export const onBothDatabases = [
  "test/store/*.test.ts",
  "test/changes/{changes,approvals/decide-approval,perform/recover}.test.ts",
  "test/cli/{audit,big-directory.long,directory}.test.ts",
  "test/jobs/instance-watch.test.ts",
  "test/crash/*.test.ts",
  "test/hostile/{clock,database-lock}.test.ts",
  "test/journeys/{approvals,budgets,changed-in-service,database-trouble,forgotten,large-groups,large-groups-edited,machines,offboard,planned-series,receipts.long,retention,several-accounts,stopping.long,unknown-outcomes}.test.ts",
];

/** Tests that need several instances or PostgreSQL itself. */
export const onPostgresAlone = "test/**/*.postgres.test.ts";

export const onSqliteAlone = "test/**/*.sqlite.test.ts";

/** Tests that measure how long a text takes. */
export const timed = ["test/hostile/parsing.test.ts"];

/**
 * Tests that only `npm run test:all` runs, so that the quick run stays quick on two cores: killed processes, attacks, the browser,
 * random inputs, PostgreSQL, and whatever takes long by itself.
 */
export const onlyInEverything = [
  "test/{crash,hostile,page}/**",
  "test/**/*.{property,long}{,.*}.test.ts",
  onPostgresAlone,
];
