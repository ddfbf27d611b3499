import type { ContextBlock, KnownBlock } from "@slack/types";
import { clip } from "./clip.ts";
import { escapeMrkdwn, mrkdwn } from "./mrkdwn.ts";

/** What is posted: blocks, and the text that notifications and screen readers use. */
export interface Message {
  readonly text: string;
  readonly blocks: KnownBlock[];
}

/** Small print; `text` is mrkdwn. */
export function contextBlock(text: string): ContextBlock {
  return { type: "context", elements: [mrkdwn(text)] };
}

/** The message with plain sentences before its buttons. */
export function withLines({ text, blocks }: Message, lines: readonly string[]): Message {
  if (lines.length === 0) return { text, blocks };
  const note: KnownBlock = { type: "context", elements: [mrkdwn(escapeMrkdwn(clip(lines.join("\n"), 1500)))] };
  const buttons = blocks.filter(({ type }) => type === "actions");
  return { text, blocks: [...blocks.filter(({ type }) => type !== "actions"), note, ...buttons] };
}
