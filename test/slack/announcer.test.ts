import { expect, test } from "vitest";
import type { DeliveryResult } from "../../src/jobs/announcer.ts";
import { createAnnouncer } from "../../src/slack/announcer.ts";
import { aChange, aSettlement, hourMs, noon } from "../changes/build.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { createFakeSlack } from "./fake-slack.ts";

/** What becomes of a card that Slack refuses for the app's sake, this long after its change was settled. */
async function refusedAfter(ms: number): Promise<DeliveryResult> {
  const store = await openTestStore();
  await store.begin(aChange());
  await store.settle("chg-1", aSettlement({ settledAt: noon }));
  const { client } = createFakeSlack(() => ({ ok: false, error: "missing_scope" }));
  const announcer = createAnnouncer({ client, store, drawReminder: async () => undefined, now: () => noon + ms });
  return announcer.deliver({ id: 1, attempts: 0, changeId: "chg-1", kind: "card", to: "C1", underChangeId: null });
}

test("a card that Slack refuses for the app's sake waits until that is mended, but no longer than a week", async () => {
  const weekMs = 7 * 24 * hourMs;
  expect(await refusedAfter(weekMs - 1)).toMatchObject({ kind: "later" });
  expect(await refusedAfter(weekMs)).toMatchObject({ kind: "never" });
});
