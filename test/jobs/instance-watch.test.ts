import { expect, onTestFinished, test } from "vitest";
import { createInstanceWatch } from "../../src/jobs/instance-watch.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { aChange, noon, quietLog, someSettings } from "../changes/build.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { newDatabase } from "../support/new-database.ts";

/** Watches every few milliseconds, on a database that fails while `isDown` says so. */
async function startWatch(
  isDown: (beats: number) => boolean = () => false,
  overrides: (store: Store) => Partial<Store> = () => ({}),
) {
  const database = await newDatabase();
  const store = await openTestStore(database);
  const seen: string[] = [];
  let look = (): void => undefined;
  const until = (part: string): Promise<void> =>
    new Promise((resolve) => {
      look = () => (seen.includes(part) ? resolve() : undefined);
      look();
    });
  const see = (what: string) => {
    seen.push(what);
    look();
  };
  const instances = {
    beat: async () => {
      see("beat");
      if (isDown(seen.length)) throw new Error("Connection terminated unexpectedly");
    },
    leave: async () => see("leave"),
  };
  store.onCommitted((what) => see(what));
  const watch = createInstanceWatch(
    {
      store: { ...store, ...overrides(store) },
      settings: () => someSettings(),
      now: () => noon,
      log: quietLog,
      instances,
      resume: async () => undefined,
      refresh: async () => undefined,
    },
    5,
  );
  onTestFinished(() => watch.stop());
  return { database, store, watch, seen, until };
}

test("sends a heartbeat at start, repeats it, and deregisters on stop", async () => {
  const { watch, seen } = await startWatch();
  await watch.start();
  expect(new Set(seen)).toEqual(new Set(["beat"]));
  await expect.poll(() => seen.length).toBeGreaterThan(3);
  await watch.stop();
  expect(seen.at(-1)).toBe("leave");
});

test("settles what a dead instance left, also after a database outage", async () => {
  const { database, store, watch, until } = await startWatch((beats) => beats > 1 && beats < 4);
  await watch.start();
  const gone = await openStore(database);
  await gone.begin(aChange());
  await gone.close();
  await until("transition");
  expect(await store.find("chg-1")).toMatchObject({ state: "unknown", error: { code: "Interrupted" } });
});

test("keeps sending heartbeats during a long recovery", async () => {
  let finish = (): void => undefined;
  const abandoned = () =>
    new Promise<readonly []>((resolve) => {
      finish = () => resolve([]);
    });
  const { watch, seen } = await startWatch(undefined, () => ({ abandoned }));
  const starting = watch.start();
  await expect.poll(() => seen.length).toBeGreaterThan(3);
  finish();
  await starting;
});

test("fails to start when the first recovery fails, and stops its heartbeat", async () => {
  const abandoned = () => Promise.reject(new Error("disk full"));
  const { watch, seen } = await startWatch(undefined, () => ({ abandoned }));
  await expect(watch.start()).rejects.toThrow("disk full");
  const { length } = seen;
  const another = await startWatch();
  await another.watch.start();
  await expect.poll(() => another.seen.length).toBeGreaterThan(3);
  expect(seen).toHaveLength(length);
});

test("fails to start without a database", async () => {
  const { watch } = await startWatch(() => true);
  await expect(watch.start()).rejects.toThrow("Connection terminated unexpectedly");
});
