import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { isCancellation, isTimeLimit } from "../time/within.ts";
import { NoSlotError } from "./call-slots.ts";
import { type Answered, type Exchange, mayHaveActed } from "./dispatch-once.ts";
import { parseJson } from "./read-answer.ts";
import type { Redact } from "./service-error.ts";
import { createServiceError, type OwnErrorCode, type RequestLine, type ServiceError } from "./service-error.ts";

/** The error for an exchange that did not succeed. `problem` says what was wrong with a 2xx answer. */
export function explainExchange(
  request: RequestLine,
  exchange: Exchange,
  problem: string | undefined,
  redact: Redact,
): ServiceError {
  switch (exchange.kind) {
    case "not-sent":
    case "lost":
      return createServiceError(request, { ...explainSilence(exchange), cause: exchange.cause }, redact);
    case "answered":
      return createServiceError(
        request,
        { ...explainAnswer(exchange, problem, redact), status: exchange.status },
        redact,
      );
  }
}

interface Explanation {
  readonly code: string;
  readonly message: string;
}

const own = (code: OwnErrorCode, message: string): Explanation => ({ code, message });

function explainSilence({ kind, cause }: { kind: "not-sent" | "lost"; cause: unknown }): Explanation {
  const isSent = kind === "lost";
  if (cause instanceof NoSlotError) {
    return own(
      "ServiceSlow",
      "The service is slow to answer, and too many requests wait for it already, so this one was not sent. Try again in a few minutes.",
    );
  }
  if (isTimeLimit(cause)) {
    return own("TimedOut", isSent ? "The service did not answer in time." : "The request could not be sent in time.");
  }
  if (isCancellation(cause)) {
    return own("Cancelled", isSent ? "The call was cancelled before an answer came." : "The call was cancelled.");
  }
  if (isSent) return own("ConnectionLost", `The connection was lost before the service answered${codeOf(cause)}.`);
  return own("Unreachable", `Could not connect to the service${codeOf(cause)}.`);
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : "";

function explainAnswer(answered: Answered, problem: string | undefined, redact: Redact): Explanation {
  const { status, headers, text } = answered;
  if (status < 300) return own("UnreadableAnswer", `The service's answer could not be read: ${problem}.`);
  if (status < 400) {
    const target = headers.location ? ` to ${redact(headers.location).slice(0, 200)}` : "";
    return own("Redirected", `The service redirected the request${target}: check its base address.`);
  }
  const { code = statusName(status), message } = readErrorBody(text, redact);
  if (status === 429) return own("TooManyRequests", message ?? "The service answered 429 Too Many Requests.");
  if (message === undefined)
    return { code, message: `The service answered ${status} ${STATUS_CODES[status] ?? ""}`.trim().concat(".") };
  // The change may have happened, so quote the service: its “try again” must not look like Curfew's advice.
  return { code, message: mayHaveActed(answered) ? `The service said: “${message}”` : message };
}

/** `Not Found` → `NotFound`. */
const statusName = (status: number): string => STATUS_CODES[status]?.replace(/[^A-Za-z]/g, "") ?? `Status${status}`;

const maxMessageLength = 500;
/** Only this much is searched for markup: enough for any title, and quick on any input. */
const maxExcerptSource = 16_384;

/**
 * Reads an error answer (API.md, "Observed": Error body): `errorCode`, `message` and the messages of `modelState`, or else a short
 * excerpt without markup. Redacts before and after removing markup, because markup inside a secret would hide it.
 */
export function readErrorBody(text: string, redact: Redact) {
  const json = parseJson(text);
  const body = errorBody.safeParse(json);
  const code = body.data?.errorcode;
  const { message: whole = "", modelstate } = body.data ?? {};
  const said = [whole, describeModelState(modelstate, whole)].filter((part) => part);
  const excerpt = code === undefined ? (typeof json === "string" ? json : text) : "";
  const source = redact(said.join(" ") || excerpt).slice(0, maxExcerptSource);
  const message = shorten(redact(plainText(source)));
  return { code: code === redact(code ?? "") ? code : undefined, message: message || undefined };
}

const lowerCaseNames = (body: unknown): unknown =>
  body !== null && typeof body === "object"
    ? Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]))
    : body;

/** Field names are case-insensitive, like the service's paths. */
const errorBody = z.preprocess(
  lowerCaseNames,
  z.object({
    errorcode: z
      .string()
      .regex(/^[\w.-]{1,100}$/)
      .optional()
      .catch(undefined),
    message: z.string().optional().catch(undefined),
    modelstate: z
      .record(z.string(), z.union([z.string(), z.array(z.unknown())]))
      .optional()
      .catch(undefined),
  }),
);

/** Leaves out the messages that the main message already contains. */
const describeModelState = (modelState: Readonly<Record<string, string | unknown[]>> = {}, whole: string): string =>
  Object.entries(modelState)
    .flatMap(([field, messages]) => {
      const said = [messages].flat().filter((message) => typeof message === "string");
      const news = said.filter((message) => message === "" || !whole.includes(message));
      if (said.length > 0 && news.length === 0) return [];
      return [[field, news.join(" ")].filter((part) => part !== "").join(": ")];
    })
    .join("; ");

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'", nbsp: " " };

/** The start and end of content that a browser does not show. */
const hidden = [
  [/<script\b/gi, /<\/script\s*>/gi],
  [/<style\b/gi, /<\/style\s*>/gi],
  [/<!--/g, /-->/g],
] as const;

/** Two steps, because one pattern for both ends would scan the whole rest for every start without an end. */
function withoutHidden(source: string): string {
  return hidden.reduce((text, [begins, ends]) => {
    let [kept, at] = ["", 0];
    for (let start = nextFrom(begins, text, 0); start; start = nextFrom(begins, text, at)) {
      const end = nextFrom(ends, text, start.end);
      if (!end) break;
      kept += `${text.slice(at, start.start)} `;
      at = end.end;
    }
    return kept + text.slice(at);
  }, source);
}

function nextFrom(pattern: RegExp, text: string, from: number) {
  const found = new RegExp(pattern, pattern.flags);
  found.lastIndex = from;
  const match = found.exec(text);
  return match ? { start: match.index, end: found.lastIndex } : undefined;
}

const plainText = (source: string): string =>
  withoutHidden(source)
    .replace(/<[/!?]?[a-z][^<>]*>/gi, " ")
    .replace(/&(lt|gt|amp|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();

const shorten = (text: string): string =>
  text.length <= maxMessageLength ? text : `${text.slice(0, maxMessageLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
