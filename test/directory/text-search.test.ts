import fc from "fast-check";
import { expect, test } from "vitest";
import { createTextSearch } from "../../src/directory/text-search.ts";

const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é", "😀"), maxLength: 6 });

test("finds every text that contains the part, in order, and no match across two texts", () => {
  fc.assert(
    fc.property(fc.array(letters), letters, fc.integer({ min: 1, max: 5 }), (texts, part, limit) => {
      const items = texts.map((text, index) => ({ text, index }));
      const search = createTextSearch(items, texts);
      expect(search(part, limit)).toEqual(items.filter(({ text }) => text.includes(part)).slice(0, limit));
    }),
  );
});

test("does not find the separator between two texts", () => {
  expect(createTextSearch(["a", "b"], ["a", "b"])("a\0b", 5)).toEqual([]);
});
