import fc from "fast-check";
import { expect, test } from "vitest";
import { clip, clipMrkdwn, date, escapeMrkdwn, escapeWithin } from "../../src/slack/messages/message.ts";
import { hostileText } from "./hostile-text.ts";

const half = /\p{Surrogate}/u;

test("clips a long text and keeps a short one", () => {
  expect(clip("abcdef", 6)).toBe("abcdef");
  expect(clip("abcdef", 5)).toBe("abcd…");
});

test("never cuts a surrogate pair", () => {
  for (const limit of [10, 11]) {
    for (const cut of [
      clip("🦉".repeat(50), limit),
      escapeWithin("🦉".repeat(50), limit),
      escapeWithin("<🦉🦉<🦉🦉", limit),
    ]) {
      expect(cut).not.toMatch(half);
      expect(cut.length).toBeLessThanOrEqual(limit);
    }
  }
});

test("escaped text never has a lone surrogate", () => {
  fc.assert(
    fc.property(hostileText, fc.integer({ min: 1, max: 200 }), (text, limit) => {
      expect(escapeMrkdwn(text)).not.toMatch(half);
      expect(escapeWithin(text, limit)).not.toMatch(half);
    }),
  );
});

test("replaces characters that reverse the text after them", () => {
  for (const sign of ["\u202e", "\u202b", "\u2067"]) {
    expect(escapeMrkdwn(`web${sign}`)).toBe("web\ufffd");
    expect(escapeWithin(`web${sign}`, 10)).toBe("web\ufffd");
  }
  expect(escapeMrkdwn("שלום")).toBe("שלום");
});

test("cuts mrkdwn before a date, a link or an escape, never within it", () => {
  const text = `Until ${date(0, "UTC")} &amp; so on`;
  for (let limit = 10; limit < text.length; limit++) {
    const shown = clipMrkdwn(text, limit);
    expect(shown.length).toBeLessThanOrEqual(limit);
    expect(shown).toMatch(/^[^<&]*(?:<[^<>]+>[^<&]*)?(?:&amp;[^&]*)?$/);
  }
  expect(clipMrkdwn(text, text.length)).toBe(text);
});
