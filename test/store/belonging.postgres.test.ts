import { sql } from "kysely";
import { expect, test } from "vitest";
import { atDatabase } from "../../src/store/tables/instance-table.ts";
import { newDatabase } from "../support/new-database.ts";
import { openRaw } from "./history-file.ts";
import { openTestStore } from "./open-test-store.ts";

test("a new account needs a start while no other instance runs, which would not know it", async () => {
  const database = await newDatabase("empty");
  const [first, second] = [await openTestStore(database), await openTestStore(database)];
  await (await first.fitAccounts({}, 0))();
  await first.beat();
  const accounts = { eu: { url: "https://eu.example.com" } };
  const beating = setInterval(() => void first.beat(), 200);
  await expect(second.fitAccounts(accounts, 0)).rejects.toThrow("Another Curfew runs on this database");
  clearInterval(beating);
  await (await second.fitAccounts({}, 0))();
  await first.leave();
  await (await second.fitAccounts(accounts, 0))();
  const moved = { eu: { url: "https://new.example.com" } };
  await expect(first.fitAccounts(moved, 0)).rejects.toThrow("was at https://eu.example.com");
  await (await first.fitAccounts({ eu: { ...moved.eu, was: accounts.eu.url } }, 0))();
  await first.fitAccounts(moved, 0);
  // Nothing of it runs or waits, so it may be left out. Its name is still its own.
  await (await first.fitAccounts({}, 0))();
  await expect(first.fitAccounts({ eu: accounts.eu }, 0)).rejects.toThrow("was at https://new.example.com");
});

test("a new account waits for an instance that was killed, which is no other Curfew that runs", async () => {
  const database = await newDatabase("empty");
  const store = await openTestStore(database);
  const seen_at = sql<number>`${atDatabase} - 28500`;
  await openRaw(database).insertInto("instance").values({ id: "killed", seen_at }).execute();
  await (await store.fitAccounts({ eu: { url: "https://eu.example.com" } }, 0))();
});

test("two instances that start together with a new account do not take each other for one without it", async () => {
  const database = await newDatabase("empty");
  const [first, second] = [await openTestStore(database), await openTestStore(database)];
  const accounts = { eu: { url: "https://eu.example.com" } };
  const begin = async (store: typeof first) => {
    await (await store.fitAccounts(accounts, 0))();
    await store.beat();
  };
  const raw = openRaw(database);
  // Both of the former ones were killed, so each waits while the other starts.
  const seen_at = sql<number>`${atDatabase} - 28500`;
  await raw
    .insertInto("instance")
    .values(["one", "other"].map((id) => ({ id, seen_at })))
    .execute();
  await Promise.all([begin(first), begin(second)]);
  expect(await raw.selectFrom("belonging").selectAll().execute()).toEqual([
    { name: "account eu", value: accounts.eu.url },
  ]);
});
