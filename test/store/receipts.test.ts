import { expect, test } from "vitest";
import type { Receipt } from "../../src/changes/receipts.ts";
import { aChange, noon } from "../changes/build.ts";
import { execute } from "../support/execute.ts";
import { newDatabase } from "../support/new-database.ts";
import { openRaw, verify } from "./history-file.ts";
import { openTestStore } from "./open-test-store.ts";

const receipt: Receipt = {
  ...{ id: "view:V1", kind: "form", words: "exclusion create", userId: "U03CAROL", channelId: null, receivedAt: noon },
};
const receiptsIn = (database: string) => openRaw(database).selectFrom("receipt").select(["id", "instance"]).execute();

test("an instance that others took for gone records nothing for a request that another has taken", async () => {
  const database = await newDatabase();
  const store = await openTestStore(database);
  await store.receive(receipt);
  await execute(database, "update receipt set instance = 'another'");
  await expect(store.begin(aChange(), { receiptId: receipt.id })).rejects.toThrow("another instance has taken over");
  expect(await store.find("chg-1")).toBeUndefined();
  expect(await verify(database)).toMatchObject({ length: 0 });
  await store.closeReceipt(receipt.id);
  await store.endReceipt(receipt.id);
  await store.leaveReceipt(receipt.id);
  expect(await receiptsIn(database)).toEqual([{ id: receipt.id, instance: "another" }]);
});

test("a request that is delivered again is handled by the instance that got it last", async () => {
  const database = await newDatabase();
  const store = await openTestStore(database);
  await store.receive(receipt);
  await execute(database, "update receipt set instance = 'another'");
  await Promise.all([store.receive(receipt), store.receive(receipt)]);
  expect(await store.begin(aChange(), { receiptId: receipt.id })).toBeUndefined();
});

test("a request that is left to the next round counts as handled once", async () => {
  const database = await newDatabase();
  const store = await openTestStore(database);
  await store.receive(receipt);
  for (let round = 0; round < 3; round++) {
    await store.leaveReceipt(receipt.id);
    expect(await store.takeAbandonedReceipts()).toMatchObject([{ id: receipt.id }]);
    expect(await store.beginReceipt(receipt.id)).toBe(1);
  }
});

test("a request that was taken but not begun when an instance ended is not counted as tried by it", async () => {
  const database = await newDatabase();
  const store = await openTestStore(database);
  await store.receive(receipt);
  const lose = () => execute(database, "update receipt set instance = ''");
  for (let round = 0; round < 3; round++) {
    await lose();
    expect(await store.takeAbandonedReceipts()).toMatchObject([{ id: receipt.id }]);
  }
  expect(await store.beginReceipt(receipt.id)).toBe(2);
  await lose();
  expect(await store.beginReceipt(receipt.id)).toBeUndefined();
});
