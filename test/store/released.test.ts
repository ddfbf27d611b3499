import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { describe, expect, it, onTestFinished, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { forgetPerson } from "../../src/store/forget-person.ts";
import { leftHash } from "../../src/store/history/history-chain.ts";
import { openStore } from "../../src/store/open-store.ts";
import { cardSaying, press, usersNeedAnAdmin } from "../support/approval-journey.ts";
import { callLine } from "../support/as-caller.ts";
import { createClock } from "../support/clock.ts";
import { execute } from "../support/execute.ts";
import { ask, cardsIn, changesSentTo, textOf } from "../support/journey.ts";
import { makeDatabase, newDatabase, type TestDatabase } from "../support/new-database.ts";
import { isOnPostgres } from "../support/on-postgres.ts";
import { passTo } from "../support/pass-to.ts";
import { startCurfew } from "../support/start-curfew.ts";
import { openRaw, verify } from "./history-file.ts";
import { schemaOf } from "./schema-of.ts";

const folder = "test/fixtures/databases";
const versions = [...new Set(readdirSync(folder).map((name) => name.replace(/\.sql(ite)?\.gz$/, "")))];

/** A copy of the database that a released version left, with work in flight (test/support/store-version.ts). */
async function leftBy(version: string): Promise<TestDatabase> {
  const made = await makeDatabase("empty");
  const { database } = made;
  const content = gunzipSync(readFileSync(`${folder}/${version}.${isOnPostgres ? "sql" : "sqlite"}.gz`));
  if (isOnPostgres) {
    const client = new pg.Client(database);
    await client.connect();
    // Lines that begin with a backslash are for psql.
    await client.query(content.toString().replace(/^\\.*$/gm, ""));
    await client.end();
  } else {
    mkdirSync(dirname(database), { recursive: true });
    writeFileSync(database, content);
  }
  return made;
}

async function startOn(on: TestDatabase) {
  const clock = createClock(Date.parse("2026-11-25T10:50:00Z"));
  const { now, elapsedMs } = clock;
  const curfew = await startCurfew({ config: usersNeedAnAdmin, on, now, elapsedMs });
  onTestFinished(() => curfew.stop());
  return { clock, curfew };
}

test("there is a stored database of this version: `npm run fixture` makes it", () => {
  expect(versions).toContain(packageJson.version);
});

describe.each(versions)("a database of version %s", (version) => {
  it("goes on where it was", async () => {
    const on = await leftBy(version);
    const head = await openRaw(on.database).selectFrom("history_head").selectAll().executeTakeFirstOrThrow();
    const { clock, curfew } = await startOn(on);
    const { workspace, service } = curfew;
    const sent = changesSentTo(curfew);
    const card = (part: string) =>
      workspace.waitFor(() => cardsIn(workspace, "ops").find(({ text }) => text.includes(part)), { what: part });

    // The messages that waited, and what they offer.
    await press(curfew, "carol", "Approve", await card("bob wanted to disable dave"));
    expect(sent()).toEqual(["ModifyUser"]);
    const exclusion = await card("alice kept staging running");
    // A pipeline's request that comes again, and what was performed when that version ended.
    await callLine(curfew, "exclude i-0b4d1c9e7f2a63508 for 1h", { key: "build-7" });
    expect(sent()).toEqual(["ModifyUser"]);
    await card("carol wanted to keep i-0c5d1c9e7f2a63508 running (unknown)");
    expect((await ask(curfew, "alice", "group list")).text).toContain("batch");
    expect((await ask(curfew, "carol", "history")).text).toContain("she left");

    // The jobs.
    const reminders = () => workspace.as("alice").messages("dm").map(textOf);
    await passTo(curfew, clock, "2026-11-25T12:15:00Z");
    expect(reminders()).toContainEqual(expect.stringContaining("keeping *staging* running until"));
    await passTo(curfew, clock, "2026-11-25T12:45:00Z");
    await cardSaying(curfew, exclusion, ":white_circle:");
    await passTo(curfew, clock, "2026-11-26T17:00:01Z");
    expect([...service.account.exclusions.values()].at(-1)?.expiryDate).toBe("2026-11-26T21:00:00.000Z");

    expect(await verify(curfew.database, head)).toMatchObject({ kind: "intact" });
  });

  // From 1.1.0 on the texts are apart from what the hashes cover (journeys/forgotten).
  const itsHashesCoverTexts = ["0.1.0", "1.0.0"].includes(version);
  if (itsHashesCoverTexts)
    it("forgets a person whose text its hashes cover: they stay, and what is left is proven from then on", async () => {
      const on = await leftBy(version);
      const { clock, curfew } = await startOn(on);
      const plans = openRaw(on.database).selectFrom("change").select("id").where("state", "=", "planned");
      for (const { id } of await plans.execute()) await ask(curfew, "alice", `withdraw ${id}`);
      await passTo(curfew, clock, "2026-11-28T10:50:00Z");
      await curfew.app.stop();
      const entries = () => openRaw(on.database).selectFrom("transition").selectAll().orderBy("sequence").execute();
      const before = await entries();
      const ids = ["U01ALICE", "alice@example.com"];
      const done = await forgetPerson(on.database, ids, false, Date.parse("2027-02-01T00:00:00Z"));
      expect(done).toMatchObject({ obstacles: [], ids: ["U01ALICE", "u-00000002"] });
      const after = await entries();
      expect(after.slice(0, -1).map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
      expect(JSON.stringify(after)).not.toMatch(/alice|she left|rehearsal|load test/);
      const head = before.at(-1);
      expect(await verify(on.database, { length: before.length, hash: head?.hash ?? "" })).toMatchObject({
        kind: "intact",
      });
      expect((await verify(on.database)).kind === "intact" && (await verify(on.database))).toMatchObject({
        unproven: after.filter(({ forgotten, texts_json: apart }) => forgotten !== null && apart === null).length,
      });
      const [old] = after.filter(({ texts_json: apart, forgotten }) => apart === null && forgotten !== null);
      const altered = old?.content_json.replace("U01ALICE", "U02BOB") ?? "";
      await openRaw(on.database)
        .updateTable("transition")
        .set({ content_json: altered })
        .where("sequence", "=", old?.sequence ?? 0)
        .execute();
      expect(await verify(on.database)).toMatchObject({ kind: "broken", sequence: old?.sequence });
      const forgotten = leftHash({ content_json: altered, texts_json: null });
      await openRaw(on.database)
        .updateTable("transition")
        .set({ forgotten })
        .where("sequence", "=", old?.sequence ?? 0)
        .execute();
      expect(await verify(on.database)).toMatchObject({ kind: "broken", reason: expect.stringContaining("seal") });
    });

  it("has the same tables as a new one", async () => {
    const { database, remove } = await leftBy(version);
    onTestFinished(remove);
    const fresh = await newDatabase("empty");
    for (const each of [database, fresh]) await (await openStore(each)).close();
    expect(await schemaOf(database)).toEqual(await schemaOf(fresh));
  });
});

test("a history of before 1.0 that was altered is refused, and stays", async () => {
  const { database, remove } = await leftBy("0.1.0");
  onTestFinished(remove);
  await execute(database, "update change set reason = 'another' where reason = 'she left'");
  const before = await schemaOf(database);
  await expect(openStore(database)).rejects.toMatchObject({
    code: "BrokenHistory",
    message: expect.stringMatching(/broken at transition 2 .*altered: reason\. Nothing was changed: restore a backup/),
  });
  expect(await schemaOf(database)).toEqual(before);
});
