import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createSeedAccount } from "../../src/sandbox/service/seed-account.ts";
import { defaultSeed } from "../../src/sandbox/workspace/default-seed.ts";
import { forgetPerson } from "../../src/store/forget-person.ts";
import { leftHash } from "../../src/store/history/history-chain.ts";
import { aChange, aSettlement } from "../changes/build.ts";
import { runWithArgs } from "../cli/run-with-args.ts";
import { openRaw, verify } from "../store/history-file.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { askFor, press, usersNeedAnAdmin } from "../support/approval-journey.ts";
import { eventsExported } from "../support/audit-events.ts";
import { createClock } from "../support/clock.ts";
import { execute } from "../support/execute.ts";
import { ask, textOf } from "../support/journey.ts";
import { newDatabase, urlOf } from "../support/new-database.ts";
import { isOnPostgres } from "../support/on-postgres.ts";
import { passTo } from "../support/pass-to.ts";
import { startCurfew } from "../support/start-curfew.ts";

const zora = { id: "U09ZORA", account: "u-00000009", name: "Zora Quibblewick", email: "zora@quibblewick.example" };
const without = usersNeedAnAdmin;
const config = without.replace("members: [S0ENGINEERS]", "members: [S0ENGINEERS, U09ZORA]");
const seed = {
  ...defaultSeed,
  people: [
    ...defaultSeed.people,
    {
      id: zora.id,
      handle: "zora",
      realName: zora.name,
      displayName: zora.name,
      email: zora.email,
      tz: "Europe/Berlin",
    },
  ],
  channels: defaultSeed.channels.map((channel) => ({ ...channel, members: [...channel.members, "zora"] })),
};

/** Whatever may be left of her: her name in any case, her address, and what she and others wrote. */
const traces = ["quibblewick", "grandmother", "sabbatical", "wanders off"];

/** Curfew as zora used it, 40 days ago. */
async function afterZora() {
  const startAt = Date.now() - 41 * 24 * 3_600_000;
  const clock = createClock(startAt);
  const account = createSeedAccount(startAt);
  const [user] = account.users.values();
  if (!user) throw new Error("The account has no user.");
  account.users.set(zora.account, { ...user, userId: zora.account, username: zora.name, emailAddress: zora.email });
  const curfew = await startCurfew({ config, seed, account, now: clock.now, elapsedMs: clock.elapsedMs });
  onTestFinished(() => curfew.stop());
  const env = { DATABASE_URL: urlOf(curfew.database), CURFEW_CONFIG: "curfew.yaml" };
  await runWithArgs(["directory", "import", "users.csv"], {
    ...{ env, files: { "users.csv": `id,name,email\n${zora.account},${zora.name},${zora.email}\n` } },
  });
  const own = await ask(curfew, "zora", "exclude i-0a1 for 2h because my grandmother visits");
  const extended = await ask(curfew, "alice", "exclude i-0a2 for 2h because Zora Quibblewick asked me");
  const disabled = await askFor(curfew, "bob", `user disable ${zora.email} because on sabbatical`);
  await press(curfew, "carol", "Approve", disabled.card);
  const enabled = await askFor(curfew, "bob", `user enable ${zora.email} because she wanders off no more`);
  await press(curfew, "carol", "Approve", enabled.card);
  await passTo(curfew, clock, new Date(startAt + 3 * 3_600_000).toISOString());
  return { curfew, clock, startAt, env, own, extended, enabled };
}
type Scene = Awaited<ReturnType<typeof afterZora>>;

const forget = ({ env }: Scene, line: string, text = without) =>
  runWithArgs(["person", "forget", ...line.split(" ")], { env, files: { "curfew.yaml": text } });

/** All bytes of the database: the file and its log, or a dump. */
function bytesOf(database: string): string {
  if (isOnPostgres) return execFileSync("pg_dump", ["--inserts", database], { encoding: "latin1", maxBuffer: 2 ** 28 });
  return [database, `${database}-wal`]
    .filter(existsSync)
    .map((file) => readFileSync(file, "latin1"))
    .join("");
}

const tracesIn = (text: string) => traces.filter((trace) => text.toLowerCase().includes(trace));

test("a person's names, addresses, reasons and notes are gone from every byte, and the history is still proven", async () => {
  const scene = await afterZora();
  const { curfew, own, enabled, extended } = scene;
  await curfew.app.stop();
  // Sealed, it would be as readable to whoever has the bot's token.
  await execute(curfew.database, `insert into people_list values (1, 1, 1, 'sabbatical')`);
  expect(tracesIn(bytesOf(curfew.database))).toEqual(traces);
  const before = await eventsExported(curfew);
  const trial = await forget(scene, `${zora.id} ${zora.email}`);
  expect([trial.code, trial.errors]).toEqual([0, ""]);
  expect(trial.output).toMatch(
    /would be unreadable for ever: .*Zora Quibblewick[\s\S]*C0OPS[\s\S]*\nNothing was changed\. Add --yes/,
  );
  expect(tracesIn(bytesOf(curfew.database))).toEqual(traces);

  const done = await forget(scene, `${zora.id} ${zora.email} --yes`);
  expect([done.code, done.errors]).toEqual([0, ""]);
  expect(tracesIn(done.output)).toEqual([]);
  expect(tracesIn(bytesOf(curfew.database))).toEqual([]);
  const exported = await Promise.all(
    ["export", "export --format csv", "export --after 0"].map((line) =>
      runWithArgs(["audit", ...line.split(" ")], { env: scene.env }),
    ),
  );
  for (const { code, output } of exported) expect([code, tracesIn(output)]).toEqual([0, []]);

  // Who did what to what, and when, is as it was, with the same hashes; and that somebody was forgotten is the last entry.
  const after = await eventsExported(curfew);
  expect(after.slice(0, -1)).toEqual(before);
  expect(after.at(-1)).toMatchObject({ event: "forgotten", actor: "operator:forget", person: [zora.id, zora.account] });
  const check = await verify(curfew.database, { length: before.length, hash: before.at(-1)?.hash ?? "" });
  expect(check).toMatchObject({ kind: "intact", unproven: 0, forgotten: expect.any(Number) });

  await curfew.restart({}, without);
  const history = await ask(curfew, "carol", `history ${own.changeId}`);
  expect(history.text).toContain("(forgotten)");
  expect((await ask(curfew, "carol", "history")).text).toContain("a forgotten person");
  expect((await ask(curfew, "alice", `history ${extended.changeId}`)).text).toContain("a forgotten person asked me");
  expect((await ask(curfew, "carol", `undo ${enabled.changeId}`)).text).toMatch(
    /a text of a person who was forgotten|user/,
  );
  expect((await ask(curfew, "carol", "user list")).text).not.toContain("Quibblewick");
  expect((await ask(curfew, "zora", "whoami")).text).toContain("*Service user*\nnot known");
  expect(textOf((await ask(curfew, "zora", "mine")).message)).not.toContain("grandmother");
});

test("nobody is forgotten while something of theirs is open, or was made in the last 30 days, or the config names them", async () => {
  const scene = await afterZora();
  const { curfew, clock } = scene;
  await passTo(curfew, clock, new Date(Date.now()).toISOString());
  const { exclusionId, changeId } = await ask(curfew, "zora", "exclude i-0a3 for 2h because of a test");
  const beside = await forget(scene, `${zora.id} --yes`);
  const why = isOnPostgres ? /is open|of the last 30 days/ : /Another Curfew is running on .*stop that one first/;
  expect([beside.code, beside.errors]).toEqual([1, expect.stringMatching(why)]);
  await curfew.app.stop();
  const refused = await forget(scene, `${zora.id} ${zora.email} --yes`, config);
  expect([refused.code, refused.output]).toEqual([1, ""]);
  expect(refused.errors).toContain(`change ${changeId} is of the last 30 days`);
  expect(refused.errors).toContain(`exclusion ${exclusionId} is running`);
  expect(refused.errors).toMatch(/curfew\.yaml:\d+ names them: take that out, and reload/);
  expect(tracesIn(bytesOf(curfew.database))).toEqual(traces);
});

test("a name, or the address of several accounts, is asked about by ids, and nobody is forgotten", async () => {
  const { database, env } = await withTwoWanjas();
  const before = await openRaw(database).selectFrom("transition").selectAll().execute();
  const forgetWanja = (...line: string[]) =>
    runWithArgs(["person", "forget", ...line], { env, files: { "curfew.yaml": without } });
  for (const [word, ids] of [
    ["wanja", "u-00000011 or u-00000012 or U0WANJA"],
    ["Wanja Miller", "u-00000011 or U0WANJA"],
    ["desk@example.com", "u-00000012 or u-00000013"],
  ] as const) {
    const { code, output, errors } = await forgetWanja(word, "--yes");
    expect([code, output]).toEqual([1, ""]);
    const asked = `  ${word} may be ${ids}: name the ids of the one you mean\n`;
    expect(errors).toBe(`They cannot be forgotten yet, and nothing was changed:\n${asked}`);
  }
  const nobody = await forgetWanja("u-99999999", "--yes");
  expect([nobody.code, nobody.errors]).toEqual([1, expect.stringContaining("nothing here is about them")]);
  expect(await openRaw(database).selectFrom("transition").selectAll().execute()).toEqual(before);

  const trial = await forgetWanja("U0WANJA", "u-00000011", "wanja");
  expect(trial.output).toContain("Others have these names too, so they stay in what is not theirs: wanja.");
  const done = await forgetWanja("U0WANJA", "u-00000011", "wanja", "--yes");
  expect([done.code, done.errors]).toEqual([0, ""]);
  const rows = await openRaw(database).selectFrom("change").select(["actor_name", "reason"]).orderBy("id").execute();
  expect(rows).toEqual([
    { actor_name: "a forgotten person", reason: "(forgotten)" },
    { actor_name: "Alice", reason: "wanja smith and a forgotten person asked" },
  ]);
  const [, head = ""] = /head (\d+:[0-9a-f]{64})/.exec(done.output) ?? [];
  expect(await runWithArgs(["audit", "verify", "--expect", head], { env })).toMatchObject({ code: 0, errors: "" });
});

/** Two users who are called Wanja, one of them known from Slack too, and two with one address. */
async function withTwoWanjas() {
  const database = await newDatabase();
  const at = Date.now() - 40 * 24 * 3_600_000;
  const store = await openTestStore(database, { now: () => at });
  const { actor } = aChange();
  for (const [id, by, reason] of [
    ["chg-1", { ...actor, userId: "U0WANJA", name: "Wanja Miller" }, "a demo"],
    ["chg-2", { ...actor, name: "Alice" }, "wanja smith and Wanja Miller asked"],
  ] as const) {
    await store.begin(aChange({ id, idempotencyKey: id, actor: by, reason, requestedAt: at }));
    await store.settle(id, aSettlement({ subjectId: `ae-${id}`, settledAt: at }));
  }
  await store.close();
  const env = { DATABASE_URL: urlOf(database), CURFEW_CONFIG: "curfew.yaml" };
  const rows = [
    "u-00000011,Wanja Miller,wanja@example.com",
    "u-00000012,Wanja Smith,desk@example.com",
    "u-00000013,Carol Smith,desk@example.com",
  ];
  for (const row of rows) {
    const imported = await runWithArgs(["directory", "import", "users.csv"], {
      ...{ env, files: { "users.csv": `id,name,email\n${row}\n` } },
    });
    expect(imported).toMatchObject({ code: 0, errors: "" });
  }
  return { database, env };
}

test("texts that are facts elsewhere stay there, and names that others have too stay theirs", async () => {
  const database = await newDatabase();
  const at = Date.now() - 40 * 24 * 3_600_000;
  const store = await openTestStore(database, { now: () => at });
  const mallory = { ...aChange().actor, userId: "U0MALLORY", name: "Bob" };
  const request = {
    name: "test",
    note: ["test", "x"],
    tags: ["test"],
    resourceIds: ["i-0test", "#0"],
    because: { of: "test" },
  };
  const by = (id: string, actor: typeof mallory, reason: string) =>
    aChange({ id, idempotencyKey: id, actor, reason, request, input: request, requestedAt: at });
  for (const change of [by("chg-1", mallory, "test"), by("chg-2", { ...mallory, userId: "U02BOB" }, "test for Bob")]) {
    await store.begin(change);
    const note = "the service said “test”";
    await store.settle(change.id, aSettlement({ subjectId: `ae-${change.id}`, settledAt: at, answer: request, note }));
  }
  await store.close();
  const before = await openRaw(database).selectFrom("transition").select("content_json").orderBy("sequence").execute();
  const done = await forgetPerson(database, ["U0MALLORY"], false);
  expect(done).toMatchObject({ obstacles: [], names: ["Bob"], entries: 2 });
  expect(await verify(database)).toMatchObject({ kind: "intact", forgotten: 2, unproven: 0 });
  const db = openRaw(database);
  const after = await db.selectFrom("transition").select("content_json").orderBy("sequence").execute();
  expect(after.slice(0, -1)).toEqual(before);
  const rows = await db.selectFrom("change").selectAll().orderBy("id").execute();
  expect(rows.map(({ actor_name: name, reason }) => [name, reason])).toEqual([
    ["a forgotten person", "(forgotten)"],
    ["Bob", "test for Bob"],
  ]);
  expect(JSON.parse(rows[0]?.request_json ?? "")).toMatchObject({ tags: ["test"], resourceIds: ["i-0test", "#0"] });
});

test("an altered history is not made to look right by forgetting somebody, or by pruning", async () => {
  const scene = await afterZora();
  const { curfew } = scene;
  await curfew.app.stop();
  const db = openRaw(curfew.database);
  const [row] = await db.selectFrom("transition").selectAll().where("change_id", "is not", null).limit(1).execute();
  const content_json = row?.content_json.replace(zora.id, "U03CAROL") ?? "";
  const forgotten = leftHash({ content_json, texts_json: row?.texts_json ?? null });
  await db
    .updateTable("transition")
    .set({ content_json, forgotten })
    .where("sequence", "=", row?.sequence ?? 0)
    .execute();
  const { code, errors } = await forget(scene, `${zora.id} ${zora.email} --yes`);
  expect([code, errors]).toEqual([1, expect.stringMatching(/The history is broken.*seal/)]);
  const store = await openTestStore(curfew.database, { now: Date.now });
  await expect(store.pruneHistory(Date.now())).rejects.toThrow(/history is broken, so nothing is pruned/);
});
