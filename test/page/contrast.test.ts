import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const tokens = readFileSync("src/sandbox/page/client/styles/tokens.css", "utf8");
const [light = "", dark = ""] = tokens.split("@media (prefers-color-scheme: dark)");

/** Text colors with their background colors. */
const pairs = [
  ["text", "ground"],
  ["text", "side"],
  ["text", "raised"],
  ["text", "tint"],
  ["text", "warm"],
  ["text", "line"],
  ["text", "code"],
  ["quiet", "ground"],
  ["quiet", "side"],
  ["quiet", "raised"],
  ["quiet", "warm"],
  ["accent", "ground"],
  ["accent", "side"],
  ["accent", "tint"],
  ["accent", "warm"],
  ["on-accent", "accent-ground"],
  ["on-accent", "danger-ground"],
  ["danger", "ground"],
  ["danger", "raised"],
  ["good", "ground"],
  ["good", "warm"],
] as const;

test.each([
  ["light", light],
  ["dark", dark],
])("text has enough contrast in %s (WCAG 2, AA)", (_scheme, css) => {
  const tooFaint = pairs.filter(([text, ground]) => contrast(color(css, text), color(css, ground)) < 4.5);
  expect(tooFaint).toEqual([]);
});

test.each([
  ["light", light],
  ["dark", dark],
])("field borders have enough contrast in %s", (_scheme, css) => {
  for (const ground of ["ground", "raised", "side"]) {
    expect(contrast(color(css, "field-line"), color(css, ground))).toBeGreaterThanOrEqual(3);
  }
});

test.each([
  ["light", light],
  ["dark", dark],
])("the palest emoji are seen in %s", (_scheme, css) => {
  const share = Number(/--pale: brightness\(([\d.]+)\);/.exec(css)?.[1] ?? 1);
  // Of the white circle and the grey question mark in emoji.woff2.
  for (const hex of ["e6e7e8", "ccd6dd"])
    for (const ground of ["ground", "raised", "side"]) {
      const drawn = partsOf(hex).map((part) => part * share);
      expect(contrast(drawn, color(css, ground))).toBeGreaterThanOrEqual(3);
    }
});

/** The dark scheme defines only the colors that differ. */
function color(css: string, name: string): readonly number[] {
  const find = (text: string) => new RegExp(`--${name}: #([0-9a-f]{6});`).exec(text)?.[1];
  const hex = find(css) ?? find(light);
  if (hex === undefined) throw new Error(`tokens.css has no color --${name}.`);
  return partsOf(hex);
}

function partsOf(hex: string): readonly number[] {
  return [0, 2, 4].map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255);
}

function contrast(one: readonly number[], other: readonly number[]): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(parts: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
