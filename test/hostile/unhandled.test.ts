import { expect, it } from "vitest";
import { startProcess } from "./real-process.ts";

it("a rejection that nobody handles is one line of the log, and an exception ends the process with one", async () => {
  const { process, askForHelp, stop } = await startProcess({}, { preload: "test/support/unhandled.mjs" });
  const lineOf = (text: string) => process.output.split("\n").filter((line) => line.includes(text));
  process.say({ kind: "rejection" });
  await process.sees(/a stray rejection/);
  expect(lineOf("a stray rejection")).toHaveLength(1);
  expect(JSON.parse(lineOf("a stray rejection")[0] ?? "")).toMatchObject({
    level: 50,
    msg: expect.stringMatching(/goes on/),
  });
  expect((await askForHelp()).status).toBe(200);
  process.say({ kind: "exception" });
  expect(await process.exited).toBe(1);
  expect(JSON.parse(lineOf("a stray exception")[0] ?? "")).toMatchObject({ level: 60 });
  expect(process.errors).toBe("");
  await stop();
}, 60_000);
