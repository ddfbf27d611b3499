import { expect, test } from "vitest";
import { newDatabase } from "../support/new-database.ts";
import { openTestStore } from "./open-test-store.ts";

test("a new account needs a start while no other instance runs, which would not know it", async () => {
  const database = await newDatabase("empty");
  const [first, second] = [await openTestStore(database), await openTestStore(database)];
  await first.fitAccounts({});
  await first.beat();
  const accounts = { eu: { url: "https://eu.example.com" } };
  await expect(second.fitAccounts(accounts)).rejects.toThrow("Another Curfew runs on this database");
  await expect(second.fitAccounts({})).resolves.toBeUndefined();
  await first.leave();
  await second.fitAccounts(accounts);
  await expect(first.fitAccounts({})).rejects.toThrow("things of the account “eu”");
  await first.fitAccounts(accounts);
});
