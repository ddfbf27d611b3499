import { expect, test } from "vitest";
import { compareSettings } from "../../src/config/compare-settings.ts";
import { parseSettings } from "../../src/config/read-settings.ts";
import { someSettings } from "../changes/build.ts";

const base = `permissions:
  roles:
    ops: { members: [U01ALICE], allow: [CreateActionExclusion, ModifyActionExclusion], where: { channels: [C0OPS] } }
    admin: { members: [U03CAROL], allow: ["*"] }
    bots: { members: [], allow: [reads] }
announce:
  - { operations: ["*"], channel: C0OPS }
`;
const [a, b, c] = ["a", "b", "c"].map((digit) => digit.repeat(64));
const bot = (facts: string) =>
  `${base}callers:\n${facts
    .split("|")
    .map((each) => `  - { ${each} }\n`)
    .join("")}`;
const good = `name: deploy-bot, tokenSha256: ${a}, role: bots, channel: C0OPS`;

function problemsIn(text: string): string {
  const read = parseSettings(text, "c.yaml");
  return ("problems" in read ? read.problems : [...read.lint.error, ...read.lint.warning]).join("\n");
}

test("callers are read, with one token or two, and hold their role", () => {
  const { callers, policy } = someSettings(
    bot(`${good}|name: b, tokenSha256: [${b}, ${c}], role: ops, channel: C0OPS`),
  );
  expect(callers.map(({ tokenSha256 }) => tokenSha256)).toEqual([[a], [b, c]]);
  expect(policy.roles.map(({ programs }) => [...programs])).toEqual([["caller:b"], [], ["caller:deploy-bot"]]);
  expect(someSettings(base).callers).toEqual([]);
  expect(problemsIn(bot(good))).toBe("");
  // Who is no member has no other role by which to extend what this one made.
  expect(problemsIn(bot(good).replace("allow: [reads]", "allow: [CreateActionExclusion]"))).toBe("");
});

test.each([
  ["an unknown role", good.replace("bots", "bot"), 'unknown role "bot"; did you mean "bots"?'],
  ["a channel's name", good.replace("C0OPS", "ops"), "use the id, not the name"],
  ["a token instead of its hash", good.replace(a ?? "", "secret-token"), "must be one hash of a token"],
  [
    "a token that anybody guesses",
    good.replace(a ?? "", "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"),
    "callers.0.tokenSha256",
  ],
  ["three tokens", good.replace(a ?? "", `[${a}, ${b}, ${c}]`), "at most two hashes"],
  ["the same token twice", good.replace(a ?? "", `[${a}, ${a}]`), "callers.0.tokenSha256"],
  ["another's name", `${good}|${good.replace(a ?? "", b ?? "")}`, '"deploy-bot" is listed twice'],
  ["another's token", `${good}|${good.replace("deploy-bot", "b")}`, "another caller has the same token"],
  ["a name with a colon", good.replace("deploy-bot", '"a:b"'), "must be a name such as deploy-bot"],
  ["an unknown zone", `${good}, zone: Mars`, "unknown time zone"],
  [
    "a channel that nothing names",
    good.replace("C0OPS", "C0ELSE"),
    "nothing else in this file names the channel C0ELSE",
  ],
  ["a role for another channel", good.replace("bots", "ops").replace("C0OPS", "C0ELSE"), "allows nothing in C0ELSE"],
  ["a role for everything", good.replace("bots", "admin"), "its role allows everything"],
])("check says what is wrong with %s", (_what, caller, said) => {
  expect(problemsIn(bot(caller))).toContain(said);
});

test("a new caller, another role, token or channel loosens; a removed one tightens", () => {
  const compare = (next: string, old: string) => compareSettings(someSettings(next), someSettings(old));
  expect(compare(bot(good), base).loosens).toEqual(["The pipeline deploy-bot can ask, as “bots”."]);
  expect(compare(base, bot(good))).toMatchObject({
    loosens: [],
    tightens: expect.arrayContaining(["callers.deploy-bot"]),
  });
  expect(compare(bot(good.replace("bots", "admin")), bot(good)).loosens).toEqual([
    "callers.deploy-bot.role is admin, instead of bots.",
  ]);
  expect(compare(base, base.replace(/^ {4}bots.*\n/m, "")).loosens).toEqual([
    expect.stringMatching(/^The role “bots” is new, and lets nobody do /),
  ]);
  expect(compare(bot(good.replace(a ?? "", `[${a}, ${b}]`)), bot(good)).loosens).toEqual([
    "The pipeline deploy-bot has another token.",
  ]);
  expect(compare(bot(good), bot(good.replace(a ?? "", `[${a}, ${b}]`))).loosens).toEqual([]);
  expect(compare(bot(`${good}, zone: Asia/Tokyo`), bot(good)).loosens).toEqual([
    "callers.deploy-bot.zone is Asia/Tokyo, instead of none.",
  ]);
});
