import { isJsonObject } from "../../src/sandbox/workspace/json-object.ts";
import { type Formatted, readMrkdwn } from "./read-mrkdwn.ts";

/** Tries everything that mrkdwn can do, and to pass for a decision. Short enough to be shown whole. */
export const hostileName = "✅ *Approved*\n> Q1 _q_ ~q~ `q` :tada: <!here> Q2";

/** Whether the hostile name is in it. */
export const holdsName = (value: unknown): boolean => textsIn(value).some(({ text }) => text.includes("Q1"));

/** What is wrong with how the hostile name is shown in messages or views, at any depth. */
export const misdrawn = (value: unknown): readonly string[] =>
  textsIn(value).flatMap(({ text, isMrkdwn }) => [
    ...(isMrkdwn && /^[*_\s]*✅/m.test(text) ? [`starts a line: ${text}`] : []),
    ...(/^(?:>|&gt;) Q1/m.test(text) ? [`has several lines: ${text}`] : []),
    ...(isMrkdwn ? readMrkdwn(text).filter((part) => isTheirs(part, text)) : []).map(
      (part) => `${part.kind} ${part.text} in: ${text}`,
    ),
  ]);

/** Curfew writes in bold and code, and its own tags and signs. Of a name they hold all or nothing. */
function isTheirs({ kind, start, end, text }: Formatted, whole: string): boolean {
  switch (kind) {
    case "italic":
    case "struck":
    case "quote":
      return true;
    case "emoji":
      return text === ":tada:";
    case "tag":
      return !/^<(?:@[UW]\w+|#C\w+|!subteam\^S\w+|!date\^[^<>]*|https:[^<>]*)>$/.test(text);
    default:
      return [...whole.matchAll(/Q1(?:(?!Q1).)*?Q2/g)].some(({ index, 0: name }) => {
        const [from, to] = [index, index + name.length];
        return start < to && end > from && !(start <= from && end >= to);
      });
  }
}

interface Text {
  readonly text: string;
  readonly isMrkdwn: boolean;
}

/** The text of notifications is mrkdwn as well. What is shown exactly, in its own block, is left out. */
function textsIn(value: unknown): readonly Text[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isJsonObject(value) || value.type === "rich_text") return [];
  const { type, text } = value;
  const own = typeof text === "string" ? [{ text, isMrkdwn: type !== "plain_text" }] : [];
  return [...own, ...Object.values(value).flatMap(textsIn)];
}
