import { expect, test, vi } from "vitest";
import { atMostEvery } from "../../src/jobs/at-most-every.ts";

test("runs again on the next call after a failure", async () => {
  let runs = 0;
  const wake = atMostEvery(1, () => {
    runs++;
    if (runs === 1) throw new Error("once");
  });
  expect(wake).toThrow("once");
  wake();
  await vi.waitFor(() => expect(runs).toBe(2));
});
