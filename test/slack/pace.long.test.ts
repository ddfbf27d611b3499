import { WebClient } from "@slack/web-api";
import { expect, onTestFinished, test } from "vitest";
import { startWorkspace } from "../../src/sandbox/workspace/start-workspace.ts";
import { boltLogger } from "../../src/slack/connection/slack-connection.ts";
import { createSender } from "../../src/slack/messages/post-outbox-message.ts";
import { aChange, aSettlement, noon, quietLog, someSettings } from "../changes/build.ts";
import { outboxMessage, startWorker } from "../jobs/start-worker.ts";
import { anActor } from "../permissions/build.ts";
import { tinyManifest } from "../sandbox/workspace/tiny-manifest.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { createStoppedClock, createTimers } from "../support/stopped-time.ts";

const channels = ["C0OPS", "C0SEC", "C0ADMINS"];

test("200 announcements to three channels keep Slack's rate limits", async () => {
  const clock = createStoppedClock(noon);
  const { now } = clock;
  const timers = createTimers(clock);
  const workspace = await startWorkspace({ manifest: tinyManifest, now });
  onTestFinished(() => workspace.close());
  const client = new WebClient(workspace.botToken, {
    slackApiUrl: workspace.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: boltLogger(quietLog),
  });
  const store = await openTestStore();
  await store.begin(aChange());
  await store.settle("chg-1", aSettlement({ settledAt: noon }));
  const cards = Array.from({ length: 200 }, (_none, number) => outboxMessage("card", channels[number % 3] ?? ""));
  await store.queue(cards, noon);
  const sender = createSender({
    isClosed: async () => true,
    client,
    store,
    drawReminder: async () => undefined,
    drawBulletin: async () => undefined,
    withEmail: async () => undefined,
    cardLink: async () => undefined,
    cardSources: {
      ...{ store, settings: someSettings, actions: async () => undefined },
      threadLink: async () => undefined,
      ...{ actor: async () => anActor(), withEmail: async () => undefined },
    },
    now,
  });
  const worker = await startWorker(sender, [], { store, now, schedule: timers.schedule });
  worker.outbox.wake();
  await worker.outbox.idle();
  while (timers.skip()) await worker.outbox.idle();
  const posts = workspace.calls.filter(({ method }) => method === "chat.postMessage");
  expect(posts.filter(({ status }) => status !== 200)).toEqual([]);
  // Two channels get 67 cards and one gets 66, each after a summary, one second apart.
  expect(posts).toHaveLength(203);
  expect(posts.at(-1)?.at).toBe(noon + 67_000);
}, 60_000);
