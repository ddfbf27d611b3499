import { expect, test } from "vitest";
import type { NewBulletin } from "../../src/changes/bulletin.ts";
import { watchLock } from "../../src/watch/watch-store.ts";
import { noon } from "../changes/build.ts";
import { claimOne, unhurried } from "./next-due.ts";
import { openTestStore } from "./open-test-store.ts";

const bulletin = (id: string, overAt: number | null = null): NewBulletin => ({
  ...{ id, at: noon, overAt, to: "C0OPS" },
  content: { kind: "elsewhere", actions: [], since: null },
});

test("posts a bulletin once, however often it is saved", async () => {
  const store = await openTestStore();
  await store.beat();
  expect(await store.takeLock(watchLock)).toBe(true);
  const update = { changed: [], gone: [], bulletins: [bulletin("one")] };
  expect(await store.saveWatch(update, noon)).toBe(true);
  expect(await store.saveWatch(update, noon)).toBe(true);
  expect((await claimOne(store, noon, 1000, unhurried))?.changeId).toBe("one");
  expect(await claimOne(store, noon, 1000, unhurried)).toBeUndefined();
});

test("deletes old bulletins that are over, with their messages, and keeps the others", async () => {
  const store = await openTestStore();
  await store.beat();
  await store.takeLock(watchLock);
  await store.saveWatch({ changed: [], gone: [], bulletins: [bulletin("over"), bulletin("open", noon + 1)] }, noon);
  const message = await claimOne(store, noon, 1000, unhurried);
  await store.markSent(message?.id ?? 0, { channelId: "C0OPS", ts: "1.1", threadTs: null }, noon);
  expect(await store.clean(noon, 10), "none is older").toBe(0);
  expect(await store.clean(noon + 1, 10)).toBe(1);
  expect(await store.bulletin("over")).toBeUndefined();
  expect(await store.cardOf("over", "C0OPS")).toBeUndefined();
  expect(await store.bulletin("open")).toMatchObject({ id: "open" });
  expect(await store.clean(noon + 1, 10)).toBe(0);
});
