import fc from "fast-check";

/** Any UTF-16 text, including broken surrogates. Half of the texts are plain ASCII. */
export const anyText = fc.oneof(
  fc.string({ maxLength: 150 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 150 }).map((units) => String.fromCharCode(...units)),
);
