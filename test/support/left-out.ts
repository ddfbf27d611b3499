/** What the database has a part in, and a choice of what people do with the whole bot: run on SQLite and on PostgreSQL. */
export const onBothDatabases = [
  "test/store/*.test.ts",
  "test/changes/{approvals,changes,recover,watch}.test.ts",
  "test/run/audit.test.ts",
  "test/crash/*.test.ts",
  "test/journeys/{announcements,approvals,asked-already,changes,database-trouble,end-button,groups,home,meanwhile,queries,stopping,undo}.test.ts",
];

/** What only several machines can show, or what only PostgreSQL does. */
export const onPostgresAlone = "test/**/*.postgres.test.ts";

/** Where there is no PostgreSQL: says at the end which tests were not run for want of it. */
export function setup(): () => void {
  return () => {
    process.stdout.write(`
Left out, since no PostgreSQL was found: ${onPostgresAlone}; and on PostgreSQL, though run on SQLite: ${onBothDatabases.join(", ")}.
To have them: apt-get install postgresql, or POSTGRES_BIN=<the folder of its initdb and postgres>.\n\n`);
  };
}
