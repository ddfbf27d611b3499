/** `npm run test:all` runs everything; `npm test` runs every behavior once. */
export const isEverything = process.env.CURFEW_TEST_ALL === "1";

/** How often a random test runs, normally and in the full run. */
export const times = (usually: number, everything: number): number => (isEverything ? everything : usually);

/** Tests that involve the database, and a selection of whole-bot journeys: run on SQLite and PostgreSQL. */
export const onBothDatabases = [
  "test/store/*.test.ts",
  "test/changes/{changes,approvals/decide-approval,perform/recover}.test.ts",
  "test/cli/{audit,directory}.test.ts",
  "test/jobs/instance-watch.test.ts",
  "test/crash/*.test.ts",
  "test/hostile/{approvers,claims,clock,database-lock,groups,retry-after}.test.ts",
  "test/journeys/{account-approvers,account-care,announcements,approvals,approver-concerns,asked-already,changed-elsewhere,changes,database-trouble,end-button,first-disable,groups,home,imported-directory,offboard,offboard-approved,own-account,owner-stops,queries,rename-twice,stopping,tickets,undo,unknown-outcomes,unknown-users}.test.ts",
];

/** Tests that need several instances or PostgreSQL itself. */
export const onPostgresAlone = "test/**/*.postgres.test.ts";

export const onSqliteAlone = "test/**/*.sqlite.test.ts";

/** Tests that measure how long a text takes. */
export const timed = ["test/hostile/parsing.test.ts"];

/** They keep a processor busy or wait for minutes: floods, locks of ten seconds, clocks that are set, every form in a browser. */
const long = [
  "test/hostile/{clock,connections,database-lock,full-disk-readiness.sqlite,late-records,starvation}.test.ts",
  "test/page/forms.test.ts",
  "test/**/*.long.test.ts",
];

/** Tests that only `npm run test:all` runs: the PostgreSQL repetitions, killed processes, and long ones. */
export const onlyInEverything = ["test/crash/**", onPostgresAlone, ...long];
