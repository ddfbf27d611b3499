import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { giveWay, inSlices } from "../../src/time/slices.ts";

/** Keeps the processor for longer than one go may take. */
function work(): void {
  const until = performance.now() + 5;
  while (performance.now() < until);
}

/** Work in one chain of microtasks, which alone would let nothing else run. */
async function chain(steps: number, after: () => void = () => undefined): Promise<void> {
  for (let step = 0; step < steps; step++) {
    work();
    after();
    await giveWay();
  }
}

test("work that was short goes on without a pause", async () => {
  await nextTurn();
  expect([giveWay(), giveWay()]).toEqual([undefined, undefined]);
});

test("work that was long lets other work run at each step", async () => {
  await nextTurn();
  await giveWay();
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turns++) await nextTurn();
  })();
  await chain(6);
  isOver = true;
  await others;
  expect(turns).toBeGreaterThanOrEqual(5);
});

test("of several that wait, one goes on in each turn, the first one first", async () => {
  await nextTurn();
  await giveWay();
  const steps: string[] = [];
  let turn = 0;
  let isOver = false;
  const turns = (async () => {
    for (; !isOver; turn++) await nextTurn();
  })();
  const note = (name: string) => () => void steps.push(`${name}${turn}`);
  await Promise.all(["a", "b", "c"].map((name) => chain(3, note(name))));
  isOver = true;
  await turns;
  expect(steps.map((step) => step[0]).join("")).toBe("abcabcabc");
  expect(new Set(steps.slice(3)).size).toBe(6);
  expect(new Set(steps.slice(3).map((step) => step.slice(1))).size).toBe(6);
});

test("sliced work ends with its result, and lets other work run", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const result = await inSlices(
    (function* () {
      for (let step = 0; step < 6; step++) {
        work();
        yield;
      }
      return "done";
    })(),
  );
  clearInterval(timer);
  expect(result).toBe("done");
  expect(turns).toBeGreaterThanOrEqual(3);
});
