import { expect, it } from "vitest";
import { createReceipts, type HeardStore, type Receipt, type ReceiptStore } from "../../src/changes/receipts.ts";
import { createLogger } from "../../src/observability/log.ts";

const line: Receipt = {
  ...{ id: "command:1", kind: "line", words: "exclusion create", userId: "U01ALICE", channelId: null, receivedAt: 0 },
};

/** Notes what it is asked to write. */
function openStore(receive: () => Promise<void> = async () => undefined) {
  const written: string[] = [];
  const store: ReceiptStore & HeardStore = {
    receive: (receipt) => {
      written.push(`receive ${receipt.id}`);
      return receive();
    },
    closeReceipt: async (id) => void written.push(`close ${id}`),
    endReceipt: async () => undefined,
    leaveReceipt: async () => undefined,
    ownsReceipt: async () => true,
    takeAbandonedReceipts: async () => [],
    beginReceipt: async () => undefined,
    hearMessage: () => Promise.reject(new Error("no database")),
    answeredMessage: async () => undefined,
    forgetMessage: async () => undefined,
  };
  return { written, receipts: createReceipts(store, createLogger({ level: "silent" })) };
}

it("records a request that has just arrived", async () => {
  const { receipts, written } = openStore();
  await receipts.record(line, performance.now());
  expect(written).toEqual(["receive command:1"]);
});

it("does not record a request any more that was read too late, since its requester learns that nothing was done", async () => {
  const { receipts, written } = openStore();
  await expect(receipts.record(line, performance.now() - 2200)).rejects.toThrow("did not take a request in time");
  expect(written).toEqual([]);
});

it("takes back what the database may have recorded, before the requester learns that nothing was done", async () => {
  const { receipts, written } = openStore(() => new Promise(() => undefined));
  await expect(receipts.record(line, performance.now() - 2050)).rejects.toThrow("did not take a request in time");
  expect(written).toEqual(["receive command:1", "close command:1"]);
});

it("answers a message twice rather than never where the database does not say whether it was answered", async () => {
  expect(await openStore().receipts.hear("mention:C0OPS:1.000001")).toBe(true);
});
