import type { RulesField, TagRule } from "../../../commands/field.ts";
import { nearestWord } from "../../../language/nearest-word.ts";
import type { Word } from "../../../language/tokenize.ts";
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
  usage: () => "<name>=<value>,…",
  example: () => "Environment=staging",
  fromLine: async (_field, words) => read(words.map(withQuotes).join(" ").split(/\n|;/)),
  draw: async (_field, { value: rules, typed }) => {
    const text = Array.isArray(rules) ? rules.map(ruleText).join("\n") : (typed ?? "");
    return {
      type: "plain_text_input",
      action_id: inputActionId,
      multiline: true,
      placeholder: plainText("Environment=staging"),
      ...(text ? { initial_value: cut(text, 3000) } : {}),
    };
  },
  fromState: async (_field, state) => read((state.value ?? "").split("\n")),
};

/** On a line the quotes around a value are gone: `Team="web shop"`. */
function withQuotes({ value: typed, isQuoted }: Word): string {
  const [, name, compare, quoted = ""] = (isQuoted && /^([^\s=!"]+)(!?==?)([^="]*)$/.exec(typed)) || [];
  return /\s/.test(quoted) ? `${name}${compare}"${quoted}"` : typed;
}

/** A tag name with blanks is quoted. */
function ruleText({ tagName, compareType, tagValue }: TagRule): string {
  const name = /\s/.test(tagName) ? `"${tagName}"` : tagName;
  return [name, compareType, ...(tagValue ? [tagValue] : [])].join(" ");
}

function read(lines: readonly string[]): Reading {
  const given = lines.map((line) => line.trim()).filter(Boolean);
  if (given.length === 0) return missing;
  const rules = given.flatMap((line) => readSigns(line) ?? readRule(line));
  const wrong = rules.find((rule) => typeof rule === "string");
  return wrong === undefined ? value(rules) : problem(wrong);
}

const sign = /(?:"([^"]+)"|([^\s=!,"]+))\s*(!?==?)\s*(?:"([^"]*)"|([^\s,"]+))/y;
const between = /[\s,]*/y;

/** `Environment=staging, Team!="web shop"`: undefined when the line is not written so. */
function readSigns(line: string): readonly TagRule[] | undefined {
  const rules: TagRule[] = [];
  for (let at = 0; at < line.length; at = between.lastIndex) {
    sign.lastIndex = at;
    const [, quoted, plain = "", comparison, quotedValue, plainValue = ""] = sign.exec(line) ?? [];
    if (comparison === undefined) return undefined;
    const compareType = comparison.startsWith("!") ? "does-not-equal" : "equals";
    rules.push({ tagName: quoted ?? plain, compareType, tagValue: quotedValue ?? plainValue });
    between.lastIndex = sign.lastIndex;
    between.exec(line);
  }
  return rules;
}

/** The rule, or the problem with the line. */
function readRule(line: string): TagRule | string {
  const parts = /^(?:"([^"]+)"|(\S+))\s+(\S+)(?:\s+(\S.*))?$/.exec(line);
  const [, quoted, plain = "", comparison = "", tagValue] = parts ?? [];
  const compareType = comparison.toLowerCase();
  if (!parts || (line.includes("=") && !compareTypes.includes(compareType)))
    return `“${line}” is not a rule such as “Environment=staging” or “name equals value”.`;
  if (!compareTypes.includes(compareType)) {
    const near = nearestWord(compareType, compareTypes);
    return `“${comparison}” in “${line}” is not a comparison.${near ? ` Did you mean “${near.word}”?` : ""}`;
  }
  const needsValue = !compareType.endsWith("exists") && !compareType.endsWith("exist");
  if (needsValue && tagValue === undefined) return `“${line}” needs a value to compare with.`;
  return { tagName: quoted ?? plain, compareType, ...(tagValue === undefined ? {} : { tagValue }) };
}
