import fc from "fast-check";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { createLogger } from "../../src/observability/log.ts";
import { createServiceClient } from "../../src/service/client.ts";
import { ask } from "../support/journey.ts";
import { startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

function recording() {
  const lines: string[] = [];
  const log = createLogger({ level: "info", destination: { write: (line) => lines.push(line) } });
  return { log, lines };
}

const addresses = [
  "mallory@evil.example",
  "Mallory.O'Neil+tag_1%x-y@sub.evil-corp.co.example",
  "mållory@éxample.example",
  "mallory@localhost",
  "mallory＠evil.example",
  "mallory%40evil.example",
  "mallory%2540evil.example",
  "mallory&#64;evil.example",
  "mallory&#x40;evil.example",
  "mallory&commat;evil.example",
  "mallory\\u0040evil.example",
  '"mallory smith"@evil.example',
  "mallory@[192.0.2.1]",
  "mallory@3m.example",
];
const surroundings = [
  (address: string) => address,
  (address: string) => `User ${address} was not found.`,
  (address: string) => `first line\n${address}\nlast`,
  (address: string) => `\t${address}\r`,
  (address: string) => `<mailto:${address}|${address}>`,
  (address: string) => `<p>Contact <b>${address}</b></p>`,
  (address: string) => `/api/Users/${address}?email=${address}&x=1`,
  (address: string) => `{"emailAddress":"${address}"}`,
  (address: string) => `Key (email)=(${address}) already exists.`,
  (address: string) => `${address},${address};${address}`,
];

test.each(addresses)("the log hides %s wherever it appears", (address) => {
  for (const surround of surroundings) {
    const { log, lines } = recording();
    const text = surround(address);
    log.info(text);
    log.info({ deep: { list: [{ text }] } });
    log.info({ [text]: true });
    log.error({ err: Object.assign(new Error(text, { cause: new Error(text) }), { detail: text }) });
    log.child({ path: text }).warn("%s", text);
    expect(lines).toHaveLength(5);
    for (const line of lines) {
      expect(line).not.toMatch(/mallory|mållory|Mallory/);
      expect(() => JSON.parse(line)).not.toThrow();
    }
  }
});

test("the log hides a Slack token at the start of a line", () => {
  const { log, lines } = recording();
  log.info("the token:\nxoxb-1-2-abc");
  expect(lines[0]).not.toContain("xoxb-1-2-abc");
});

test("the log keeps text that only resembles an address", () => {
  const { log, lines } = recording();
  const kept =
    "at file:///app/node_modules/@slack/web-api/dist/WebClient.js, kysely@0.28.18, <@U03CAROL>, @here, 5 @ 3, 40%";
  log.info(kept);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ msg: kept });
});

test("the log escapes terminal control characters and keeps their meaning", () => {
  const { log, lines } = recording();
  const text = "\u001b[2J\u009b31m\u202egnp\u2066\u200b\u2028\u007f\u{e0041}";
  log.info({ text });
  expect(lines[0]).toMatch(/^[\x20-\x7e]*\n$/);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ text });
});

test("the log stays valid JSON and is fast for any input", () => {
  const piece = fc.constantFrom("@", '"', "\\", "\n", "a", ".", "b.example", "%40", "x".repeat(70), "\u202e", "[", "]");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const { log, lines } = recording();
      log.info({ [pieces.join("")]: pieces.join("") }, pieces.join(""));
      expect(() => JSON.parse(lines[0] ?? "")).not.toThrow();
    }),
  );
  const { log, lines } = recording();
  const startedAt = performance.now();
  for (const text of ["a".repeat(100_000), "@".repeat(100_000), "a@".repeat(50_000), "a@b.".repeat(25_000)])
    log.info(text);
  expect(lines).toHaveLength(4);
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

describe("the log hides addresses", () => {
  const page =
    "<html><body>Sorry, mallory@evil.example! Ask\nroot@evil.example or mallory%40evil.example.</body></html>";

  it("in the service's error pages, Slack's errors and typed text", async () => {
    const curfew = await startCurfew({ config: unlimitedConfig });
    onTestFinished(() => curfew.stop());
    await curfew.restart({ service: createServiceClient({ ...curfew.service, retries: 0 }) });
    for (const status of [200, 302, 400, 403, 404, 408, 500, 503]) {
      for (const contentType of ["text/html", "application/json"]) {
        const body = contentType === "text/html" ? page : JSON.stringify({ errorCode: "Gone", message: page });
        curfew.service.faults.next({ kind: "garbage", status, contentType, body });
        await ask(curfew, "carol", "exclude i-0a1 for 1h --another");
        curfew.service.faults.next({ kind: "garbage", status, contentType, body });
        await ask(curfew, "carol", "policy show mp-00000001");
      }
    }
    await ask(curfew, "carol", "policy show mallory@evil.example");
    await ask(curfew, "carol", "exclude i-0a1 for 1h --another --reason mallory@evil.example");
    await ask(curfew, "carol", "user email bob@example.com mallory@evil.example");
    for (const error of ["mallory@evil.example", `no_such_${page}`]) {
      curfew.workspace.faults.failNext("users.info", { error });
      await ask(curfew, "bob", "whoami");
      curfew.workspace.faults.failNext("chat.postMessage", { error });
      await ask(curfew, "carol", "exclude i-0a1 for 1h --another");
    }
    await curfew.app.idle();
    await curfew.app.report("Mend mallory@evil.example.");
    expect(curfew.logged.length).toBeGreaterThan(30);
    expect(curfew.logged.filter((line) => /mallory|root@|@example|@evil/.test(line))).toEqual([]);
    const metrics = await (await fetch(`${curfew.url}/metrics`)).text();
    expect(metrics).toContain("curfew_commands_total");
    expect(metrics).not.toMatch(/mallory|@/);
  });
});
