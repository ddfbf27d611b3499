import { type OperationName, operationNames, operations } from "../../service/operations.ts";

export interface Route {
  readonly operation: OperationName;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Ignores case and a trailing slash (API.md, "Observed": Paths). */
export function routeRequest(method: string, path: string): Route | undefined {
  const segments = segmentsOf(path);
  for (const operation of operationNames) {
    const row = operations[operation];
    const parameters = row.method === method ? matchSegments(segmentsOf(row.path), segments) : undefined;
    if (parameters !== undefined) return { operation, parameters };
  }
  return undefined;
}

function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, "").split("/");
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = decoded(segments[index] ?? "");
    const name = /^\{(.+)\}$/.exec(expected)?.[1];
    if (name === undefined) {
      if (segment?.toLowerCase() !== expected.toLowerCase()) return undefined;
    } else {
      if (!segment) return undefined;
      parameters[name] = segment;
    }
  }
  return parameters;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
