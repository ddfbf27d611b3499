import { createHash } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { printCheckResults } from "../../src/cli/doctor.ts";
import { plainText } from "../../src/slack/fields/field-kind.ts";
import { literal } from "../../src/slack/messages/text.ts";
import { aChange, noon } from "../changes/build.ts";
import { runWithArgs } from "../cli/run-with-args.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { newDatabase, urlOf } from "../support/new-database.ts";

const unsafe: Readonly<Record<string, string>> = {
  ESC: "\u001b[31m",
  "an operating system command": "\u001b]0;owned\u0007",
  "CSI in one byte": "\u009b2J",
  DEL: "\u007f",
  "a backspace": "\b\b",
  "a carriage return": "\rover",
  "a right-to-left override": "\u202egpj.exe",
  "an isolate": "\u2066\u2069",
  "a direction mark": "\u200f\u061c",
  "a zero-width space": "a\u200bb",
  "a byte order mark": "\ufeffx",
  "a word joiner": "a\u2060b",
  "a soft hyphen": "a\u00adb",
  tags: "\u{e0041}",
  "a line separator": "a\u2028b\u2029",
  "an annotation": "\ufff9\ufffa\ufffb",
};
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const withoutLineEnds = (text: string) => text.replaceAll("\n", "").replaceAll("\r\n", "");

/** The export of changes with these reasons. */
async function exported(reasons: readonly string[], format: "csv" | "jsonl") {
  const database = await newDatabase();
  const store = await openTestStore(database);
  for (const [index, reason] of reasons.entries())
    await store.begin(aChange({ id: `chg-${index}`, reason, requestedAt: noon }));
  return runWithArgs(["audit", "export", "--format", format], { env: { DATABASE_URL: urlOf(database) } });
}

const exportedLine = z.object({
  previousHash: z.string(),
  hash: z.string(),
  texts: z.object({ salt: z.string(), texts: z.array(z.string()) }),
  content: z.unknown(),
});
const told = z.object({ texts: z.string(), change: z.object({ reason: z.string() }) });

describe("what steers a terminal", () => {
  it("is escaped in CSV", async () => {
    const { code, output } = await exported(Object.values(unsafe), "csv");
    expect(code).toBe(0);
    for (const line of output.split("\r\n")) expect(withoutLineEnds(line)).not.toMatch(steering);
  });

  it("is escaped in JSON, with the same value and hash", async () => {
    const { output } = await exported(Object.values(unsafe), "jsonl");
    expect(withoutLineEnds(output)).not.toMatch(steering);
    const lines = output.trimEnd().split("\n");
    for (const [index, [what, text]] of Object.entries(unsafe).entries()) {
      const { content, previousHash, hash, texts } = exportedLine.parse(JSON.parse(lines[index] ?? ""));
      const apart = told.parse(content);
      expect(texts.texts[Number(apart.change.reason.slice(1))], what).toBe(text);
      expect(createHash("sha256").update(JSON.stringify(texts)).digest("hex"), what).toBe(apart.texts);
      const covered = `{"content":${JSON.stringify(content)},"previous":"${previousHash}"}`;
      expect(createHash("sha256").update(covered).digest("hex"), what).toBe(hash);
    }
  });

  it("does not reach a terminal through check, can, audit or doctor", async () => {
    const text = Object.values(unsafe).join("x");
    const files = {
      "curfew.yaml": `permissions:\n  roles:\n    ${JSON.stringify(`x${text}`)}: { members: [], allow: [Nope${JSON.stringify(text)}] }\n`,
    };
    const env = { CURFEW_CONFIG: "curfew.yaml", DATABASE_URL: `sqlite:/nowhere/${text}` };
    const ended = await Promise.all([
      runWithArgs(["check"], { env, files }),
      runWithArgs(["check", `--config=${text}`], { files }),
      runWithArgs(["can", `U${text}`, "ListActions"], { env, files }),
      runWithArgs(["audit", "verify"], { env }),
      runWithArgs([text], {}),
    ]);
    for (const { output, errors } of ended) expect(withoutLineEnds(output + errors)).not.toMatch(steering);
    const result = { name: "slack", verdict: "failed", what: `in ${text}`, whatToDo: text } as const;
    expect(withoutLineEnds(printCheckResults([result]))).not.toMatch(steering);
  });
});

describe("a spreadsheet", () => {
  /** The start of the cells with these reasons. */
  const cells = async (reasons: readonly string[]) => {
    const { output } = await exported(reasons, "csv");
    const found = output.split(",C0OPS,").slice(1);
    expect(found).toHaveLength(reasons.length);
    return found;
  };

  it("does not treat text that begins with a sign as a formula", async () => {
    const signs = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫", "−"];
    const signed = (all: readonly string[]) => signs.flatMap((sign) => all.map((before) => `${before}${sign}1+1`));
    const spaces = ["", " ", "\u00a0", "\u3000", "\n", "\r", "\r\n"];
    for (const cell of await cells(signed(spaces))) expect(cell).toMatch(/^"?'/);
    const unseen = ["\t", "\u200b", "\ufeff", "\u202e", "\u001b"];
    for (const cell of await cells(signed(unseen))) expect(cell).toMatch(/^\\u/);
  });

  it("shows harmless text unchanged", async () => {
    const texts = ["staging 1=1", "zażółć 🦉", "1 - 2"];
    const found = await cells(texts);
    for (const [index, text] of texts.entries()) expect(found[index]).toContain(`${text},`);
  });
});

test("names in Slack cannot reverse, hide or steer text, but joined emoji and direction marks stay", () => {
  for (const text of ["\u202e", "\u2067", "\u200b", "\u2060", "\ufeff", "\u0007", "\u001b", "\u009b"]) {
    expect(literal(`a${text}b`)).toBe("a\ufffdb");
    expect(plainText(`a${text}b`).text).toBe("a\ufffdb");
  }
  for (const text of ["a 👩‍💻", "שלום\u200f!"]) {
    expect(literal(text)).toBe(text);
    expect(plainText(text).text).toBe(text);
  }
  expect(literal("a\tb\nc")).toBe("a b c");
});
