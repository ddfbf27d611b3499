import { isJsonObject, type JsonObject, objectsIn, stringAt } from "../json-object.ts";
import type { WorkspaceState } from "../state/workspace-state.ts";
import { messageLimit } from "../validate/message-limit.ts";
import { fillDefaults } from "../validate/normalize-blocks.ts";
import { validateBlocks } from "../validate/validate-message.ts";
import type { ApiArguments } from "./api-arguments.ts";
import { type ApiAnswer, fail } from "./api-method.ts";

/** The validated content of a message. Parts that were not given are undefined. */
export interface MessageContent {
  readonly text: string | undefined;
  readonly blocks: readonly JsonObject[] | undefined;
  readonly attachments: readonly JsonObject[] | undefined;
  readonly metadata: JsonObject | undefined;
  readonly warning?: "message_truncated";
}

const maxTextLength = 40_000;
const maxMarkdownLength = 12_000;
const maxAttachments = 100;

/** Validates `text`, `blocks`, `attachments`, `markdown_text` and `metadata` (PLATFORM.md §9, §12.2). */
export function readMessageContent(args: ApiArguments, workspace: WorkspaceState): MessageContent | ApiAnswer {
  const markdown = args.text("markdown_text");
  if (markdown !== undefined && (args.has("text") || args.has("blocks"))) return fail("markdown_text_conflict");
  if (markdown !== undefined && markdown.length > maxMarkdownLength) return fail("msg_too_long");
  const blocks = readBlocks(args, workspace);
  if (isAnswer(blocks)) return blocks;
  const attachments = readAttachments(args, workspace);
  if (isAnswer(attachments)) return attachments;
  const metadata = readMetadata(args);
  if (isAnswer(metadata)) return metadata;
  const given = args.text("text");
  const text = markdown ?? given?.slice(0, maxTextLength) ?? (args.raw.text === "" ? "" : undefined);
  const isCut = given !== undefined && given.length > maxTextLength;
  return { text, blocks, attachments, metadata: metadata?.value, ...(isCut ? { warning: "message_truncated" } : {}) };
}

export function isEmptyContent({ text, blocks, attachments }: MessageContent): boolean {
  return (text ?? "") === "" && (blocks ?? []).length === 0 && (attachments ?? []).length === 0;
}

export function isAnswer(value: unknown): value is ApiAnswer {
  return isJsonObject(value) && typeof value.ok === "boolean";
}

function readBlocks(args: ApiArguments, workspace: WorkspaceState): readonly JsonObject[] | undefined | ApiAnswer {
  if (!args.has("blocks")) return undefined;
  const blocks = args.json("blocks");
  if (!Array.isArray(blocks)) return fail("invalid_blocks_format");
  const problems = validateBlocks(blocks, "message", "/blocks");
  if (problems.length > 0) return failBlocks("invalid_blocks", problems);
  const unknown = unknownFiles(objectsIn(blocks));
  if (unknown.length > 0) return failBlocks("invalid_blocks", unknown);
  const limit = messageLimit(blocks);
  return limit === undefined ? fillDefaults(blocks, workspace.ids.block) : fail(limit);
}

/** The app uploads nothing, so there is no file that it could show. */
function unknownFiles(blocks: readonly JsonObject[]): readonly string[] {
  return blocks.flatMap(({ slack_file }, index) =>
    slack_file === undefined ? [] : [`invalid slack file [json-pointer:/blocks/${index}/slack_file]`],
  );
}

function readAttachments(args: ApiArguments, workspace: WorkspaceState): readonly JsonObject[] | undefined | ApiAnswer {
  if (!args.has("attachments")) return undefined;
  const attachments = args.json("attachments");
  if (!Array.isArray(attachments) || !attachments.every(isJsonObject)) return fail("invalid_attachments");
  if (attachments.length > maxAttachments) return fail("too_many_attachments");
  const problems = attachments.flatMap(({ blocks }, index) =>
    blocks === undefined ? [] : validateBlocks(blocks, "message", `/attachments/${index}/blocks`),
  );
  if (problems.length > 0) return failBlocks("invalid_attachments", problems);
  return attachments.map((each, index) => ({ id: index + 1, ...each, ...filled(each, workspace) }));
}

function filled(attachment: JsonObject, workspace: WorkspaceState): JsonObject {
  return attachment.blocks === undefined
    ? {}
    : { blocks: fillDefaults(objectsIn(attachment.blocks), workspace.ids.block) };
}

/** `{}` removes the metadata. Anything else needs both parts. */
function readMetadata(args: ApiArguments): { readonly value: JsonObject } | undefined | ApiAnswer {
  if (!args.has("metadata")) return undefined;
  const value = args.json("metadata");
  if (!isJsonObject(value)) return fail("invalid_metadata_format");
  const isEmpty = Object.keys(value).length === 0;
  const isWhole = stringAt(value.event_type) !== undefined && isJsonObject(value.event_payload);
  return isEmpty || isWhole ? { value } : fail("invalid_metadata_schema");
}

function failBlocks(error: string, problems: readonly string[]): ApiAnswer {
  const messages = problems.map((problem) => `[ERROR] ${problem}`);
  return fail(error, { errors: problems, response_metadata: { messages } });
}
