import { expect, test } from "vitest";
import { createAgedCache } from "../../src/slack/people/look-up.ts";

function startCache(maxEntries?: number) {
  const clock = { now: 0 };
  const loads: string[] = [];
  const load = async (key: string) => {
    loads.push(key);
    return `${key} ${loads.length}`;
  };
  const options = { elapsedMs: () => clock.now, maxAgeMs: 100, ...(maxEntries ? { maxEntries } : {}) };
  return { cache: createAgedCache(load, options), clock, loads };
}

test("a full cache drops the value that was loaded first", async () => {
  const { cache, loads } = startCache(2);
  for (const key of ["a", "b", "c", "b", "c", "a"]) await cache.get(key);
  expect(loads).toEqual(["a", "b", "c", "a"]);
});

test("a late failure keeps a newer value", async () => {
  const clock = { now: 0 };
  let refuse = (_error: Error): void => undefined;
  const answers = [
    new Promise<string>((_resolve, reject) => {
      refuse = reject;
    }),
    Promise.resolve("second"),
    Promise.resolve("third"),
  ];
  const load = () => answers.shift() ?? Promise.resolve("too many");
  const cache = createAgedCache(load, { elapsedMs: () => clock.now, maxAgeMs: 100 });
  const first = cache.get("a");
  clock.now = 100;
  expect(await cache.get("a")).toBe("second");
  refuse(new Error("late"));
  await expect(first).rejects.toThrow("late");
  expect(await cache.get("a")).toBe("second");
});

test("a caller can ask for a fresher value; a failed load keeps the old one", async () => {
  const clock = { now: 0 };
  const answers = [Promise.resolve("first"), Promise.reject(new Error("down")), Promise.resolve("third")];
  const load = () => answers.shift() ?? Promise.resolve("too many");
  const cache = createAgedCache(load, { elapsedMs: () => clock.now, maxAgeMs: 100 });
  await cache.get("a");
  clock.now = 50;
  expect(await cache.get("a", 60)).toBe("first");
  await expect(cache.get("a", 50)).rejects.toThrow("down");
  expect(await cache.get("a")).toBe("first");
  expect(await cache.get("a", 50)).toBe("third");
});
