import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutMarks } from "../../src/slack/messages/plain-text.ts";
import { clip, clipMrkdwn, code, date, literal, md } from "../../src/slack/messages/text.ts";
import { hostileText } from "./hostile-text.ts";

const half = /\p{Surrogate}/u;

test("clips a long text and keeps a short one", () => {
  expect(clip("abcdef", 6)).toBe("abcdef");
  expect(clip("abcdef", 5)).toBe("abcd…");
});

test("never cuts a surrogate pair", () => {
  for (const limit of [10, 11]) {
    for (const cut of [clip("🦉".repeat(50), limit), literal("🦉".repeat(50), limit), literal("<🦉🦉<🦉🦉", limit)]) {
      expect(cut).not.toMatch(half);
      expect(cut.length).toBeLessThanOrEqual(limit);
    }
  }
});

test("escaped text never has a lone surrogate", () => {
  fc.assert(
    fc.property(hostileText, fc.integer({ min: 1, max: 200 }), (text, limit) => {
      expect(literal(text)).not.toMatch(half);
      expect(literal(text, limit)).not.toMatch(half);
    }),
  );
});

test("replaces characters that reverse the text after them", () => {
  for (const sign of ["\u202e", "\u202b", "\u2067"]) {
    expect(literal(`web${sign}`)).toBe("web\ufffd");
    expect(literal(`web${sign}`, 10)).toBe("web\ufffd");
  }
  expect(literal("שלום")).toBe("שלום");
});

test("shows letters that nobody sees, so that nothing hides in front of a line", () => {
  for (const sign of ["\u115f", "\u1160", "\u3164", "\uffa0", "\u034f", "\u17b4", "\u180e"])
    expect(literal(`${sign}✅ Approved by carol`)).toBe("“\ufffd✅ Approved by carol”");
  expect(literal("web\u2800\u2800 1")).toBe("web 1");
});

test("cuts mrkdwn before a date, a link or an escape, never within it", () => {
  const text = md`Until ${date(0, "UTC")} &amp; so on`;
  for (let limit = 10; limit < text.length; limit++) {
    const shown = clipMrkdwn(text, limit);
    expect(shown.length).toBeLessThanOrEqual(limit);
    expect(shown).toMatch(/^[^<&]*(?:<[^<>]+>[^<&]*)?(?:&amp;[^&]*)?$/);
  }
  expect(clipMrkdwn(text, text.length)).toBe(text);
});

test.each(["arn:aws:rds:eu-west-1:1:db:_x", "_web_ ~web~ `web` *web*"])("shows %s to programs as it is", (text) => {
  expect(literal(text)).not.toBe(text);
  expect(withoutMarks(literal(text))).toBe(text);
});

test("changes only the backticks of code", () => {
  expect(code("arn:aws:rds: *a* _b_ `c`\n<d>")).toBe("`arn:aws:rds: *a* _b_ ˋcˋ &lt;d&gt;`");
});
