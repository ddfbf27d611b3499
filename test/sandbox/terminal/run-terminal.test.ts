import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runTerminal } from "../../../src/sandbox/terminal/run-terminal.ts";
import { TerminalSession } from "../../../src/sandbox/terminal/terminal-session.ts";
import { type Curfew, startCurfew } from "../../support/start-curfew.ts";
import { sandboxOf } from "../sandbox-of.ts";

let curfew: Curfew;
let output: PassThrough;
let session: TerminalSession;
beforeEach(async () => {
  curfew = await startCurfew();
  output = new PassThrough();
  session = new TerminalSession({ sandbox: sandboxOf(curfew), write: (line) => void output.write(`${line}\n`) });
});
afterEach(() => curfew.stop());

const shown = (): Promise<string> => {
  output.end();
  return text(output);
};

test("piped lines are done one after the other, shown with their prompts, and then it ends", async () => {
  const input = Readable.from(["as bob\n/curfew whoami\nas ", "alice\n/curfew whoami"]);
  await runTerminal(session, { input, output }).ended;
  const [, bob, alice] = /bob> \/curfew whoami\n([\s\S]*)alice> \/curfew whoami\n([\s\S]*)/.exec(await shown()) ?? [];
  expect(bob).toContain("helpdesk");
  expect(bob).not.toContain("engineer");
  expect(alice).toContain("engineer");
});

test("quit leaves what follows undone", async () => {
  await runTerminal(session, { input: Readable.from(["quit\n/curfew exclude i-0a1 for 2h\n"]), output }).ended;
  expect(curfew.service.requests).toEqual([]);
});

test("an empty input is nobody at all: it goes on until it is stopped", async () => {
  const input = Readable.from([]);
  const terminal = runTerminal(session, { input, output });
  let hasEnded = false;
  void terminal.ended.then(() => {
    hasEnded = true;
  });
  await terminal.stop();
  expect(hasEnded).toBe(false);
});

test("a stop waits for the line under way and takes no other", async () => {
  curfew.service.faults.next({ kind: "latency", ms: 200 });
  const input = new PassThrough();
  const terminal = runTerminal(session, { input, output });
  input.write("/curfew exclude i-0a1 for 2h\n/curfew exclude i-0a2 for 2h\n");
  await curfew.workspace.waitFor(() => curfew.workspace.appRequests.length > 0);
  await terminal.stop();
  expect(curfew.workspace.appRequests).toHaveLength(1);
  expect(await shown()).toContain("@alice excluded i-0a1");
});

test("somebody at a keyboard is prompted with who they are, and leaves by the end of input", async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const terminal = runTerminal(session, { input, output });
  input.end("as bob\r");
  await terminal.ended;
  expect(await shown()).toMatch(/alice> [\s\S]*You are bob, in #ops\./);
});
