import { setTimeout as pass } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { openRaw } from "../store/history-file.ts";
import { askFor, configWith, press } from "../support/approval-journey.ts";
import { createGatedService } from "../support/gated-service.ts";
import { ask, cardOf, changesSentTo, exclusionIdIn, nowOf, textOf } from "../support/journey.ts";
import { createSignal } from "../support/signal.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";

const nothingDone = "Nothing was done";
let curfew: Curfew;
beforeEach(async () => {
  curfew = await startCurfew({ config: configWith("{ operations: [ModifyUser], approvers: [admin] }") });
});
afterEach(() => curfew.stop());

/** Makes the database commit matching records but hold back its answer until the test releases it. */
async function withSlowCommits(method: "begin" | "decide"): Promise<() => void> {
  const answer = createSignal();
  const slowly = <A extends unknown[], R>(work: (...given: A) => Promise<R>) => {
    return async (...given: A): Promise<R> => {
      const result = await work(...given);
      await answer.given;
      return result;
    };
  };
  await curfew.restart({
    openStore: async (...given) => {
      const store: Store = await openStore(...given);
      const slow = method === "begin" ? { begin: slowly(store.begin) } : { decide: slowly(store.decide) };
      return { ...store, ...slow, stalledMs: () => performance.now() };
    },
  });
  return answer.give;
}

const stateOf = async (words: string): Promise<string | undefined> => {
  const query = openRaw(curfew.database).selectFrom("change").select("state").where("words", "=", words);
  return (await query.executeTakeFirst())?.state;
};

it("a change with a late record confirmation is not made, and the history says so", async () => {
  const answer = await withSlowCommits("begin");
  const sent = changesSentTo(curfew);
  expect((await ask(curfew, "alice", "exclude i-0a1 for 1h")).text).toContain(nothingDone);
  answer();
  await expect.poll(() => stateOf("exclusion create")).toBe("failed");
  expect(sent()).toEqual([]);
});

it("a late record confirmation requests no approval", async () => {
  const answer = await withSlowCommits("begin");
  expect((await ask(curfew, "bob", "user disable dave@example.com")).text).toContain(nothingDone);
  answer();
  await expect.poll(() => stateOf("user disable")).toBe("failed");
});

it("an approval with a late confirmation is not performed", async () => {
  const answer = await withSlowCommits("decide");
  const { changeId, card } = await askFor(curfew, "bob", "user disable dave@example.com");
  const sent = changesSentTo(curfew);
  expect((await press(curfew, "carol", "Approve", card)).text).toContain(nothingDone);
  answer();
  await expect.poll(() => stateOf("user disable")).toBe("failed");
  await curfew.app.idle();
  expect(textOf(nowOf(curfew, await cardOf(curfew, changeId)))).toContain("Curfew could not write this down in time");
  expect(sent()).toEqual([]);
});

it("a change that waits for another of the same target is made, however long that takes", async () => {
  const { text } = await ask(curfew, "alice", "exclude i-0a1 for 1h");
  await curfew.app.idle();
  const gated = createGatedService(curfew.service);
  await curfew.restart({ service: gated.client });
  const sent = changesSentTo(curfew);
  const lines = [2, 3].map((hours) => `/curfew exclusion extend ${exclusionIdIn(text)} for ${hours}h`);
  for (const line of lines) await curfew.workspace.as("carol").type(line, "ops");
  await gated.reached;
  await pass(3000);
  gated.open();
  await curfew.app.idle();
  expect(sent()).toEqual(["ModifyActionExclusion", "ModifyActionExclusion"]);
});
