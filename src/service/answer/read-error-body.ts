import { z } from "zod";
import type { Redact } from "../redact.ts";
import { parseJson } from "./read-answer.ts";

export interface ErrorBody {
  readonly code: string | undefined;
  readonly message: string | undefined;
}

const maxMessageLength = 500;
/** Only this much is searched for markup: enough for any title, and quick on any input. */
const maxExcerptSource = 16_384;

/**
 * Reads an error answer (API.md, "Observed": Error body): `errorCode`, `message` and the messages of `modelState`, or else a short
 * excerpt without markup. Redacts before and after removing markup, because markup inside a secret would hide it.
 */
export function readErrorBody(text: string, redact: Redact): ErrorBody {
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
