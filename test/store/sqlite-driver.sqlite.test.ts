import { symlinkSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { sqliteOfThisNode } from "../../src/store/db/sqlite/open-sqlite.ts";
import { createToDisk, SqliteFileDriver } from "../../src/store/db/sqlite/sqlite-driver.ts";
import { openStore } from "../../src/store/open-store.ts";
import { aChange } from "../changes/build.ts";
import { newDatabaseFile, openTestStore } from "./open-test-store.ts";

interface Tables {
  readonly note: { readonly text: string };
}

/** A database whose flush a test controls. */
async function openOn(flush: () => Promise<void> = async () => undefined) {
  const Sqlite = await sqliteOfThisNode();
  const file = new Sqlite(":memory:", { enableForeignKeyConstraints: true });
  let flushes = 0;
  const flushOnce = async () => {
    flushes += 1;
    await flush();
  };
  const toDisk = createToDisk({ flushOnce, close: async () => undefined });
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => new SqliteFileDriver(async () => ({ file, toDisk })),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (of) => new SqliteIntrospector(of),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  onTestFinished(() => db.destroy());
  file.exec(`
    create table note (text text unique not null);
    create table reference (text text references note (text) deferrable initially deferred)
  `);
  return {
    write: (text: string) => db.transaction().execute((trx) => trx.insertInto("note").values({ text }).execute()),
    /** Fails only on commit. */
    writeDangling: () => db.transaction().execute((trx) => sql`insert into reference values ('nowhere')`.execute(trx)),
    notes: async () => (await db.selectFrom("note").select("text").execute()).map(({ text }) => text),
    flushes: () => flushes,
    committed: () => file.prepare("select count(*) as count from note").get()?.count,
  };
}

/** A promise that a test resolves or rejects. */
function createGate() {
  let settle = { open: (): void => undefined, fail: (_: Error): void => undefined };
  const passed = new Promise<void>((open, fail) => {
    settle = { open, fail };
  });
  return { passed, open: () => settle.open(), fail: (error: Error) => settle.fail(error) };
}

test("many reads, one after the other, let other work run between them", async () => {
  const { write, notes } = await openOn();
  await write("a");
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turns++) await nextTurn();
  })();
  for (let read = 0; read < 40; read++) {
    const until = performance.now() + 1;
    while (performance.now() < until);
    expect(await notes()).toEqual(["a"]);
  }
  isOver = true;
  await others;
  expect(turns).toBeGreaterThanOrEqual(5);
});

describe("concurrent writes", () => {
  test("reach the disk soon under a steady load", async () => {
    const { write, notes } = await openOn();
    let isWritten = false;
    const writes: Promise<unknown>[] = [
      write("first").then(() => {
        isWritten = true;
      }),
    ];
    while (!isWritten && writes.length < 5000) {
      for (let each = 0; each < 5; each++) writes.push(write(`${writes.length}`));
      await nextTurn();
    }
    expect(writes.length).toBeLessThan(1000);
    await Promise.all(writes);
    expect(await notes()).toHaveLength(writes.length);
  });

  test("fail alone: the others are kept", async () => {
    const { write, notes } = await openOn();
    await write("one");
    const outcomes = await Promise.allSettled(["two", "one", "three"].map(write));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await notes()).toEqual(["one", "two", "three"]);
  });

  test("fail alone when the commit fails", async () => {
    const { write, writeDangling, notes } = await openOn();
    const outcomes = await Promise.allSettled([write("one"), writeDangling(), write("two")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await notes()).toEqual(["one", "two"]);
  });

  test("share the next flush during a flush", async () => {
    const gate = createGate();
    const { flushes, committed, write } = await openOn(() => gate.passed);
    const first = write("one");
    await expect.poll(flushes).toBe(1);
    const second = write("two");
    await expect.poll(committed).toBe(2);
    const third = write("three");
    await expect.poll(committed).toBe(3);
    gate.open();
    await Promise.all([first, second, third]);
    expect(flushes()).toBe(2);
  });
});

describe("the disk", () => {
  test("has a write before its caller resolves or a reader sees it", async () => {
    const gate = createGate();
    const { committed, write, notes } = await openOn(() => gate.passed);
    const events: string[] = [];
    const written = write("one").then(() => events.push("written"));
    await expect.poll(committed).toBe(1);
    const read = notes().then((texts) => events.push(`read ${texts.join()}`));
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toEqual([]);
    gate.open();
    await Promise.all([written, read]);
    expect(events).toEqual(["written", "read one"]);
  });

  test("fails every write after one failed flush", async () => {
    const gate = createGate();
    const { flushes, write } = await openOn(() => gate.passed);
    const first = expect(write("one")).rejects.toThrow("EIO");
    await expect.poll(flushes).toBe(1);
    gate.fail(new Error("EIO: i/o error"));
    await first;
    await expect(write("two")).rejects.toThrow("EIO");
    expect(flushes()).toBe(1);
  });
});

test("close waits for a flush under way", async () => {
  const gate = createGate();
  const did: string[] = [];
  const flushOnce = () => gate.passed.then(() => void did.push("flushed"));
  const toDisk = createToDisk({ flushOnce, close: async () => void did.push("closed") });
  const flushed = toDisk.flush();
  const closed = toDisk.close();
  gate.open();
  await Promise.all([flushed, closed]);
  expect(did).toEqual(["flushed", "closed"]);
});

test("opens a database through a symbolic link", async () => {
  const file = newDatabaseFile();
  const first = await openStore(file);
  await first.close();
  const link = `${file}-link`;
  symlinkSync(file, link);
  const store = await openTestStore(link);
  await store.begin(aChange());
  expect(await store.find("chg-1")).toMatchObject({ id: "chg-1" });
});
