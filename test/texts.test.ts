import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { textsIn } from "./support/texts-in.ts";

/** The folders and files of src whose texts people see in Slack. Those of the others are for operators. */
const shown = "changes commands directory language outbox.ts permissions slack time".split(" ");
const forOperators = ["slack/connection/", "slack/checks/"];
const wordLists = [
  "language/time-words/",
  "language/sense/frame",
  "language/sense/lexicon",
  "language/sense/account-frames",
  "language/sense/account-words",
  "language/sense/other-frames",
  "language/sense/request-frames",
  "language/sense/question-frames",
];

interface Text {
  readonly file: string;
  /** With "…" for each value in it. */
  readonly text: string;
}

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => shown.includes(file.split("/")[0] ?? ""))
  .filter((file) => file.endsWith(".ts") && ![...forOperators, ...wordLists].some((folder) => file.startsWith(folder)))
  .sort();
const texts: readonly Text[] = files.flatMap((file) =>
  textsIn(readFileSync(join("src", file), "utf8")).map((text) => ({ file, text })),
);

test("every text that Slack shows is listed in one file, for a reader to judge the voice", async () => {
  const listed = files.flatMap((file) => {
    const lines = texts.filter((text) => text.file === file).map(({ text }) => `- ${text.replaceAll("\n", "⏎")}`);
    return lines.length === 0 ? [] : [[`## ${file}`, ...lines].join("\n")];
  });
  await expect(`${listed.join("\n\n")}\n`).toMatchFileSnapshot("texts.snapshot");
});

test("no text has more than 12 words a sentence on average", () => {
  const long = texts.filter(({ text }) => wordsIn(text) / sentencesIn(text) > 12);
  expect(long).toEqual([]);
});

test("no text has a word that nobody uses in a chat", () => {
  const stilted = /\b(?:shall|meanwhile|told|asked to|of its own)\b/i;
  expect(texts.filter(({ text }) => stilted.test(text))).toEqual([]);
});

test("no sentence has Slack's marks: people and the service write into it, so all of it is literal", () => {
  expect(texts.filter(({ text }) => text.includes("`"))).toEqual([]);
});

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}…]/u.test(word)).length;
}

function sentencesIn(text: string): number {
  return text.split(/[.!?:;](?=\s|…|$)|\n/).filter((part) => /\p{L}/u.test(part)).length || 1;
}
