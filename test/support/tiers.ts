/** `npm run test:all` runs everything; `npm test` runs every behaviour once. */
export const isEverything = process.env.CURFEW_TEST_ALL === "1";

/** How often something random is tried, and how often when everything is run. */
export const times = (usually: number, everything: number): number => (isEverything ? everything : usually);

/** What the database has a part in, and a choice of what people do with the whole bot: run on SQLite and on PostgreSQL. */
export const onBothDatabases = [
  "test/store/*.test.ts",
  "test/changes/{approvals,changes,recover,watch}.test.ts",
  "test/run/audit.test.ts",
  "test/crash/*.test.ts",
  "test/hostile/{approvers,claims,clock,database-lock,groups,retry-after}.test.ts",
  "test/journeys/{announcements,approvals,asked-already,changes,database-trouble,end-button,groups,home,meanwhile,queries,stopping,undo}.test.ts",
];

/** What only several machines can show, or what only PostgreSQL does. */
export const onPostgresAlone = "test/**/*.postgres.test.ts";

export const onSqliteAlone = "test/**/*.sqlite.test.ts";

/** What only `npm run test:all` runs: the same on PostgreSQL, processes that are killed, and what is marked as long. */
export const onlyInEverything = ["test/crash/**", onPostgresAlone, "test/**/*.long.test.ts"];
