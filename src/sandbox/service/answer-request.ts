import { z } from "zod";
import { type Operation, type OperationName, operationNames, operations } from "../../service/operations.ts";
import { ApiError, invalidShape } from "./api-error.ts";
import { type HandlerContext, type HandlerInput, handlers } from "./handlers.ts";

export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly contentType: string;
  /** The parsed JSON, or the raw text when it is not JSON. */
  readonly body: unknown;
}

export interface ServiceAnswer {
  readonly status: number;
  /** Sent as JSON; a string is sent unchanged, as HTML. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly operation: OperationName;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the operation of a path. Ignores case and a trailing slash (API.md, "Observed": Paths). */
export function routeRequest(method: string, path: string): Route | undefined {
  for (const operation of operationNames) {
    const row = operations[operation];
    const parameters = row.method === method ? parametersIn(row.path, path) : undefined;
    if (parameters !== undefined) return { operation, parameters };
  }
  return undefined;
}

function parametersIn(pattern: string, path: string): Record<string, string> | undefined {
  const escaped = pattern.replace(/\/$/, "").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  const match = new RegExp(`^${escaped}/?$`, "i").exec(path);
  if (match === null) return undefined;
  try {
    const given = Object.entries(match.groups ?? {});
    return Object.fromEntries(given.map(([name, value]) => [name, decodeURIComponent(value)] as const));
  } catch {
    return undefined;
  }
}

/** Authenticates, checks and performs a request. Every failure becomes an error answer. */
export function answerRequest(
  request: ServiceRequest,
  route: Route | undefined,
  apiKey: string,
  context: HandlerContext,
): ServiceAnswer {
  try {
    // API.md, "Authentication".
    if (request.authorization !== `AccessKey ${apiKey}`)
      throw new ApiError(401, "InvalidAccessKey", "The access key is missing or invalid.");
    if (route === undefined) throw invalidRequest(404, `There is no operation at ${request.method} ${request.path}.`);
    return perform(route.operation, route, request, context);
  } catch (error) {
    if (!(error instanceof ApiError))
      return { status: 500, body: { errorCode: "InternalError", message: String(error) } };
    const { status, code, message, modelState } = error;
    return { status, body: { errorCode: code, message, ...(modelState && { modelState }) } };
  }
}

function perform<O extends OperationName>(
  operation: O,
  { parameters }: Route,
  request: ServiceRequest,
  context: HandlerContext,
): ServiceAnswer {
  const row: Operation = operations[operation];
  const input = {
    ...parameters,
    ...(row.query && parsed(row.query, queryValues(row.query, request.query))),
    ...(row.body && parsed(row.body, knownFields(row.body, request))),
  } as HandlerInput<O>;
  const answer = handlers[operation](input, context);
  return answer === undefined ? { status: 204 } : { status: 200, body: answer };
}

const invalidRequest = (status: number, message: string) => new ApiError(status, "InvalidRequest", message);

/** Refuses a misspelt field, which would change nothing and still be answered 200. */
function knownFields(schema: z.ZodObject, { contentType, body }: ServiceRequest): object {
  if (!/^application\/json\b/i.test(contentType))
    throw invalidRequest(400, "The content type must be application/json.");
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw invalidRequest(400, "The body must be a JSON object.");
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(body).filter((field) => !known.includes(field));
  if (unknown.length === 0) return body;
  const message = `Unknown in this request: ${unknown.join(", ")}. It takes ${known.join(", ")}.`;
  const state = Object.fromEntries(unknown.map((field) => [field, ["is not a field of this request"]]));
  throw new ApiError(400, "InvalidParameter", message, state);
}

/** Converts query text to comma-separated lists and booleans (API.md, "GetAction"). */
function queryValues(schema: z.ZodObject, query: URLSearchParams): Record<string, unknown> {
  const given = Object.entries(schema.shape).flatMap(([name, field]) => {
    const text = query.get(name);
    return text === null ? [] : [[name, queryValue(withoutDefault(field), text)] as const];
  });
  return Object.fromEntries(given);
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
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const state: Record<string, string[]> = {};
  for (const { path, message } of error.issues) {
    const field = path.join(".");
    state[field] = [...(state[field] ?? []), message];
  }
  throw invalidShape(state);
}
