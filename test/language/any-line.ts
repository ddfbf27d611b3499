import fc from "fast-check";
import { catalogue } from "../../src/commands/catalogue.ts";
import { namesOf } from "../../src/language/names-of.ts";
import { flagOf } from "../../src/language/take-flags.ts";
import { hostileText } from "../slack/hostile-text.ts";
import { anyText } from "../time/any-text.ts";

const names = catalogue.flatMap(namesOf);
const flags = [...new Set(catalogue.flatMap(({ fields }) => Object.keys(fields)))].map((name) => `--${flagOf(name)}`);
const values = [
  ..."for 2h until 18:00 fri 6pm i-0a1 staging p-dev u-00000001 bob stop mine all google-auth ae-1 chg-1 2 constructor".split(
    " ",
  ),
  "for",
  "until",
  "__proto__",
  "<@U02BOB|bob>",
  "<mailto:bob@example.com|bob@example.com>",
  "--",
  "—until",
  "--reason=",
  '"two words"',
  "“curly”",
  '"unclosed',
  "'",
];

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...values) },
  { weight: 2, arbitrary: fc.constantFrom(...flags) },
  fc.constantFrom(...names),
  hostileText,
  anyText,
);

/** Lines to type after `/curfew`: mostly commands with more or less fitting words, and arbitrary text. */
export const anyLine: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...names), fc.array(piece, { maxLength: 7 }))
      .map(([name, rest]) => [name, ...rest].join(" ")),
  },
  fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(" ")),
  anyText,
);
