import fc from "fast-check";
import { expect, test } from "vitest";
import { createLogger, type Logger, type LogOptions } from "../../src/observability/log.ts";

/** A logger that records its lines, and the last line. */
function recording(options: Partial<LogOptions> = {}): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  const log = createLogger({ level: "info", ...options, destination: { write: (line) => lines.push(line) } });
  return { log, lines };
}

test("writes an entry as one line of JSON with an ISO time", () => {
  const { log, lines } = recording();
  log.info({ changeId: "c1" }, "performed");
  log.debug("below the level");
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    changeId: "c1",
    msg: "performed",
    time: expect.stringMatching(/Z$/),
  });
});

test("hides a secret that is added later", () => {
  const secrets = ["first-secret"];
  const { log, lines } = recording({ secrets });
  log.info("first-secret");
  secrets.push("second-secret");
  log.info("first-secret and second-secret");
  expect(lines.join("\n")).not.toMatch(/(?:first|second)-secret/);
});

test.each([
  "authorization",
  "Authorization",
  "apiKey",
  "token",
  "botToken",
  "appToken",
  "signingSecret",
  "secretAccessKey",
  "password",
  "response_url",
  "trigger_id",
])("hides the value of %s at any depth, in lists, children and errors", (key) => {
  const { log, lines } = recording();
  const held = { [key]: "hidden-value" };
  log.info(held);
  log.info({ a: { b: [{ c: { d: { e: held } } }] } });
  log.info({ [key]: { inner: ["hidden-value"] } });
  log.child(held).info("from a child");
  log.error({ err: Object.assign(new Error("refused"), { request: { headers: held } }) });
  expect(lines).toHaveLength(5);
  for (const line of lines) {
    expect(line).toContain("[redacted]");
    expect(line).not.toContain("hidden-value");
  }
});

test("hides a known secret in a message, a stack, a key, a URL and a child", () => {
  const secret = 'k3y+"quoted"/\\end';
  const { log, lines } = recording({ secrets: [secret, ""] });
  log.info(`sent with ${secret}`);
  log.info({ url: `https://example.com/?key=${encodeURIComponent(secret)}` });
  log.info({ [secret]: true });
  log.error(new Error(`rejected ${secret}`));
  log.child({ note: secret }).info("%s", secret);
  expect(lines).toHaveLength(5);
  for (const line of lines) {
    expect(line).toContain("[redacted]");
    expect(line).not.toMatch(/k3y|quoted/);
    expect(() => JSON.parse(line)).not.toThrow();
  }
});

test("hides all of a secret that starts with another secret", () => {
  const { log, lines } = recording({ secrets: ["abcd", "abcdefgh"] });
  log.info("abcdefgh");
  expect(lines[0]).not.toContain("efgh");
});

test("hides Slack tokens and response URLs by their shape", () => {
  const { log, lines } = recording();
  log.info("posting to https://hooks.slack.com/commands/T1/2/abc with xoxb-1-2-abc, xapp-1-A-abc and xoxe.xoxp-1-abc.");
  expect(lines[0]).toContain("posting to [redacted] with [redacted], [redacted] and [redacted]");
});

test("writes any input as one line of JSON", () => {
  fc.assert(
    fc.property(
      fc.object({ withBigInt: true, withDate: true, withSparseArray: true }),
      fc.string(),
      (entry, message) => {
        const { log, lines } = recording({ secrets: ["true", '":{"'] });
        log.info(entry, message);
        expect(lines).toHaveLength(1);
        expect(lines[0]).toMatch(/^[^\n]*\n$/);
      },
    ),
  );
});
