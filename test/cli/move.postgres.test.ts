import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../src/store/db/database.ts";
import { copiedTables, notCopied } from "../../src/store/move-database.ts";
import { openStore } from "../../src/store/open-store.ts";
import { aChange, aDecision, anExtension, aSettlement, aWaiting, noon } from "../changes/build.ts";
import { openRaw, verify } from "../store/history-file.ts";
import { nextDue, takeJob } from "../store/next-due.ts";
import { newDatabaseFile, openTestStore } from "../store/open-test-store.ts";
import { saveGroup } from "../store/save-group.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { type Given, runWithArgs } from "./run-with-args.ts";

const move = (file: string, to: string, given: Given = {}) =>
  runWithArgs(["database", "move", "--to", to], { ...given, env: { DATABASE_URL: `sqlite:${file}` } });

/** The database of a Curfew on SQLite, with rows in every table. */
async function usedFile(changes = 4): Promise<string> {
  const file = newDatabaseFile();
  const store = await openStore(file);
  for (let index = 0; index < changes; index++) {
    const id = `chg-${index}`;
    await store.begin(index % 2 ? anExtension({ id }) : aChange({ id, reason: "“quotes” 'and' \n \ud83e\udd89" }));
    if (index === changes - 1) continue;
    const card = { changeId: id, kind: "card", to: "C0OPS", underChangeId: null } as const;
    await store.settle(id, aSettlement({ subjectId: `ae-${index}` }), {
      outbox: [card],
      jobs: [{ kind: "exclusion-end", subjectId: `ae-${index}`, dueAt: noon }],
    });
  }
  const project = { projectId: "p-dev", name: "Development", budget: { eur: 5 } };
  await store.remember([{ kind: "project", id: "p-dev", body: project }]);
  const group = { type: "amazon-ec2-instance", project: "p-dev", ids: ["i-0a1"] } as const;
  await saveGroup(store, "staging", group);
  const posted = await nextDue(store, noon + 1000);
  await store.markSent(posted?.id ?? 0, { channelId: "C0OPS", ts: "1.000001", threadTs: null }, noon);
  await store.begin(aWaiting({ id: "chg-waits" }));
  await store.decide("chg-waits", aDecision(), () => ({}));
  await store.close();
  return file;
}

const rowsOf = async (database: string, table: keyof Database) => {
  const db = openRaw(database);
  const { rows } = await sql<object>`select * from ${sql.table(table)} order by 1, 2`.execute(db);
  return rows;
};

describe("database move", () => {
  test("copies everything, and Curfew continues there with the same history", async () => {
    // More rows than one batch.
    const file = await usedFile(300);
    const history = await verify(file);
    const to = await newDatabase("empty");
    const { code, output, errors } = await move(file, to);
    expect([code, errors]).toEqual([0, ""]);
    expect(output).toMatch(/^change +302\n/);
    expect(output).toMatch(/^transition +602\n/m);
    expect(output).toContain("602 transitions, chain intact\n");
    expect(output).toMatch(/curfew\.db is as it was\. Set DATABASE_URL to PostgreSQL 127\.0\.0\.1:\d+\/test_\w+,/);
    for (const table of copiedTables) expect(await rowsOf(to, table)).toEqual(await rowsOf(file, table));
    expect(await verify(to)).toEqual(history);

    const store = await openTestStore(to);
    expect((await store.abandoned()).map(({ id }) => id)).toEqual(["chg-299"]);
    const jobs = [];
    for (let job = await takeJob(store); job; job = await takeJob(store)) jobs.push(job.subjectId);
    expect(new Set(jobs)).toEqual(new Set(Array.from({ length: 299 }, (_each, index) => `ae-${index}`)));
    expect(jobs).toHaveLength(299);
    await store.begin(aChange({ id: "chg-new" }));
    await store.settle("chg-new", aSettlement(), {
      outbox: [{ changeId: "chg-new", kind: "card", to: "C0NEW", underChangeId: null }],
    });
    expect(await verify(to)).toMatchObject({ kind: "intact", length: 604 });
    expect(await verify(file)).toEqual(history);
  });

  test("copies an empty database, and keeps a broken history unchanged", async () => {
    const empty = newDatabaseFile();
    await (await openStore(empty)).close();
    expect(await move(empty, await newDatabase("empty"))).toMatchObject({ code: 0, output: /0 transitions/ });
    const file = await usedFile();
    await execute(file, "update change set reason = 'altered' where id = 'chg-2'");
    const to = await newDatabase();
    const { code, output } = await move(file, to);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining("The history is broken at transition 5 (change chg-2)"),
    ]);
    expect(await verify(to)).toEqual(await verify(file));
  });

  test("shows on a terminal how far the copy and the checks are", async () => {
    let now = 0;
    const elapsedMs = () => {
      now += 2000;
      return now;
    };
    const to = await newDatabase("empty");
    const { errors, code } = await move(await usedFile(), to, { terminals: ["errors"], elapsedMs });
    const lines = errors.split("\r").map((line) => line.replace("\u001b[K", ""));
    expect(code).toBe(0);
    expect(lines.filter((line) => line.includes("checked"))).toEqual([
      "Transitions checked in the file: 10 of 10 · 5 a second · 0 s left",
      "Transitions checked in PostgreSQL: 10 of 10 · 5 a second · 0 s left",
    ]);
    expect(lines[1]).toMatch(/^Rows copied: 6 of 26 · 3 a second · 7 s left$/);
  });

  test("either copies a table or lists it as not copied", async () => {
    const file = newDatabaseFile();
    await (await openStore(file)).close();
    const db = openRaw(file);
    const tables = (await db.introspection.getTables()).map(({ name }) => name);
    expect(tables.filter((name) => name !== "migration").sort()).toEqual([...copiedTables, ...notCopied].sort());
  });
});

describe("database move is refused and changes nothing", () => {
  test("when the target is not empty", async () => {
    const file = await usedFile();
    const to = await newDatabase();
    const other = await openTestStore(to);
    await other.begin(aChange({ id: "chg-other" }));
    const { code, errors } = await move(file, to);
    expect(code).toBe(1);
    expect(errors).toMatch(
      /could not be moved to PostgreSQL .* is not empty: its table change has rows\. Name an empty one\. Nothing was/,
    );
    expect((await other.list({ limit: 10 })).map(({ id }) => id)).toEqual(["chg-other"]);
    expect(await verify(to)).toMatchObject({ kind: "intact", length: 1 });
  });

  test("while a Curfew runs on the source or the target", async () => {
    const file = await usedFile();
    const running = await openStore(file, { isToRun: true });
    onTestFinished(() => running.close());
    expect(await move(file, await newDatabase())).toMatchObject({ code: 1, errors: /Another Curfew is running on/ });
    await running.close();
    const to = await newDatabase();
    const there = await openTestStore(to);
    await there.beat();
    expect(await move(file, to)).toMatchObject({ code: 1, errors: /its table instance has rows/ });
  });

  test("when the file is missing or the target is unreachable", async () => {
    const missing = newDatabaseFile();
    expect(await move(missing, await newDatabase())).toMatchObject({ code: 1, errors: /curfew\.db does not exist/ });
    const nowhere = "postgres://curfew:s3cret@127.0.0.1:9/curfew";
    const { code, errors } = await move(await usedFile(), nowhere);
    expect([code, errors]).toEqual([1, expect.stringMatching(/PostgreSQL 127\.0\.0\.1:9\/curfew: .*ECONNREFUSED/)]);
    expect(errors).not.toContain("s3cret");
  });

  test("when its arguments are wrong", async () => {
    const to = await newDatabase();
    const env = { DATABASE_URL: to };
    const from = await runWithArgs(["database", "move", "--to", to], { env });
    expect(from).toMatchObject({ code: 1, errors: "DATABASE_URL names no SQLite database.\n" });
    for (const args of [["database"], ["database", "move"], ["database", "move", "--to", "sqlite:x.db"]])
      expect(await runWithArgs(args)).toMatchObject({ code: 1, errors: /database takes move|--to must be postgres/ });
  });
});
