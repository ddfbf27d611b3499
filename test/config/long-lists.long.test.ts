import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { settingsIn } from "../../src/config/read-settings.ts";
import { inOneGo } from "../../src/time/slices.ts";
import { wholeExample } from "../support/start-curfew.ts";

/** What the reader makes of a text when it reads long lists this many items at a time. */
function readBy(pieceSize: number, text: string) {
  const read = inOneGo(settingsIn(text, "c.yaml", pieceSize));
  return "problems" in read
    ? read
    : { settings: read.settings, lint: read.lint, at: read.placeOf(["directory", "users", 5, "email"]) };
}
const whole = (text: string) => readBy(Number.POSITIVE_INFINITY, text);

const top = "permissions: { roles: {} }\n";
const flow = (count: number, indent = "    ") =>
  Array.from(
    { length: count },
    (_, index) => `${indent}- { id: u-${index}, name: user ${index}, email: u${index}@example.com }\n`,
  );
const block = (count: number, indent = "  ") =>
  Array.from(
    { length: count },
    (_, index) =>
      `${indent}- id: u-${index}\n${indent}  name: >-\n${indent}     user\n\n${indent}     ${index}\n${indent}  email: u${index}@example.com # known\n`,
  );
const users = (lines: readonly string[]) => `directory:\n  users:\n${lines.join("")}`;
const lines = flow(11);
const withLine = (index: number, line: string) => users(lines.with(index, line));

describe("a long list that is read in pieces", () => {
  test.each(
    Object.entries({
      "of one line each": `${users(lines)}  projects:\n    - { id: p, name: P }\n`,
      "of several lines each, as indented as its name": `${users(block(9))}  projects: []\nchannels: {}\n`,
      "with comments and empty lines": users(lines.flatMap((line) => ["# who\n", line, "\n", "      # and who\n"])),
      "with carriage returns": users(lines).replaceAll("\n", "\r\n"),
      "of two kinds": `${users(lines)}  projects:\n${flow(8)
        .map((line) => line.replace(/, email.*/, " }").replaceAll("u-", "p-"))
        .join("")}`,
      "with an anchor in it": withLine(5, "    - &five { id: u-five, name: x }\n").replace(
        "name: user 9",
        "name: *five",
      ),
      "with an asterisk in a name": withLine(5, '    - { id: u-five, name: "*five* & six" }\n'),
      "after a directive": `%YAML 1.1\n---\n${users(lines)}`,
      "with an unknown key": withLine(6, "    - { id: u-6, nam: x }\n"),
      "with a key twice": withLine(6, "    - { id: u-6, name: x, id: u-6 }\n"),
      "with an impossible key": withLine(6, "    - { id: u-6, name: x, __proto__: {} }\n"),
      "with an id twice": withLine(9, "    - { id: u-1, name: again }\n"),
      "with a text instead of an entry": withLine(10, "    - somebody\n"),
      "with two problems": `${withLine(3, "    - { id: u-3 }\n").replace("u8@example.com", "nobody")}limits: { perPersonPerMinute: -1 }\n`,
      "with a brace too few": withLine(6, "    - { id: u-6, name: x\n"),
      "with a quote too few": withLine(6, '    - { id: u-6, name: "x }\n'),
      "with a wrong indentation": withLine(6, "   - { id: u-6, name: x }\n"),
      "of a name that is not known": users(lines).replace("users:", "people:"),
      "in a text": `directory: |\n  users:\n${lines.join("")}`,
      "of a directory that is there twice": `${users(lines)}directory: {}\n`,
    }),
  )("%s is read as in one piece", (_what, text) => {
    expect(readBy(2, top + text)).toEqual(whole(top + text));
  });

  test("is read as in one piece, wherever a character is missing or too many", () => {
    const text = `${top}${users([...flow(7), ...block(4, "    ").map((line) => line.replaceAll("u-", "v-"))])}`;
    const place = fc.nat({ max: text.length });
    const added = fc.constantFrom("", " ", "\n", '"', "'", "{", "}", "[", "-", ":", "#", "&", "*", "\t", "|");
    fc.assert(
      fc.property(place, added, fc.boolean(), (at, more, isInstead) => {
        const other = text.slice(0, at) + more + text.slice(isInstead ? at + 1 : at);
        expect(readBy(3, other)).toEqual(whole(other));
      }),
      { numRuns: 100 },
    );
  });

  test("keeps the place of each value", () => {
    const text = wholeExample.replace(/^directory:[\s\S]*$/m, users(lines));
    const line = text.split("\n").findIndex((each) => each.includes("u5@example.com"));
    expect(readBy(2, text)).toMatchObject({ at: `c.yaml:${line + 1}:39` });
  });

  test("has its mistakes reported near their place, however long it is", () => {
    const count = 5000;
    const mistaken = flow(count)
      .with(count - 2, `    - { id: u-1, nam: x, email: ${"e".repeat(20)} }\n`)
      .with(count / 2, `    - { id: u-x, name: "${"x".repeat(20)} }\n`);
    const text = top + users(mistaken);
    const syntax = readBy(50, text);
    expect(syntax).toEqual({ problems: [expect.stringMatching(/^c\.yaml:25[0-5]\d:/), expect.anything()] });
    const others = readBy(50, text.replace(/name: "x+/, "name: x"));
    const line = 3 + count - 1;
    expect(others).toEqual({
      problems: [
        `c.yaml:${line}:7 directory.users.${count - 2}.name: is missing`,
        `c.yaml:${line}:18 directory.users.${count - 2}.nam: unknown key "nam"; did you mean "name"?`,
        `c.yaml:${line}:33 directory.users.${count - 2}.email: must be an e-mail address`,
      ],
    });
  });
});
