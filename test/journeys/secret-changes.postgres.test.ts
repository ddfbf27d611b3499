import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { startWithKeyFiles } from "../support/start-with-key-files.ts";

it("the database's user is changed while people ask: new connections are made as the next one", async () => {
  const server = new pg.Client(`${inject("postgresUrl")}/postgres`);
  await server.connect();
  const [first, second] = ["curfew_first", "curfew_second"].map((name) => `${name}_${process.pid}`);
  for (const name of [first, second]) await server.query(`create role ${name} superuser login password 'hush'`);
  onTestFinished(async () => {
    for (const name of [first, second]) await server.query(`drop role ${name}`);
    await server.end();
  });
  const asUser = (database: string, name = "") => database.replace("curfew@", `${name}:hush@`);
  const bot = await startWithKeyFiles("http", { databaseOf: (database) => asUser(database, first) });
  const connected = async () => {
    const name = new URL(bot.database).pathname.slice(1);
    const found = await server.query("select distinct usename from pg_stat_activity where datname = $1", [name]);
    return found.rows.map(({ usename }) => usename);
  };
  try {
    expect(await connected()).toEqual([first]);
    const problems = await bot.underLoad([bot.callOnce, bot.askOnce], async () => {
      bot.change("DATABASE_URL", asUser(bot.database, second));
      await expect.poll(() => bot.taken("DATABASE_URL"), { timeout: 10_000 }).toBe(1);
    });
    expect(problems).toEqual([]);
    await server.query(`alter role ${first} nologin`);
    await server.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [first]);
    await expect.poll(connected, { timeout: 10_000 }).toEqual([second]);
    expect(await bot.callOnce()).toEqual([]);
    bot.change("DATABASE_URL", "postgres://curfew@127.0.0.1:1/another");
    await expect.poll(async () => (await bot.readiness()).text).toContain("another database, which needs a restart");
  } finally {
    await bot.stop();
  }
});
