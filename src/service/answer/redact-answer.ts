import { isDeepStrictEqual } from "node:util";
import { createRedact, type Redact, shortestPart } from "../redact.ts";
import type { Exchange } from "../send/dispatch-once.ts";
import { parseJson } from "./read-answer.ts";

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
