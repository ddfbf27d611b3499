import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Answered, Exchange } from "./dispatch-once.ts";
import { answerSchemaOf, type OperationAnswer, type OperationName } from "./operations.ts";
import { createRedact, type Redact, shortestPart } from "./service-error.ts";

type ReadAnswer<T> =
  | { readonly kind: "read"; readonly answer: T | undefined }
  | { readonly kind: "unreadable"; readonly problem: string }
  /** A web page, which the service never sends: probably from a proxy that asks for a login. */
  | { readonly kind: "page"; readonly problem: string };

/** A list of many actions is read every minute and is mostly the same: parsing it takes most of the time. */
const longText = 100_000;
/** By operation and digest. Each account of the service has its own list. */
const latestLong = new Map<string, unknown>();
const mostLong = 8;

/** Reads a 2xx body by the operation's schema. Describes an unreadable body without quoting it. */
export function readAnswer<O extends OperationName>(operation: O, answered: Answered): ReadAnswer<OperationAnswer<O>> {
  const schema = answerSchemaOf(operation);
  if (isPage(answered)) return { kind: "page", problem: "it was a web page, which the service does not send" };
  if (!schema) return { kind: "read", answer: undefined };
  if (answered.body !== "whole") return { kind: "unreadable", problem: bodyProblems[answered.body] };
  if (answered.text.trim() === "") return { kind: "unreadable", problem: "it was empty" };
  const digest =
    answered.text.length > longText ? createHash("sha256").update(answered.text).digest("base64") : undefined;
  // The schema comes from this operation's row, as it does below.
  const key = `${operation} ${digest}`;
  if (latestLong.has(key)) return { kind: "read", answer: latestLong.get(key) as OperationAnswer<O> };
  const json = parseJson(answered.text);
  if (json === undefined) return { kind: "unreadable", problem: "it was not JSON" };
  const parsed = schema.safeParse(json);
  if (!parsed.success) return { kind: "unreadable", problem: describeFirst(parsed.error.issues) };
  if (digest !== undefined) latestLong.set(key, parsed.data);
  const [oldest] = latestLong.keys();
  if (latestLong.size > mostLong && oldest !== undefined) latestLong.delete(oldest);
  // The schema comes from this operation's row. The compiler cannot follow that through the union of all rows.
  return { kind: "read", answer: parsed.data as OperationAnswer<O> };
}

/** Decides by media type. JSON labeled as HTML is no page, and neither is an empty body. */
function isPage({ headers, text }: Answered): boolean {
  const mediaType = headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  return mediaType === "text/html" && text.trim() !== "" && parseJson(text) === undefined;
}

const bodyProblems = { "cut-off": "the connection was lost halfway", "too-large": "it was too large" } as const;

/** Returns `undefined`, which JSON cannot express, for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function describeFirst([issue]: readonly Issue[]): string {
  return `${issue?.path.map(String).join(".") || "the whole"} was not as expected`;
}

/** Removes secrets from a successful answer, because it is stored and shown. */
export function createRedactAnswer(secrets: readonly string[]): (exchange: Exchange) => Exchange {
  // A shorter secret may be part of a name, which must stay readable.
  const redact = createRedact(secrets.filter(({ length }) => length >= shortestPart));
  return (exchange) => {
    if (exchange.kind !== "answered" || exchange.status >= 300) return exchange;
    // JSON's escapes, such as \n within a broken secret, can hide it from a search of the raw text.
    if (!exchange.text.includes("\\") && redact(exchange.text) === exchange.text) return exchange;
    const json = parseJson(exchange.text);
    // Text that is not JSON is never quoted.
    if (json === undefined) return exchange;
    const shown = hidden(json, redact);
    return isDeepStrictEqual(shown, json) ? exchange : { ...exchange, text: JSON.stringify(shown) };
  };
}

function hidden(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => hidden(item, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [redact(name), hidden(item, redact)]));
}
