import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * How much Curfew says: the words of every message that thirty journeys leave behind, the longest of them, and those with words that
 * are not people's. `npm run words -- --all` prints each message.
 */
const journeys = [
  ...["account-owner", "account-reasons", "already-excluded", "announcements", "answers", "approvals", "asked-already"],
  ...["asking", "budgets", "changes", "credentials", "direct-message", "end-button", "ended-in-service"],
  ...[
    "exclusion-card",
    "exclusion-edit",
    "exclusion-ends",
    "exclusion-form",
    "extend-once",
    "groups",
    "mentions",
    "offboard",
  ],
  ...["own-warnings", "planned", "queries", "status", "undo", "unknown-outcomes", "warnings", "why-and-next"],
];

/** Words of the program that people need not know. */
const notPeoples = /\bexclusions?\b|\bexclude[sd]?\b|--another|changes nothing yet|never used this right/i;
const ids = /\b(?:aex|chg)-\w/;
/** Details, and what went wrong, waits or is open, where an id may have to be named. */
const mayHaveIds = /^(?:\*Change chg-|🔔|❌|❔|⚠️|🟡|❓|⏳|ℹ️|Resources: )/u;
const isUnlike = (text: string): boolean => {
  // What somebody said is repeated in their words.
  const own = text.replaceAll(/“[^”]*”|`\/[^`]*`|^Resources: .*$/gm, "");
  return notPeoples.test(own) || (ids.test(own) && !mayHaveIds.test(text));
};
const longest = 60;

const folder = mkdtempSync(join(tmpdir(), "curfew-words-"));
const file = join(folder, "posted.jsonl");
writeFileSync(file, "");
const files = journeys.map((name) => `test/journeys/${name}.test.ts`);
const { status, stdout } = spawnSync(
  "npx",
  ["vitest", "run", "--config", "test/vitest.config.ts", "--project", "sqlite", "--maxWorkers=2", ...files],
  // Always the same Wednesday noon: what is off at night or at a weekend is said too.
  {
    env: { ...process.env, CURFEW_POSTED: file, CURFEW_TEST_START: String(Date.parse("2026-11-25T11:00:00Z")) },
    encoding: "utf8",
  },
);
const messages: string[] = readFileSync(file, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));
rmSync(folder, { recursive: true });

/** Without the entries of a menu, which nobody reads before it opens. */
const count = (text: string) =>
  text
    .replaceAll(/⋯ [^\]]*/g, "")
    .split(/\s+/)
    .filter((word) => /\w/.test(word)).length;
const words = messages.reduce((sum, text) => sum + count(text), 0);
/** What was asked for as a list, by its rows, or as all that is known: details, a profile, help, who may. */
const isList = (text: string) =>
  text.split("\n").filter((line) => /^\[ |^🆕 /u.test(line)).length > 1 ||
  /^\*(?:Change chg-|What you may|Say it|You may keep|\w+ may do this)|\*User\*/m.test(text);
const long = messages.filter((text) => count(text) > longest && !isList(text));
const unlike = messages.filter(isUnlike);
const unique = (texts: readonly string[]) => [...new Set(texts)].toSorted((one, other) => count(other) - count(one));
const lines = [
  ...(process.argv.includes("--all") ? messages : []),
  ...unique(long)
    .slice(0, 10)
    .map((text) => `${count(text)} words:\n${text}\n`),
  ...unique(unlike)
    .slice(0, 10)
    .map((text) => `not people's words:\n${text}\n`),
  ...(status === 0
    ? []
    : [stdout.slice(-3000), "Some journeys failed: what they post is counted as far as they came.\n"]),
  `messages                     ${messages.length}`,
  `words                        ${words}`,
  `words a message              ${(words / messages.length).toFixed(1)}`,
  `over ${longest} words, no list       ${long.length}`,
  `with words not people's      ${unlike.length}`,
];
process.stdout.write(`${lines.join("\n")}\n`);
