import { parseMrkdwn } from "../../src/sandbox/workspace/mrkdwn.ts";

/** A part of mrkdwn that Slack draws in another way than it is written (PLATFORM.md §10). */
export interface Formatted {
  readonly kind: "bold" | "italic" | "struck" | "code" | "code block" | "emoji" | "quote" | "tag";
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Where Slack's own rules leave room for doubt, it counts as formatted. Marks inside words are not, nor times: “18:00: over”. */
const patterns: readonly (readonly [Formatted["kind"], RegExp])[] = [
  ["bold", /\*[^*\n]+\*/g],
  ["italic", /(?<![a-z0-9])_[^\n]+?_(?![a-z0-9])/gi],
  ["struck", /~[^~\n]+~/g],
  ["code block", /```[\s\S]+?```/g],
  ["code", /(?<!`)`[^`\n]+`(?!`)/g],
  ["emoji", /(?!(?<=[a-z0-9]):\d\d?:):[\p{L}\p{M}\p{N}_+'-]+:/giu],
  ["quote", /^[ \t]*(?:>|&gt;).*$/gm],
];

/** What Slack formats, and its tags: mentions, links and dates. A link's label is read as text. */
export function readMrkdwn(text: string): readonly Formatted[] {
  const tags = found("tag", /<[^<>]*>/g, text);
  const plain = text.replace(/<[^<>|]*\|?/g, (tag) => " ".repeat(tag.length));
  return [...tags, ...patterns.flatMap(([kind, pattern]) => found(kind, pattern, plain))];
}

const found = (kind: Formatted["kind"], pattern: RegExp, text: string): readonly Formatted[] =>
  [...text.matchAll(pattern)].map(({ index, 0: match }) => ({
    ...{ kind, start: index, end: index + match.length, text: match },
  }));

/** The tags in a text that Slack turns into mentions: people, channels, user groups, here, channel, everyone. */
export function liveMentions(text: string): string[] {
  const mentions = ["user", "channel", "usergroup", "special"];
  const tags = [...text.matchAll(/<[^<>]*>/g)].map(([tag]) => tag);
  return tags.filter((tag) => parseMrkdwn(tag).some(({ kind }) => mentions.includes(kind)));
}
