import type { OperationName } from "./operations.ts";

/** Curfew's own codes. An error may instead carry the service's `errorCode` or the name of an HTTP status (`NotFound`). */
export type OwnErrorCode =
  | "Cancelled"
  | "ConnectionLost"
  | "InvalidRequest"
  | "Redirected"
  | "ServiceSlow"
  | "TimedOut"
  | "TooManyRequests"
  | "Unreachable"
  | "UnreadableAnswer";

/** The request that an error is about. `path` includes the parameters and the query. */
export interface RequestLine {
  readonly operation: OperationName;
  readonly method: string;
  readonly path: string;
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly cause?: unknown;
}

/** Why a call did not succeed. The message is for people; match on `code`. Only `createServiceError` makes it, so it holds no secret. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: string;
  readonly status: number | undefined;
  readonly operation: OperationName;
  readonly method: string;
  readonly path: string;

  constructor(request: RequestLine, failure: Failure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.code = failure.code;
    this.status = failure.status;
    this.operation = request.operation;
    this.method = request.method;
    this.path = request.path;
  }
}

/** Redacts every part that may come from outside, so that no caller can forget it. */
export function createServiceError(request: RequestLine, failure: Failure, redact: Redact): ServiceError {
  return new ServiceError(
    { ...request, path: redact(request.path) },
    {
      ...failure,
      code: redact(failure.code),
      message: redact(failure.message),
      cause: summariseCause(failure.cause, redact),
    },
  );
}

/** Transport errors may hold raw bytes of an answer (undici's parser error does), so only name, message, stack and code are kept. */
export function summariseCause(cause: unknown, redact: Redact): Error | undefined {
  if (!(cause instanceof Error)) return undefined;
  const summary = new Error(redact(cause.message));
  summary.name = redact(cause.name);
  summary.stack = redact(cause.stack ?? "");
  return "code" in cause && typeof cause.code === "string"
    ? Object.assign(summary, { code: redact(cause.code) })
    : summary;
}

export type Redact = (text: string) => string;

/** Shorter parts of a secret would also match in ordinary words. */
export const shortestPart = 8;

/**
 * Hides secrets in a text: verbatim, broken by white space, or encoded for a URL, JSON or HTML. Each character may be encoded
 * separately, and several times over (JSON quoted within JSON).
 */
export function createRedact(secrets: string | readonly string[]): Redact {
  const parts = [secrets].flat().flatMap(linesOf);
  if (parts.length === 0) return (text) => text;
  const pattern = new RegExp(parts.map(patternOf).join("|"), "gi");
  // Not ASCII, unlike any key, so what replaces the secret can never be part of it.
  return (text) => text.replace(pattern, "•••");
}

/** A secret of several lines is matched line by line, because a quote may break it elsewhere or hold only a part. */
function linesOf(secret: string): readonly string[] {
  const lines = secret.replace(/\p{Surrogate}/gu, "\ufffd").split(/\s*\n\s*/);
  return lines.length === 1 ? lines.filter((line) => line.trim()) : lines.filter((line) => line.length >= shortestPart);
}

/** Repetitions are bounded and never adjacent. Otherwise matching a long text would take more than linear time. */
const patternOf = (line: string): string =>
  line
    .trim()
    .split(/\s+/)
    .map((word) => [...word].map(writingsOf).join("\\s*"))
    .join("(?:\\s|\\+|%(?:25){0,4}20|\\\\{1,8}[tnr])*");

function writingsOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => hex(character.charCodeAt(at), 4));
  const bytes = [...Buffer.from(character)].map((byte) => hex(byte, 2));
  const code = character.codePointAt(0) ?? 0;
  return `(?:${[
    `\\\\{0,8}${character.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&")}`,
    units.map((unit) => `\\\\{1,8}u${unit}`).join(""),
    bytes.map((byte) => `%(?:25){0,4}${byte}`).join(""),
    `&(?:amp;){0,4}(?:#0{0,6}${code}|#x0{0,6}${hex(code, 1)}|${namesOf(character)});?`,
  ].join("|")})`;
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");

/** HTML's names for the characters in keys and their encodings. */
const htmlNames: Readonly<Record<string, string>> = {
  ...{ "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos", "+": "plus", "/": "sol", "=": "equals" },
  ...{ "-": "hyphen", _: "lowbar", ".": "period", ":": "colon", $: "dollar", "!": "excl", "#": "num", "%": "percnt" },
};
/** A character without a name gets a pattern that never matches. */
const namesOf = (character: string): string => htmlNames[character] ?? "(?!)";
