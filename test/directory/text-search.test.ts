import fc from "fast-check";
import { expect, test } from "vitest";
import { createTextSearch } from "../../src/directory/text-search.ts";

const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é", "😀"), maxLength: 6 });

test("whatever is looked for is found in the texts that contain it, in their order, and nowhere between two", () => {
  fc.assert(
    fc.property(fc.array(letters), letters, fc.integer({ min: 1, max: 5 }), (texts, part, limit) => {
      const things = texts.map((text, index) => ({ text, index }));
      const search = createTextSearch(things, texts);
      expect(search(part, limit)).toEqual(things.filter(({ text }) => text.includes(part)).slice(0, limit));
    }),
  );
});

test("what stands between two texts is not found", () => {
  expect(createTextSearch(["a", "b"], ["a", "b"])("a\0b", 5)).toEqual([]);
});
