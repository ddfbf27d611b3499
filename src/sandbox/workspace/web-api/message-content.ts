import type { JsonObject } from "../json-object.ts";
import type { LiveWorkspace } from "../live-workspace.ts";
import { fillDefaults } from "../validate/state-values.ts";
import { messageLimit, validateBlocks } from "../validate/validate-message.ts";
import { type ApiArguments, fail, failArguments } from "./api.ts";

/** The validated content of a message. Parts that were not given are undefined. */
export interface MessageContent {
  readonly text: string | undefined;
  readonly blocks: readonly JsonObject[] | undefined;
  readonly isCut: boolean;
}

const maxTextLength = 40_000;
/** What Slack takes and Curfew does not send. */
const notSimulated = ["attachments", "markdown_text", "metadata", "username", "icon_emoji", "icon_url"];

/** Validates `text` and `blocks` (PLATFORM.md §9, §12.2). */
export function readMessageContent(args: ApiArguments, workspace: LiveWorkspace): MessageContent {
  const unknown = notSimulated.filter((name) => args.has(name));
  if (unknown.length > 0) return failArguments(`the sandbox does not simulate ${unknown.join(", ")}`);
  const blocks = readBlocks(args, workspace);
  const given = args.text("text");
  const text = given?.slice(0, maxTextLength) ?? (args.raw.text === "" ? "" : undefined);
  if ((text ?? "") === "" && (blocks ?? []).length === 0 && args.raw.delete_original !== true) return fail("no_text");
  return { text, blocks, isCut: given !== undefined && given.length > maxTextLength };
}

function readBlocks(args: ApiArguments, { ids }: LiveWorkspace): readonly JsonObject[] | undefined {
  if (!args.has("blocks")) return undefined;
  const blocks = args.json("blocks");
  if (!Array.isArray(blocks)) return fail("invalid_blocks_format");
  const problems = validateBlocks(blocks, "message");
  if (problems.length > 0) {
    const messages = problems.map((problem) => `[ERROR] ${problem}`);
    return fail("invalid_blocks", { errors: problems, response_metadata: { messages } });
  }
  const limit = messageLimit(blocks);
  return limit === undefined ? fillDefaults(blocks, ids.block) : fail(limit);
}
