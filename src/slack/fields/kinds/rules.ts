import type { RulesField, TagRule } from "../../../commands/field.ts";
import { nearestWord } from "../../../language/nearest-word.ts";
import { cut } from "../../messages/message.ts";
import { type FieldKind, inputActionId, missing, plainText, problem, type Reading, value } from "../field-kind.ts";

/** The comparisons seen in real services (API.md, "Observed"); the last two take no value. */
const compareTypes = [
  "equals",
  "does-not-equal",
  "contains",
  "does-not-contain",
  "starts-with",
  "does-not-start-with",
  "ends-with",
  "does-not-end-with",
  "exists",
  "does-not-exist",
];

export const rulesKind: FieldKind<RulesField> = {
  usage: () => '"name equals value"',
  example: () => '"name equals value"',
  fromLine: async (_field, words) =>
    read(
      words
        .map((word) => word.value)
        .join(" ")
        .split(/\n|;/),
    ),
  draw: async (_field, { value: rules, typed }) => {
    const text = Array.isArray(rules) ? rules.map(ruleText).join("\n") : (typed ?? "");
    return {
      type: "plain_text_input",
      action_id: inputActionId,
      multiline: true,
      placeholder: plainText("environment equals staging"),
      ...(text ? { initial_value: cut(text, 3000) } : {}),
    };
  },
  fromState: async (_field, state) => read((state.value ?? "").split("\n")),
};

/** A tag name with blanks is quoted. */
function ruleText({ tagName, compareType, tagValue }: TagRule): string {
  const name = /\s/.test(tagName) ? `"${tagName}"` : tagName;
  return [name, compareType, ...(tagValue ? [tagValue] : [])].join(" ");
}

function read(lines: readonly string[]): Reading {
  const given = lines.map((line) => line.trim()).filter(Boolean);
  if (given.length === 0) return missing;
  const rules = given.map(readRule);
  const wrong = rules.find((rule) => typeof rule === "string");
  return wrong === undefined ? value(rules) : problem(wrong);
}

/** The rule, or the problem with the line. */
function readRule(line: string): TagRule | string {
  const parts = /^(?:"([^"]+)"|(\S+))\s+(\S+)(?:\s+(\S.*))?$/.exec(line);
  if (!parts) return `“${line}” is not a rule such as “name equals value”.`;
  const [, quoted, plain = "", comparison = "", tagValue] = parts;
  const compareType = comparison.toLowerCase();
  if (!compareTypes.includes(compareType)) {
    const near = nearestWord(compareType, compareTypes);
    return `“${comparison}” in “${line}” is not a comparison.${near ? ` Did you mean “${near.word}”?` : ""}`;
  }
  const needsValue = !compareType.endsWith("exists") && !compareType.endsWith("exist");
  if (needsValue && tagValue === undefined) return `“${line}” needs a value to compare with.`;
  return { tagName: quoted ?? plain, compareType, ...(tagValue === undefined ? {} : { tagValue }) };
}
