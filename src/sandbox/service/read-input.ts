import { z } from "zod";
import { type Operation, type OperationName, operations } from "../../service/operations.ts";
import { ApiError, invalidShape, type ModelState } from "./api-error.ts";
import type { HandlerInput } from "./handler.ts";

export interface RequestParts {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly contentType: string;
  /** The parsed JSON, or the raw text when it is not JSON. */
  readonly body: unknown;
}

/** Validates a request against its operation's row; throws an `ApiError` that names every problem. */
export function readInput<O extends OperationName>(operation: O, parts: RequestParts): HandlerInput<O> {
  const row: Operation = operations[operation];
  return {
    ...parts.parameters,
    ...(row.query && parsed(row.query, queryValues(row.query, parts.query))),
    ...(row.body && parsed(row.body, withKnownFields(row.body, jsonObject(parts)))),
  } as HandlerInput<O>;
}

function jsonObject({ contentType, body }: RequestParts): object {
  if (!/^application\/json\b/i.test(contentType)) throw invalidRequest("The content type must be application/json.");
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalidRequest("The body must be a JSON object.");
  }
  return body;
}

/** Refuses a misspelt field, which would change nothing and still be answered 200. */
function withKnownFields(schema: z.ZodObject, body: object): object {
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(body).filter((field) => !known.includes(field));
  if (unknown.length === 0) return body;
  const message = `Unknown in this request: ${unknown.join(", ")}. It takes ${known.join(", ")}.`;
  const state = Object.fromEntries(unknown.map((field) => [field, ["is not a field of this request"]]));
  throw new ApiError(400, "InvalidParameter", message, state);
}

function invalidRequest(message: string): ApiError {
  return new ApiError(400, "InvalidRequest", message);
}

/** Converts query text to comma-separated lists and booleans (API.md, "GetAction"). */
function queryValues(schema: z.ZodObject, query: URLSearchParams): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const text = query.get(name);
    if (text !== null) values[name] = queryValue(withoutDefault(field), text);
  }
  return values;
}

function queryValue(field: z.core.$ZodType, text: string): unknown {
  if (field instanceof z.ZodArray) return text.split(",").flatMap((item) => item.trim() || []);
  if (field instanceof z.ZodBoolean && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return text;
}

function withoutDefault(field: z.core.$ZodType): z.core.$ZodType {
  const isWrapped = field instanceof z.ZodOptional || field instanceof z.ZodDefault;
  return isWrapped ? withoutDefault(field.unwrap()) : field;
}

function parsed(schema: z.ZodObject, value: unknown): object {
  const result = schema.safeParse(value);
  if (!result.success) throw invalidShape(modelState(result.error));
  return result.data;
}

function modelState(error: z.ZodError): ModelState {
  const state: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const field = issue.path.join(".");
    state[field] = [...(state[field] ?? []), issue.message];
  }
  return state;
}
