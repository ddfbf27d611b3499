import fc from "fast-check";
import { isJsonObject } from "../../src/sandbox/workspace/json-object.ts";

const pieces = [
  "<!channel>",
  "<!here|here>",
  "<!everyone>",
  "<@U02BOB>",
  "<@U02BOB|bob>",
  "<!subteam^S0ENGINEERS>",
  "<#C0OPS|ops>",
  "<https://evil.example|click here>",
  "<!date^1795176000^{date}|never>",
  "&lt;!channel&gt;",
  "&amp;lt;!here&amp;gt;",
  "@channel",
  "https://evil.example",
  "<",
  ">",
  "&",
  "|",
  "*",
  "`",
  "~_*",
  ":tada:",
  "_x_",
  "\n> ",
  '"',
  "“",
  "\\",
  "\u0000",
  "\u202e",
  "\ud83d",
  "🦉",
  " ",
  "x",
];

/** Text that tries to ping a channel, break a layout or overflow a limit. Never empty. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...pieces),
  fc.string({ minLength: 1 }),
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { minLength: 1, maxLength: 12 })
    .map((all) => `x${all.join("")}`),
  fc
    .tuple(fc.constantFrom("&", "<", "x", "🦉", "<!here>"), fc.integer({ min: 70, max: 5000 }))
    .map(([piece, length]) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)),
);

/** Hostile text of at most `length` characters. */
export const hostileUpTo = (length: number): fc.Arbitrary<string> =>
  hostileText.map((text) => text.slice(0, length).trim() || "x");

/** Every mrkdwn text inside, at any depth, with its `verbatim`. */
export function mrkdwnIn(value: unknown): readonly { readonly text: string; readonly verbatim: unknown }[] {
  if (Array.isArray(value)) return value.flatMap(mrkdwnIn);
  if (!isJsonObject(value)) return [];
  if (value.type === "mrkdwn" && typeof value.text === "string")
    return [{ text: value.text, verbatim: value.verbatim }];
  return Object.values(value).flatMap(mrkdwnIn);
}
