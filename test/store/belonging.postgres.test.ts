import { expect, test } from "vitest";
import { newDatabase } from "../support/new-database.ts";
import { openTestStore } from "./open-test-store.ts";

test("a new account needs a start while no other instance runs, which would not know it", async () => {
  const database = await newDatabase("empty");
  const [first, second] = [await openTestStore(database), await openTestStore(database)];
  await (await first.fitAccounts({}, 0))();
  await first.beat();
  const accounts = { eu: { url: "https://eu.example.com" } };
  await expect(second.fitAccounts(accounts, 0)).rejects.toThrow("Another Curfew runs on this database");
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
