import { expect, test } from "vitest";
import { createRedrawQueue } from "../../src/slack/listeners/handlers/handle-redraw.ts";
import { createSignal } from "../support/signal.ts";

interface Request {
  readonly viewId: string;
  readonly text: string;
}

/** A queue whose drawings wait until they are let go. */
function heldQueue(failing: readonly string[] = []) {
  const drawn: string[] = [];
  const overtaken: string[] = [];
  const { given: gate, give: release } = createSignal();
  const redraw = createRedrawQueue<Request, string>({
    draw: async ({ text }, last, isOvertaken) => {
      await gate;
      if (isOvertaken()) overtaken.push(text);
      if (failing.includes(text)) throw new Error(text);
      drawn.push(last === undefined ? text : `${last}>${text}`);
      return text;
    },
    merge: (waiting, newer) => ({ ...newer, text: `${waiting.text}+${newer.text}` }),
  });
  return { redraw, drawn, overtaken, release };
}

test("draws a form once at a time, and of what waits only the newest, merged", async () => {
  const { redraw, drawn, overtaken, release } = heldQueue();
  const all = ["a", "b", "c"].map((text) => redraw({ viewId: "V1", text }));
  const other = redraw({ viewId: "V2", text: "x" });
  release();
  await Promise.all([...all, other]);
  expect(drawn.toSorted()).toEqual(["a", "a>b+c", "x"]);
  expect(overtaken).toEqual(["a"]);
});

test("draws what waits although the drawing before failed, and reports a failure of the last", async () => {
  const { redraw, drawn, release } = heldQueue(["a", "c"]);
  const first = redraw({ viewId: "V1", text: "a" });
  await redraw({ viewId: "V1", text: "b" });
  release();
  await first;
  expect(drawn).toEqual(["b"]);
  await expect(redraw({ viewId: "V1", text: "c" })).rejects.toThrow("c");
  await redraw({ viewId: "V1", text: "d" });
  expect(drawn).toEqual(["b", "b>d"]);
});
