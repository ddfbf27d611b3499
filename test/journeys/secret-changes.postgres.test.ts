import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { startWithKeyFiles } from "../support/start-with-key-files.ts";

const documented = readFileSync("manifest/REFERENCE.md", "utf8").match(/^(?:create|alter) role curfew2 .*;$/gm) ?? [];

it("the database's user is changed as documented while people ask: new connections are made as the next one", async () => {
  const server = new pg.Client(`${inject("postgresUrl")}/postgres`);
  await server.connect();
  const second = `curfew_second_${process.pid}`;
  onTestFinished(async () => {
    await server.query(`drop role if exists ${second}`);
    await server.end();
  });
  const bot = await startWithKeyFiles();
  const asSecond = (password: string) => bot.database.replace("curfew@", `${second}:${password}@`);
  const says = (text: string) =>
    expect.poll(async () => (await bot.readiness()).text, { timeout: 10_000 }).toContain(text);
  const connected = async () => {
    const name = new URL(bot.database).pathname.slice(1);
    const found = await server.query("select distinct usename from pg_stat_activity where datname = $1", [name]);
    return found.rows.map(({ usename }) => usename);
  };
  try {
    expect(await connected()).toEqual(["curfew"]);
    bot.change("DATABASE_URL", asSecond("too-early"));
    await says(`the database says role "${second}" does not exist`);
    await server.query(`create role ${second} login`);
    bot.change("DATABASE_URL", asSecond("no-rights"));
    await says("the database says permission denied for table");
    await server.query(`drop role ${second}`);
    expect(documented).toHaveLength(2);
    for (const statement of documented) await server.query(statement.replace("curfew2", second));

    const problems = await bot.underLoad([bot.callOnce, bot.askOnce], async () => {
      bot.change("DATABASE_URL", asSecond("hush"));
      await expect.poll(() => bot.taken("DATABASE_URL"), { timeout: 10_000 }).toBe(1);
    });
    expect(problems).toEqual([]);
    const { pathname } = new URL(bot.database);
    await server.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'curfew' and datname = $1",
      [pathname.slice(1)],
    );
    await expect.poll(connected, { timeout: 10_000 }).toEqual([second]);
    expect(await bot.callOnce()).toEqual([]);
    bot.change("DATABASE_URL", "postgres://curfew@127.0.0.1:1/another");
    await says("another database, which needs a restart");
  } finally {
    await bot.stop();
  }
});
