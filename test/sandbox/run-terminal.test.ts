import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runTerminal, TerminalSession } from "../../src/sandbox/terminal.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";
import { sandboxOf } from "./sandbox-of.ts";

let curfew: Curfew;
let output: PassThrough;
let session: TerminalSession;
beforeEach(async () => {
  curfew = await startCurfew();
  output = new PassThrough();
  session = new TerminalSession(sandboxOf(curfew), (line) => void output.write(`${line}\n`));
});
afterEach(() => curfew.stop());

const shown = (): Promise<string> => {
  output.end();
  return text(output);
};

test("runs piped lines in order, echoes them with prompts, and ends", async () => {
  const input = Readable.from(["as bob\n/curfew whoami\nas ", "alice\n/curfew whoami"]);
  await runTerminal(session, { input, output }).ended;
  const [, bob, alice] = /bob> \/curfew whoami\n([\s\S]*)alice> \/curfew whoami\n([\s\S]*)/.exec(await shown()) ?? [];
  expect(bob).toContain("helpdesk");
  expect(bob).not.toContain("engineer");
  expect(alice).toContain("engineer");
});

test("ignores lines after quit", async () => {
  await runTerminal(session, { input: Readable.from(["quit\n/curfew exclude i-0a1 for 2h\n"]), output }).ended;
  expect(curfew.service.requests).toEqual([]);
});

test("keeps running on an empty input until it is stopped", async () => {
  const input = Readable.from([]);
  const terminal = runTerminal(session, { input, output });
  let hasEnded = false;
  void terminal.ended.then(() => {
    hasEnded = true;
  });
  await terminal.stop();
  expect(hasEnded).toBe(false);
});

test("waits for the current line on stop and takes no more", async () => {
  curfew.service.faults.next({ kind: "latency", ms: 200 });
  const input = new PassThrough();
  const terminal = runTerminal(session, { input, output });
  input.write("/curfew exclude i-0a1 for 2h\n/curfew exclude i-0a2 for 2h\n");
  await curfew.workspace.waitFor(() => curfew.workspace.appRequests.length > 0);
  await terminal.stop();
  expect(curfew.workspace.appRequests).toHaveLength(1);
  expect(await shown()).toContain("@alice is keeping *i-0a1* running until");
});

test("prompts a person at a keyboard with their name and ends with the input", async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const terminal = runTerminal(session, { input, output });
  input.end("as bob\r");
  await terminal.ended;
  expect(await shown()).toMatch(/alice> [\s\S]*You are bob, in #ops\./);
});
