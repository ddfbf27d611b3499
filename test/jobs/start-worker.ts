import { onTestFinished } from "vitest";
import type { DeliveryStore, NewDelivery } from "../../src/changes/ports.ts";
import { createDeliveries } from "../../src/jobs/deliveries.ts";
import { aChange, noon, quietLog } from "../changes/build.ts";
import { openTestStore } from "../store/open-test-store.ts";
import type { ScriptedAnnouncer } from "./scripted-announcer.ts";

export const delivery = (kind: NewDelivery["kind"], to: string): NewDelivery => ({
  changeId: "chg-1",
  kind,
  to,
  underChangeId: null,
});

/** A worker on a real queue, with a clock that stands still until it is set. */
export async function startWorker(
  announcer: ScriptedAnnouncer,
  queued: readonly NewDelivery[],
  overrides: Partial<DeliveryStore> = {},
  askerOf?: (changeId: string) => Promise<string | undefined>,
) {
  const store = await openTestStore();
  await store.begin(aChange());
  await store.queue(queued, noon);
  const clock = { now: noon };
  const deliveries = createDeliveries({
    store: { ...store, ...overrides },
    announcer,
    now: () => clock.now,
    log: quietLog,
    askerOf: askerOf ?? (async (changeId) => (await store.find(changeId))?.actor.userId),
    adminsChannel: () => "C0ADMINS",
  });
  onTestFinished(() => deliveries.stop());
  return { store, clock, deliveries };
}
