import { z } from "zod";
import { type Operation, type OperationName, operations } from "./operations.ts";
import type { RequestLine } from "./service-error.ts";

/** A request as it will stand on the wire; `path` is relative to the base address. */
export interface ServiceRequest extends RequestLine {
  readonly method: Operation["method"];
  readonly body: string | undefined;
}

type Prepared =
  | { readonly kind: "ready"; readonly request: ServiceRequest }
  | { readonly kind: "invalid"; readonly request: RequestLine; readonly problems: readonly string[] };

/** Checks an input against the operation's row and lays out the request: path parameters and query encoded, defaults filled in. */
export function prepareRequest(operation: OperationName, input: unknown): Prepared {
  const row: Operation = operations[operation];
  const parts = requestSchema(operation).safeParse({ path: input, query: input, body: input });
  if (!parts.success) {
    const problems = parts.error.issues.map(describeIssue);
    return { kind: "invalid", request: { operation, method: row.method, path: row.path }, problems };
  }
  const { path, query, body } = parts.data;
  return {
    kind: "ready",
    request: {
      operation,
      method: row.method,
      path: fillPath(row.path, path) + writeQuery(query),
      body: body && JSON.stringify(body),
    },
  };
}

/** Made when it is first needed, and then kept: making one costs many times what reading with it does. */
const requestSchemas = new Map<OperationName, ReturnType<typeof makeRequestSchema>>();

function requestSchema(operation: OperationName) {
  const schema = requestSchemas.get(operation) ?? makeRequestSchema(operations[operation]);
  requestSchemas.set(operation, schema);
  return schema;
}

const makeRequestSchema = (row: Operation) =>
  z.object({
    path: z.object(Object.fromEntries(pathParameterNames(row.path).map((name) => [name, pathParameter]))),
    query: row.query ?? nothing,
    body: row.body ?? nothing,
  });

const nothing = z.unknown().transform(() => undefined);

/** `.` and `..` would be resolved away by servers and proxies, so the request would reach another address than the one meant. */
const pathParameter = z
  .string()
  .refine((value) => value.trim() !== "", "must not be empty")
  .refine((value) => !/^\.{1,2}$|\p{Surrogate}/u.test(value), "is not an identifier");

const pathParameterNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

const fillPath = (path: string, parameters: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ""));

/** Lists are joined with commas (spec.md, GetAction `include`); what is absent or empty is left out. */
function writeQuery(query: Readonly<Record<string, unknown>> | undefined): string {
  const pairs = Object.entries(query ?? {})
    .map(([name, value]) => [name, [value ?? []].flat().map(encodeValue).join(",")])
    .filter(([, value]) => value !== "");
  return pairs.length === 0 ? "" : `?${pairs.map((pair) => pair.join("=")).join("&")}`;
}

const encodeValue = (value: unknown): string => encodeURIComponent(String(value));

/** The first step of an issue's path only tells which part of the request it is in. */
const describeIssue = ({ path, message }: z.core.$ZodIssue): string =>
  [path.slice(1).join("."), message].filter((part) => part !== "").join(": ");
