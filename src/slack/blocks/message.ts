import type { KnownBlock } from "@slack/types";

/** What is posted: blocks, and the text that notifications and screen readers use. */
export interface Message {
  readonly text: string;
  readonly blocks: KnownBlock[];
}
