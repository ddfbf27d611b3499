import { setTimeout as pass } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { openRaw } from "../store/history-file.ts";
import { askFor, configWith, press } from "../support/approval-journey.ts";
import { createGatedService } from "../support/gated-service.ts";
import { ask, changesSentTo } from "../support/journey.ts";
import { createSignal } from "../support/signal.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";

const nothingDone = "Nothing was done";
let curfew: Curfew;
beforeEach(async () => {
  curfew = await startCurfew({ config: configWith("{ operations: [ModifyUser], approvers: [admin] }") });
});
afterEach(() => curfew.stop());

/** Makes the database commit receipts but hold back its answer until the test releases it. */
async function withSlowReceipts(): Promise<() => void> {
  const answer = createSignal();
  await curfew.restart({
    openStore: async (...given) => {
      const store: Store = await openStore(...given);
      const receive: Store["receive"] = async (receipt) => {
        await store.receive(receipt);
        await answer.given;
      };
      return { ...store, receive };
    },
  });
  return answer.give;
}

const states = async (): Promise<readonly string[]> => {
  const rows = await openRaw(curfew.database).selectFrom("change").select(["words", "state"]).execute();
  return rows.map(({ words, state }) => `${words} ${state}`);
};
const receipts = () => openRaw(curfew.database).selectFrom("receipt").select("id").execute();

it.each([
  ["a change", "alice", "exclude i-0a1 for 1h"],
  ["a change that needs an approval", "bob", "user disable dave@example.com"],
  ["a group", "alice", "group save night i-0a1"],
])("%s whose receipt is confirmed late is not made", async (_what, who, line) => {
  const confirm = await withSlowReceipts();
  const sent = changesSentTo(curfew);
  const startedAt = performance.now();
  expect((await ask(curfew, who, line)).text).toContain(nothingDone);
  expect(performance.now() - startedAt).toBeLessThan(3000);
  confirm();
  await expect.poll(receipts, { timeout: 10_000 }).toEqual([]);
  await curfew.app.idle();
  expect(sent()).toEqual([]);
  expect(await states()).toEqual([]);
});

it("a line whose receipt is confirmed late leaves nothing that another process could make, if this one dies", async () => {
  const confirm = await withSlowReceipts();
  expect((await ask(curfew, "alice", "exclude i-0a1 for 1h")).text).toContain(nothingDone);
  expect(await receipts()).toEqual([]);
  confirm();
});

it("a receipt that the database did not delete is deleted as soon as it does", async () => {
  let failures = 2;
  await curfew.restart({
    openStore: async (...given) => {
      const store: Store = await openStore(...given);
      const closeReceipt: Store["closeReceipt"] = async (id) => {
        failures -= 1;
        if (failures >= 0) throw new Error("connection lost");
        await store.closeReceipt(id);
      };
      return { ...store, closeReceipt };
    },
  });
  expect((await ask(curfew, "bob", "exclude staging for 1h")).text).toContain("Nothing was changed");
  await expect.poll(receipts, { timeout: 10_000 }).toEqual([]);
  expect(failures).toBe(-1);
});

it("an approval whose receipt is confirmed late is not given", async () => {
  const { card } = await askFor(curfew, "bob", "user disable dave@example.com");
  const confirm = await withSlowReceipts();
  const sent = changesSentTo(curfew);
  expect((await press(curfew, "carol", "Approve", card)).text).toContain(nothingDone);
  confirm();
  await expect.poll(receipts, { timeout: 10_000 }).toEqual([]);
  expect(await states()).toEqual(["user disable awaiting-approval"]);
  expect(sent()).toEqual([]);
});

it("a change that waits for another of the same target is made, however long that takes", async () => {
  const { exclusionId } = await ask(curfew, "alice", "exclude i-0a1 for 1h");
  await curfew.app.idle();
  const gated = createGatedService(curfew.service);
  await curfew.restart({ service: gated.client });
  const sent = changesSentTo(curfew);
  const lines = [2, 3].map((hours) => `/curfew exclusion extend ${exclusionId} for ${hours}h`);
  for (const line of lines) await curfew.workspace.as("carol").type(line, "ops");
  await gated.reached;
  await pass(3000);
  gated.open();
  await curfew.app.idle();
  expect(sent()).toEqual(["ModifyActionExclusion", "ModifyActionExclusion"]);
});
