import fc from "fast-check";
import { expect, test } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import { namesFrom } from "../../src/language/sense/names.ts";
import { readParts } from "../../src/slack/fields/read-fields.ts";
import { understandLine } from "../../src/slack/listeners/line/understand-line.ts";
import { someSettings } from "../changes/build.ts";
import { aReadingContext } from "../slack/build.ts";

const group = { type: "amazon-ec2-instance", project: "p-dev", ids: ["i-0a1", "i-0a2"] } as const;
const context = aReadingContext({ settings: { ...someSettings(), resourceGroups: { staging: group, web: group } } });

const openings = ["", "please", "can you", "hi curfew, could you"];
const verbs = [
  ...["exclude @", "keep @ up", "keep @ running", "don't stop @", "exclude @ from stopping"],
  ...["extend ae-1", "end ae-1", "disable bob", "enable alice", "remove mfa bob", "reset mfa for the user bob"],
];
const things = ["staging", "web", "the staging", "i-0a1", "i-0a1 and i-0a2", "i-0b1, i-0b2", "staging, web"];
const moments = ["", "for 2h", "2 hours", "until 18:00", "until tomorrow 9am", "tonight", "until monday", "till eod"];
const flags = ["", "--project p-dev", "--process both", "--type amazon-ec2-instance"];

/** Lines that mostly do something. */
const line = fc
  .tuple(...[openings, verbs, things, moments, flags].map((words) => fc.constantFrom(...words)))
  .map(([opening, verb = "", thing = "", time, flag]) =>
    [opening, verb.replace("@", thing), time, flag].filter(Boolean).join(" ").split(" "),
  );

/** Words that mean nothing to Curfew: some that people use, and some that nobody does. */
const foreign = fc.oneof(
  fc.constantFrom(
    ..."everything not never but except maybe unless production customer demo".split(" "),
    ..."important whatever remember nothing other both-of-them friend's".split(" "),
  ),
  fc.stringMatching(/^[bcdfghjklmnpqrstvwxz]{4,9}$/),
);

/** Whether the line would be sent off as it is. */
async function isComplete(words: readonly string[]): Promise<boolean> {
  const split = understandLine(
    words.join(" "),
    catalogue,
    context,
    namesFrom(["staging", "web"].map((name) => ({ kind: "thing", name }))),
  );
  if (split.kind === "unclear" || split.unexplained.length > 0 || split.problems.length > 0) return false;
  if (split.command.kind !== "change") return false;
  const { missing, problems, choices } = await readParts(split.command, split.parts, context, split.sets);
  return missing.length === 0 && Object.keys({ ...problems, ...choices }).length === 0;
}

test("no line with a word that means nothing is ever done", { timeout: 300_000 }, async () => {
  let complete = 0;
  await fc.assert(
    fc.asyncProperty(line, foreign, fc.nat(), async (words, word, place) => {
      // Looked at now and then: that the lines do something without the word.
      if (place % 20 === 0 && (await isComplete(words))) complete++;
      const at = place % (words.length + 1);
      const with_ = [...words.slice(0, at), word, ...words.slice(at)];
      expect(await isComplete(with_), with_.join(" ")).toBe(false);
    }),
    // So each of these verbs meets each of these words some five times, at any place.
    { numRuns: 3000 },
  );
  expect(complete, "most lines without that word are done").toBeGreaterThan(25);
});
