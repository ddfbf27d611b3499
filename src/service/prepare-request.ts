import type { z } from "zod";
import { type Operation, type OperationName, operations } from "./operations.ts";
import type { RequestLine } from "./service-error.ts";

/** A request as it goes over the wire. `path` is relative to the base address. */
export interface ServiceRequest extends RequestLine {
  readonly method: Operation["method"];
  readonly body: string | undefined;
}

type Prepared =
  | { readonly kind: "ready"; readonly request: ServiceRequest }
  | { readonly kind: "invalid"; readonly request: RequestLine; readonly problems: readonly string[] };

/** Checks an input against the operation's row and builds the request: encodes path and query, fills in defaults. */
export function prepareRequest(operation: OperationName, input: object): Prepared {
  const row: Operation = operations[operation];
  const { method } = row;
  const query = row.query?.safeParse(input);
  const body = row.body?.safeParse(input);
  const path = fillPath(row.path, input);
  const problems = [...path.problems, ...[query, body].flatMap((read) => read?.error?.issues.map(describeIssue) ?? [])];
  if (problems.length > 0) return { kind: "invalid", request: { operation, method, path: row.path }, problems };
  const whole = path.filled + writeQuery(query?.data);
  return {
    kind: "ready",
    request: { operation, method, path: whole, body: body?.data && JSON.stringify(body.data) },
  };
}

function fillPath(path: string, parameters: object) {
  const problems: string[] = [];
  let filled = "";
  for (const part of path.split("/").slice(1)) {
    if (!part.startsWith("{")) {
      filled += `/${part}`;
      continue;
    }
    const name = part.slice(1, -1);
    const value: unknown = Reflect.get(parameters, name);
    const problem = problemOf(value);
    if (problem) problems.push(`${name}: ${problem}`);
    else filled += `/${encodeURIComponent(String(value))}`;
  }
  return { filled, problems };
}

/** Servers and proxies resolve `.` and `..`, so the request would reach another address. */
function problemOf(parameter: unknown): string | undefined {
  if (typeof parameter !== "string" || parameter === "." || parameter === ".." || loneSurrogate.test(parameter))
    return "is not an identifier";
  return parameter.trim() === "" ? "must not be empty" : undefined;
}

const loneSurrogate = /\p{Surrogate}/u;

/** Joins lists with commas (API.md, `include` of an action). Leaves out absent and empty values. */
function writeQuery(query: Readonly<Record<string, unknown>> | undefined): string {
  const pairs = Object.entries(query ?? {})
    .map(([name, value]) => [name, [value ?? []].flat().map(encodeValue).join(",")])
    .filter(([, value]) => value !== "");
  return pairs.length === 0 ? "" : `?${pairs.map((pair) => pair.join("=")).join("&")}`;
}

const encodeValue = (value: unknown): string => encodeURIComponent(String(value));

const describeIssue = ({ path, message }: z.core.$ZodIssue): string =>
  [path.join("."), message].filter((part) => part !== "").join(": ");
