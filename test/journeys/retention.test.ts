import type { Transaction } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { Database, TransitionTable } from "../../src/store/db/database.ts";
import { beginning, leftHash, sealOf } from "../../src/store/history/history-chain.ts";
import { appendTransition } from "../../src/store/history/transition-table.ts";
import { aChange, aSettlement, hourMs, minuteMs, noon } from "../changes/build.ts";
import { runWithArgs } from "../cli/run-with-args.ts";
import { openRaw, verify } from "../store/history-file.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { eventsExported, eventsLogged } from "../support/audit-events.ts";
import { createClock } from "../support/clock.ts";
import { execute } from "../support/execute.ts";
import { ask, cardOf, textOf } from "../support/journey.ts";
import { newDatabase, urlOf } from "../support/new-database.ts";
import { passTo } from "../support/pass-to.ts";
import { reload, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

const retaining = `${unlimitedConfig}\nretention: { history: 90d }\n`;

/** In a January, on the whole bot with a history of a day that lies 91 days back. */
async function longAfter(config: string) {
  const clock = createClock(Date.parse("2026-01-12T10:00:00Z"));
  const curfew = await startCurfew({ config, now: clock.now });
  onTestFinished(() => curfew.stop());
  const ended = await ask(curfew, "alice", "exclude i-0a1 for 2h because the January load test");
  const disabled = await ask(curfew, "carol", "user disable dave@example.com because he left");
  const enabled = await ask(curfew, "carol", "user enable dave@example.com because he is back");
  await ask(curfew, "dave", "exclude i-0a2 for 4h because of the refused one");
  const series = await ask(curfew, "alice", "keep staging up every mon 18:00-20:00 until 2026-12-31 because rehearsal");
  await passTo(curfew, clock, "2026-01-12T12:30:00Z");
  const at = (moment: string) => passTo(curfew, clock, moment);
  return { curfew, at, ended, disabled, enabled, series };
}

const audit = (line: string, database: string) =>
  runWithArgs(["audit", ...line.split(" ")], { env: { DATABASE_URL: urlOf(database) } });
const seen = async (database: string) => {
  const db = openRaw(database);
  const changes = await db.selectFrom("change").select("id").execute();
  return changes.map(({ id }) => id);
};

test("keeps the history for ever, unless the config says for how long", async () => {
  const { curfew, at, ended } = await longAfter(unlimitedConfig);
  await at("2026-04-20T00:00:01Z");
  expect(await seen(curfew.database)).toContain(ended.changeId);
});

test("prunes what is over and can no longer be undone, behind an anchor, and proves what is left", async () => {
  const { curfew, at, ended, disabled, enabled, series } = await longAfter(retaining);
  const head = (await eventsExported(curfew)).at(-1);
  await at("2026-04-11T00:00:01Z");
  expect(await seen(curfew.database)).toContain(ended.changeId);
  await at("2026-04-13T00:00:01Z");
  const left = await seen(curfew.database);
  expect(left).not.toContain(ended.changeId);
  expect(left).not.toContain(disabled.changeId);
  // The last change of the account can still be undone, and the series goes on.
  expect(left).toEqual(expect.arrayContaining([enabled.changeId, series.changeId]));
  const [pruned] = eventsLogged(curfew).filter(({ event }) => event === "pruned");
  const check = await verify(curfew.database);
  expect(check).toMatchObject({ kind: "intact", anchor: { through: pruned?.through, anchor: pruned?.anchor } });

  const said = await audit("verify", curfew.database);
  expect([said.code, said.errors]).toEqual([0, ""]);
  expect(said.output).toMatch(/\d+ transitions, chain intact\n\d+ older pruned; \d+ kept/);
  expect(said.output).toContain(`anchor ${pruned?.through}:${pruned?.anchor}`);
  expect((await audit(`verify --expect ${pruned?.cursor}:${pruned?.hash}`, curfew.database)).code).toBe(0);
  const before = await audit(`verify --expect 2:${head?.hash}`, curfew.database);
  expect([before.code, before.errors]).toEqual([1, expect.stringMatching(/was pruned since/)]);

  expect((await ask(curfew, "alice", `history ${ended.changeId}`)).text).toMatch(/no change/i);
  expect((await ask(curfew, "alice", `undo ${ended.changeId}`)).text).toMatch(/no change/i);
  expect((await ask(curfew, "carol", "history")).text).toContain("he is back");
  await ask(curfew, "carol", `undo ${enabled.changeId}`);
  expect(curfew.service.account.users.get("u-00000004")?.status).toBe("disabled");
  expect(textOf(await cardOf(curfew, series.changeId))).toContain("rehearsal");
});

test("a collector that was away finds the gap named, and goes on after it", async () => {
  const { curfew, at } = await longAfter(retaining);
  const early = (await eventsExported(curfew))[1]?.cursor ?? 0;
  await at("2026-04-14T00:00:01Z");
  const missed = await eventsExported(curfew, early);
  const gap = missed.findIndex(({ event }) => event === "gap");
  const anchor = missed.findLast(({ event }) => event === "pruned");
  expect(missed[gap]).toMatchObject({ cursor: anchor?.through, hash: anchor?.anchor, pruned: anchor?.pruned });
  expect(missed[gap + 1]).toMatchObject({ cursor: Number(anchor?.through) + 1, previousHash: anchor?.anchor });
  const later = await eventsExported(curfew, missed[gap]?.cursor);
  expect(later).toEqual(missed.slice(gap + 1));
  for (const [index, { previousHash, cursor }] of later.entries())
    if (index > 0)
      expect([previousHash, cursor]).toEqual([later[index - 1]?.hash, Number(later[index - 1]?.cursor) + 1]);
});

test("what was deleted after an expected head must be expected too, by its line of the log", async () => {
  const { curfew, at } = await longAfter(retaining);
  const head = (await eventsExported(curfew)).at(-1);
  const expected = `--expect ${head?.cursor}:${head?.hash}`;
  await at("2026-04-13T00:00:01Z");
  const [pruned] = eventsLogged(curfew).filter(({ event }) => event === "pruned");
  const place = `--expect ${pruned?.cursor}:${pruned?.hash}`;
  const alone = await audit(`verify ${expected}`, curfew.database);
  expect([alone.code, alone.output]).toEqual([1, expect.stringContaining("chain intact")]);
  expect(alone.errors).toMatch(/After the expected head something was deleted[\s\S]*in the log, with this hash/);
  expect(alone.errors).toContain(`pruned ${place}\n`);
  // Nor does the anchor that it names prove what is left from before it.
  const anchor = `--expect ${pruned?.through}:${pruned?.anchor}`;
  expect(await audit(`verify ${anchor}`, curfew.database)).toMatchObject({ code: 1, errors: alone.errors });
  expect(await audit(`verify ${expected} ${place}`, curfew.database)).toMatchObject({ code: 0, errors: "" });
  const other = await audit(`verify ${expected} ${place.slice(0, -4)}0000`, curfew.database);
  expect(other).toMatchObject({ code: 1, errors: expect.stringMatching(/broken .*is not the expected one/) });
});

const forgeries = {
  /** Everything before the expected head is gone. */
  pruned: async (trx: Transaction<Database>, through: TransitionTable) => {
    await trx.deleteFrom("transition").where("sequence", "<=", through.sequence).execute();
    await trx.deleteFrom("change").where("id", "=", "chg-0").execute();
    return { pruned: through.sequence, through: through.sequence, anchor: through.hash };
  },
  /** Who asked is another. */
  forgotten: async (trx: Transaction<Database>, { sequence, ...row }: TransitionTable) => {
    const content_json = row.content_json.replace("U01ALICE", "U02BOB");
    const altered = { content_json, forgotten: leftHash({ ...row, content_json }) };
    await trx.updateTable("transition").set(altered).where("sequence", "=", sequence).execute();
    await trx.updateTable("change").set({ actor_id: "U02BOB" }).where("id", "=", "chg-0").execute();
    return { pruned: 0, through: 0, anchor: beginning };
  },
};

test.each(Object.entries(forgeries))(
  "who can write to the database can forge a %s event, which an expected head shows",
  async (event, forge) => {
    const { database, one } = await manyChanges(3);
    const head = await verify(database);
    if (head.kind !== "intact") throw new Error("The history is broken.");
    await openRaw(database)
      .transaction()
      .execute(async (trx) => {
        const rows = await trx.selectFrom("transition").selectAll().orderBy("sequence").execute();
        const row = rows.find(({ sequence }) => sequence === (event === "pruned" ? 2 : 1));
        if (!row) throw new Error("The history is too short.");
        const anchor = await forge(trx, row);
        const seal = { ...anchor, ...(await sealOf(trx, anchor.through)) };
        await appendTransition(trx, { state: event, at: noon, facts: { event: { actor: "curfew", ...seal } } });
      });
    await one.begin(aChange({ id: "chg-after" }));
    // By itself the history looks right.
    expect(await audit("verify", database)).toMatchObject({ code: 0, errors: "" });
    const { code, errors } = await audit(`verify --expect ${head.length}:${head.hash}`, database);
    expect([code, errors]).toEqual([1, expect.stringContaining(`${event} --expect ${head.length + 1}:`)]);
  },
);

test("finds what was altered among the entries kept from before the anchor, and an anchor set further", async () => {
  const { curfew, at } = await longAfter(retaining);
  await at("2026-04-14T00:00:01Z");
  const db = openRaw(curfew.database);
  const [first] = await db.selectFrom("transition").selectAll().orderBy("sequence").limit(1).execute();
  expect(first?.state).toBe("config-in-force");
  await db
    .deleteFrom("transition")
    .where("sequence", "=", first?.sequence ?? 0)
    .execute();
  expect(await verify(curfew.database)).toMatchObject({
    kind: "broken",
    reason: expect.stringMatching(/left from before the anchor/),
  });
});

test("one night takes at most 31 days of it away, though the clock is years ahead", async () => {
  const { curfew, at, ended } = await longAfter(retaining);
  await at("2026-03-20T10:00:00Z");
  const { changeId } = await ask(curfew, "alice", "exclude i-0a1 for 1h");
  await at("2029-01-01T00:00:01Z");
  const left = await seen(curfew.database);
  expect([left.includes(ended.changeId), left.includes(changeId)]).toEqual([false, true]);
  await at("2029-01-02T00:00:01Z");
  expect(await seen(curfew.database)).not.toContain(changeId);
  expect(await verify(curfew.database)).toMatchObject({ kind: "intact" });
});

test("a reload changes what the next night keeps", async () => {
  const { curfew, at, ended } = await longAfter(unlimitedConfig);
  await reload(curfew, retaining);
  await at("2026-04-14T00:00:01Z");
  expect(await seen(curfew.database)).not.toContain(ended.changeId);
});

/** Changes by two instances, in the first days of the year. */
async function manyChanges(count = 300) {
  const database = await newDatabase();
  const now = () => Date.parse("2026-06-01T00:00:01Z");
  const [one, other] = [await openTestStore(database, { now }), await openTestStore(database, { now })];
  for (let index = 0; index < count; index++) {
    const [id, at] = [`chg-${index}`, Date.parse("2026-01-01T00:00:00Z") + index * minuteMs];
    await one.begin(aChange({ id, requestedAt: at }));
    await one.settle(id, aSettlement({ subjectId: `ae-${index}`, settledAt: at + 1000 }));
  }
  return { database, one, other, before: now() - 90 * 24 * hourMs };
}

test("two instances prune while changes go on, and no entry is missing or there twice", async () => {
  const { database, one, other, before } = await manyChanges();
  let isOver = false;
  const pruned = Promise.all([one, other].map((each) => each.pruneHistory(before))).finally(() => {
    isOver = true;
  });
  let made = 0;
  while (!isOver)
    await other.begin(aChange({ id: `chg-new-${made++}`, idempotencyKey: `new-${made}`, requestedAt: before }));
  await pruned;
  expect((await seen(database)).filter((id) => !id.startsWith("chg-new"))).toEqual([]);
  const check = await verify(database);
  expect(check).toMatchObject({ kind: "intact", anchor: { pruned: 600, kept: 0 } });
});

test("a piece that is ended in its middle leaves a whole history, and is done the next time", async () => {
  const { database, one, before } = await manyChanges();
  await execute(database, "create table held (id text references change (id))");
  await execute(database, "insert into held values ('chg-290')");
  await expect(one.pruneHistory(before)).rejects.toThrow();
  expect(await verify(database)).toMatchObject({ kind: "intact", anchor: { pruned: 500 } });
  await execute(database, "drop table held");
  await one.pruneHistory(before);
  expect(await verify(database)).toMatchObject({ kind: "intact", anchor: { pruned: 600 } });
});
