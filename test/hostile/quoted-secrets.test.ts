import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createRedactAnswer } from "../../src/service/read-answer.ts";
import { createRedact } from "../../src/service/service-error.ts";
import { ask } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { leastMs } from "./shapes.ts";

const secret = "wJalrXUtnFEMI+K7MDENG/bPxRfi'CYEXAMPLEKEY=";
/** So short that it shows in a secret that was broken into lines. */
const plainPart = secret.slice(0, 8);
const secretsDir = mkdtempSync(join(tmpdir(), "curfew-keys-"));
mkdirSync(join(secretsDir, "cred-00000001"));
writeFileSync(
  join(secretsDir, "cred-00000001", "key.json"),
  JSON.stringify({ accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: secret }),
);
afterAll(() => rmSync(secretsDir, { recursive: true, force: true }));
const { curfew } = oneBot({ secretsDir });
const edit =
  "credential edit cred-00000001 --sub-type amazon-standard --type amazon-access-key --key-file key.json --name Other";

type Write = (character: string) => string;
const hex = (character: string) => character.charCodeAt(0).toString(16).toUpperCase();
const signs = (write: Write) => secret.replace(/\W/g, write);
const all = (write: Write) => [...secret].map(write).join("");
const quoted = (text: string) => JSON.stringify(text).slice(1, -1);

const unicode: Write = (character) => `\\u${hex(character).padStart(4, "0")}`;
const writings: readonly (readonly [string, string])[] = [
  ["as it is", secret],
  ["URL-encoded", encodeURIComponent(secret)],
  ["URL-encoded twice", encodeURIComponent(encodeURIComponent(secret))],
  ["with every character URL-encoded", all((character) => `%${hex(character)}`)],
  ["escaped as in .NET's JSON", signs(unicode)],
  ["as JSON nested three times", quoted(quoted(signs(unicode)))],
  ["with slashes escaped as in PHP's JSON", secret.replaceAll("/", "\\/")],
  ["with hexadecimal HTML entities", signs((character) => `&#x${hex(character)};`)],
  ["with decimal HTML entities", all((character) => `&#0${character.charCodeAt(0)};`)],
  [
    "with named HTML entities",
    signs((character) => ({ "+": "&plus;", "/": "&sol;", "'": "&#39;" })[character] ?? "&equals;"),
  ],
  ["HTML-escaped twice", signs((character) => `&amp;#${character.charCodeAt(0)};`)],
  ["broken into lines", secret.replace(/.{8}/g, "$&\r\n  ")],
];

describe("a key that the service quotes", () => {
  it.each(writings)("in an error is never shown or stored: %s", async (_how, text) => {
    for (const [contentType, body] of [
      ["application/json", JSON.stringify({ errorCode: "Bad", message: `The body was {"key":"${text}"}` })],
      ["text/html", `<h1>Bad</h1><p>${text}</p>`],
    ] as const) {
      curfew().service.faults.next({ kind: "garbage", operation: "ModifyCredential", status: 400, contentType, body });
      const answer = await ask(curfew(), "carol", edit);
      expect(answer.text).toMatch(/nothing was changed\. .*•••/s);
      expectNowhere(answer.text);
    }
  });

  it.each(writings)("in an answer is never shown or stored: %s", async (_how, text) => {
    const body = JSON.stringify({
      credentialId: "cred-00000001",
      name: `Other ${text}`,
      ...{ secretAccessKey: text, details: [{ [text]: text }] },
    });
    const contentType = "application/json";
    curfew().service.faults.next({ kind: "garbage", operation: "ModifyCredential", contentType, body });
    const answer = await ask(curfew(), "carol", edit);
    expect((await ask(curfew(), "carol", `history ${answer.changeId}`)).text).toMatch(/Other •••/);
    expectNowhere(answer.text);
  });
});

function expectNowhere(answer: string): void {
  const file = curfew().database.replace(/^sqlite:/, "");
  const database = ["", "-wal"].map((end) => (existsSync(file + end) ? readFileSync(file + end, "latin1") : ""));
  const channels = curfew()
    .workspace.channel("ops")
    .messages.map((message) => JSON.stringify(message));
  for (const place of [answer, ...database, ...curfew().logged, ...channels]) expect(place).not.toContain(plainPart);
}

it("an answer stays unchanged when a key is as short as a word", () => {
  const exchange = { kind: "answered", status: 200, headers: {}, text: '{"name":"build"}', body: "whole" } as const;
  expect(createRedactAnswer(["build"])(exchange)).toBe(exchange);
});

it.each(["\n", "\r\n  ", "\t"])("a key broken up by %j is hidden, though JSON escapes it", (space) => {
  const broken = secret.replace(/.{8}/g, `$&${space}`);
  const text = JSON.stringify({ name: `Other ${broken}` });
  const exchange = { kind: "answered", status: 200, headers: {}, text, body: "whole" } as const;
  expect(createRedactAnswer([secret])(exchange)).toMatchObject({ text: '{"name":"Other •••"}' });
});

it("an answer without the key stays unchanged, also with escapes", () => {
  const exchange = { kind: "answered", status: 200, headers: {}, text: '{ "name": "a\\nb" }', body: "whole" } as const;
  expect(createRedactAnswer([secret])(exchange)).toBe(exchange);
});

it.each([
  ["blanks within the first line of a key file", "-----BEGIN", " "],
  ["backslashes", "", "\\"],
  ["doubled signs of a URL", "%", "25"],
  ["doubled signs of HTML", "&", "amp;"],
  ["numbers with zeros", "&#", "0"],
])("redaction of a long text is fast with %s", async (_what, begin, piece) => {
  const redact = createRedact([secret, "-----BEGIN PRIVATE KEY-----\nabcdefghijklmnop\n-----END PRIVATE KEY-----\n"]);
  const text = begin + piece.repeat(Math.ceil(64_000 / piece.length));
  expect(await leastMs(() => redact(text))).toBeLessThan(400);
});
