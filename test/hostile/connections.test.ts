import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sign } from "../../src/sandbox/workspace/deliveries.ts";
import { formType } from "../support/wire.ts";
import { attack } from "./attack.ts";
import { attacks, slowCaller } from "./attacks.ts";
import { type RealProcess, startProcess } from "./real-process.ts";

const connections = 1000;
const attacksOnOne = 3;
/** What 1,000 of the requests would take if Curfew kept them is 500 MiB. */
const mostMemory = 150;
const maxAnswerMs = 1000;
/** The attacker and other tests share the machine with Curfew, so half of the tries may take longer. */
const tries = 11;

describe("1,000 hostile connections", { timeout: 120_000 }, () => {
  let running: { readonly curfew: RealProcess; readonly idle: number } | undefined;
  let suffered = 0;
  const stop = async () => {
    await running?.curfew.stop();
    running = undefined;
  };
  /** A process suffers several attacks, and its memory is compared with that before the first. */
  const attacked = async () => {
    suffered += 1;
    if (running && suffered % attacksOnOne !== 1) return running;
    await stop();
    const curfew = await startProcess();
    for (let count = 0; count < 20; count++) await curfew.askForHelp();
    running = { curfew, idle: curfew.memory().now };
    return running;
  };
  afterAll(stop);

  it.each(Object.keys(attacks))("leave memory and answers as they are: %s", async (name) => {
    const { curfew, idle } = await attacked();
    const held = await attack(curfew.url, connections, name);
    onTestFinished(() => held.stop());
    const answers = [];
    for (let count = 0; count < tries; count++) answers.push(await curfew.askForHelp());
    process.stdout.write(`hostile ${name}: ${inWords(answers, idle, curfew.memory())}\n`);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ ms }) => ms < maxAnswerMs).length).toBeGreaterThan(tries / 2);
    expect(curfew.memory().most - idle).toBeLessThan(mostMemory);
  });
});

function inWords(answers: readonly { ms: number }[], idle: number, { now, most }: ReturnType<RealProcess["memory"]>) {
  const [more, peak] = [now - idle, most - idle].map((mebibytes) => mebibytes.toFixed(0));
  const times = answers.map(({ ms }) => ms.toFixed(0)).join(", ");
  return `${idle.toFixed(0)} MiB idle, ${more} more (${peak} at most); signed requests answered in ${times} ms`;
}

describe("700 connections with slow bodies and one caller's token", () => {
  it("delay none of 50 signed commands, nor health", async () => {
    const curfew = await startProcess();
    onTestFinished(() => curfew.stop());
    const held = await attack(curfew.url, 700, slowCaller);
    onTestFinished(() => held.stop());
    const answers = await Promise.all(Array.from({ length: 50 }, () => curfew.askForHelp()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(3000);
    expect((await fetch(`${curfew.url}/readyz`, { signal: AbortSignal.timeout(3000) })).status).toBe(200);
  }, 60_000);
});

describe("a request that its headers show to be hostile", () => {
  let curfew: RealProcess;
  beforeAll(async () => {
    curfew = await startProcess();
  }, 60_000);
  afterAll(() => curfew.stop());

  /** What comes back when only headers are sent, and nothing of the body. */
  const answerTo = (first: string, headers: Readonly<Record<string, string>>) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(curfew.url).port), "127.0.0.1");
      const lines = Object.entries({ host: "curfew", "content-type": formType, ...headers });
      socket.write(`${first} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
      socket.setEncoding("utf8").once("data", (text: string) => {
        socket.destroy();
        resolve(text.split("\r\n", 1)[0] ?? "");
      });
      socket.once("error", reject).once("close", () => reject(new Error("closed without an answer")));
    });
  const seconds = (ago: number) => String(Math.floor(Date.now() / 1000) - ago);
  const signed = (ago = 0, more: Readonly<Record<string, string>> = {}) => ({
    "x-slack-request-timestamp": seconds(ago),
    "x-slack-signature": sign(curfew.workspace.signingSecret, seconds(ago), "body"),
    "content-length": "100000",
    ...more,
  });

  it.each([
    ["no signature", () => ({ "content-length": "100000" }), 401],
    ["a signature of another form", () => signed(0, { "x-slack-signature": "v0=00" }), 401],
    ["a stale timestamp", () => signed(301), 401],
    ["a timestamp of the future", () => signed(-310), 401],
    ["a timestamp that is no number", () => signed(0, { "x-slack-request-timestamp": "1e9" }), 401],
    ["a body beyond 512 KiB", () => signed(0, { "content-length": String(512 * 1024 + 1) }), 413],
    ["a body beyond 512 KiB and no signature", () => ({ "content-length": "2097152" }), 413],
    ["no length and no signature", () => ({ "transfer-encoding": "chunked" }), 401],
    [
      "an `Expect: 100-continue` without a signature",
      () => ({ "content-length": "9999", expect: "100-continue" }),
      401,
    ],
  ])("is refused before its body is read: %s", async (_what, headers, status) => {
    expect(await answerTo("POST /slack/events", headers())).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it("gets `100 Continue` when its headers are right", async () => {
    expect(await answerTo("POST /slack/events", signed(0, { expect: "100-continue" }))).toBe("HTTP/1.1 100 Continue");
  });

  it.each(["PUT", "DELETE", "OPTIONS", "PATCH"])("is refused before its body is read: %s", async (method) => {
    expect(await answerTo(`${method} /slack/events`, signed())).toBe("HTTP/1.1 404 Not Found");
  });

  it("is logged one by one at first, and then only counted", async () => {
    const before = curfew.process.output.length;
    for (let count = 0; count < 100; count++) await answerTo("POST /slack/events", { "content-length": "100000" });
    expect(await curfew.askForHelp()).toMatchObject({ status: 200 });
    expect(curfew.process.output.slice(before).split("\n").length).toBeLessThan(30);
  });
});

describe("a process with hostile connections", () => {
  it("stops in time, and closes them", async () => {
    const curfew = await startProcess();
    const held = await attack(curfew.url, 200, "half of their headers");
    const startedAt = performance.now();
    curfew.process.signal("SIGTERM");
    expect(await curfew.process.exited).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    await held.stop();
    await curfew.stop();
  }, 60_000);
});
