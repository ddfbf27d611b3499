import { withoutFillers, withoutOpening } from "../../../language/fillers.ts";
import { maxLineLength, type UnclearLine } from "../../../language/split-line.ts";
import { tokenize } from "../../../language/tokenize.ts";

/** The line in a message, or why there is none. */
export type Addressed = { readonly kind: "line"; readonly text: string } | UnclearLine;

interface Said {
  readonly isDirect: boolean;
  /** In a thread. */
  readonly isReply: boolean;
}

/**
 * The line after the mention of Curfew. In a direct message that mention may be left out. Undefined for what is not said to Curfew:
 * Slack may also deliver replies that name it elsewhere or not at all.
 */
export function addressedLine(
  text: string,
  { isDirect, isReply }: Said,
  { botUserId, slashCommand }: { readonly botUserId: string | undefined; readonly slashCommand: string },
): Addressed | undefined {
  const found = findMention(text, botUserId);
  const isFirst = found !== undefined && isGreeting(text.slice(0, found.start));
  if (!isFirst && !isDirect) return found && !isReply ? unclear(notFirst) : undefined;
  // It is refused for its length, so nothing more need be read of it.
  if (text.length > 2 * maxLineLength) return { kind: "line", text };
  const said = isFirst ? afterMentions(text.slice(found.end), botUserId) : text;
  const lines = said
    .replaceAll("```", "\n")
    .split(/[\r\n\u2028\u2029]+/)
    .map(asPlain)
    .filter(Boolean);
  // Mere thanks are answered.
  const thanks = lines.find((each) => /\b(?:thanks|thank|thx|cheers)\b/i.test(each));
  const [line = thanks ?? "", ...others] = lines.filter((each) => !isGreeting(each));
  if (others.length > 0) return unclear(severalLines);
  const isCommand = line.toLowerCase() === slashCommand || line.toLowerCase().startsWith(`${slashCommand} `);
  return { kind: "line", text: isCommand ? line.slice(slashCommand.length).trim() : line };
}

const notFirst =
  "Only a message that begins with @Curfew is read as a request. Nothing was changed: write it right after @Curfew, such as “@Curfew keep staging up until 18:00”. “@Curfew help” shows what you can say.";
const severalLines =
  "Your message has several lines, and Curfew reads one request per message. Nothing was changed: send them one by one.";

const unclear = (problem: string): UnclearLine => ({ kind: "unclear", problem, words: [] });

interface Found {
  readonly start: number;
  readonly end: number;
}

/** The first mention of Curfew. It may have a label. */
function findMention(text: string, botUserId: string | undefined): Found | undefined {
  if (botUserId === undefined) return undefined;
  const start = text.indexOf(`<@${botUserId}`);
  const end = start === -1 ? -1 : text.indexOf(">", start);
  const after = text.charAt(start + botUserId.length + 2);
  return end === -1 || (after !== ">" && after !== "|") ? undefined : { start, end: end + 1 };
}

/** The text without what goes with the mention: a comma or colon, and the mention once more. */
function afterMentions(text: string, botUserId: string | undefined): string {
  const said = text.replace(/^[\s*_~`]*(?:[,:;.!?]+|[–—-])?(?=\s|$)/, "");
  const again = findMention(said, botUserId);
  return again && said.slice(0, again.start).trim() === "" ? afterMentions(said.slice(again.end), botUserId) : said;
}

/** Whether nothing is said but "hi", "please", "thank you" and the like. */
function isGreeting(text: string): boolean {
  if (text.length > 100) return false;
  const tokens = tokenize(text.replace(/[*_~`]/g, " "));
  return tokens.kind === "words" && withoutFillers(withoutOpening(tokens.words)).length === 0;
}

/** A line without what Slack's editor adds: marks of code, bold, lists and quotations, and links made of plain words. */
function asPlain(line: string): string {
  return line
    .trim()
    .replace(/^(?:(?:[•◦▪‣-]|&gt;|\d{1,2}\.)\s+)+/, "")
    .replace(/<https?:\/\/([^<>|\s]+?)\/?\|([^<>|]+)>/gi, (link, address: string, label: string) =>
      address.toLowerCase() === label.toLowerCase() ? label : link,
    )
    .replace(marked, "$1$3")
    .replace(marked, "$1$3")
    .trim();
}

/** `code`, *bold*, _italic_ and ~struck~ words, where the marks stand at the edges of words. */
const marked = /(^|[\s("'“‘=])([`*_~])(?!\s|\2)((?:(?!\2)[^\n])*(?!\2)\S)\2(?=$|[\s)"'”’,.;:!?])/g;
