import { fillDefaults, messageLimit, validateBlocks } from "./blocks.ts";
import { type JsonObject, parseJson } from "./json-object.ts";
import type { LiveWorkspace } from "./live-workspace.ts";
import type { Allowance } from "./state.ts";

/** One simulated Web API method. It answers with an object, or throws a `SlackError`. */
export interface ApiMethod {
  /** The bot's by default. */
  readonly token?: "app";
  /** Without one, any token is accepted. `run` checks scopes that depend on the kind of conversation. */
  readonly scope?: string;
  readonly limit: Allowance;
  /** Read methods accept only forms and queries. */
  readonly takesJson: boolean;
  run(args: ApiArguments, workspace: LiveWorkspace): JsonObject;
}

/** An answer with `ok: false`. */
export class SlackError extends Error {
  override readonly name = "SlackError";
  readonly code: string;
  readonly details: JsonObject;

  constructor(code: string, details: JsonObject) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

export function fail(error: string, details: JsonObject = {}): never {
  throw new SlackError(error, details);
}

/** `invalid_arguments` with its messages (PLATFORM.md §9.1). */
export function failArguments(...messages: readonly string[]): never {
  return fail("invalid_arguments", {
    response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) },
  });
}

export function failScope(needed: string, { manifest }: LiveWorkspace): never {
  return fail("missing_scope", { needed, provided: manifest.scopes.join(",") });
}

/** The arguments of one call, from a form (all text), a query or JSON. */
export class ApiArguments {
  readonly raw: JsonObject;

  constructor(raw: JsonObject) {
    this.raw = raw;
  }

  has(name: string): boolean {
    return this.raw[name] !== undefined && this.raw[name] !== null && this.raw[name] !== "";
  }

  /** Undefined when absent or empty. Numbers and booleans become text. */
  text(name: string): string | undefined {
    const value = this.raw[name];
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    return typeof value === "string" && value !== "" ? value : undefined;
  }

  flag(name: string): boolean {
    return ["true", "1"].includes(this.text(name) ?? "");
  }

  /** A nested argument: a JSON string, or the value itself in a JSON body. Undefined when it is not JSON. */
  json(name: string): unknown {
    const value = this.raw[name];
    return typeof value === "string" ? parseJson(value) : value;
  }
}

/** One page of a list under its name (PLATFORM.md §11.1, cursors). */
export function cursorPage<T>(all: readonly T[], args: ApiArguments, defaultLimit: number) {
  const limit = args.has("limit") ? Number(args.text("limit")) : defaultLimit;
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) return fail("invalid_limit");
  const [, start] = /^next:(\d+)$/.exec(Buffer.from(args.text("cursor") ?? "", "base64").toString()) ?? [];
  const from = Number(start ?? 0);
  if ((args.has("cursor") && start === undefined) || from > all.length) return fail("invalid_cursor");
  const end = from + limit;
  const next = end < all.length ? Buffer.from(`next:${end}`).toString("base64") : "";
  return { items: all.slice(from, end), response_metadata: { next_cursor: next } };
}

/** The validated content of a message. Parts that were not given are undefined. */
export interface MessageContent {
  readonly text: string | undefined;
  readonly blocks: readonly JsonObject[] | undefined;
  readonly isCut: boolean;
}

const maxTextLength = 40_000;
/** What Slack takes and Curfew does not send. */
const notSimulated = "attachments markdown_text metadata username icon_emoji icon_url delete_original".split(" ");

/** Validates `text` and `blocks` (PLATFORM.md §9, §12.2). */
export function readMessageContent(args: ApiArguments, workspace: LiveWorkspace): MessageContent {
  const unknown = notSimulated.filter((name) => args.has(name));
  if (args.text("response_type") === "in_channel") unknown.push("answers in the channel");
  if (unknown.length > 0) return failArguments(`the sandbox does not simulate ${unknown.join(", ")}`);
  const blocks = readBlocks(args, workspace);
  const given = args.text("text");
  const text = given?.slice(0, maxTextLength) ?? (args.raw.text === "" ? "" : undefined);
  if ((text ?? "") === "" && (blocks ?? []).length === 0) return fail("no_text");
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
