import { type JsonObject, parseJson } from "../json-object.ts";

/** The arguments of one call, from a form (all text), a query or JSON. */
export interface ApiArguments {
  readonly raw: JsonObject;
  has(name: string): boolean;
  /** Undefined when absent or empty. Numbers and booleans become text. */
  text(name: string): string | undefined;
  flag(name: string, fallback?: boolean): boolean;
  integer(name: string): number | undefined;
  /** A nested argument: a JSON string, or the value itself in a JSON body. Undefined when it is not JSON. */
  json(name: string): unknown;
}

export function createApiArguments(raw: JsonObject): ApiArguments {
  const text = (name: string): string | undefined => {
    const value = raw[name];
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return {
    raw,
    has: (name) => raw[name] !== undefined && raw[name] !== null && raw[name] !== "",
    text,
    flag: (name, fallback = false) => {
      const value = text(name);
      return value === undefined ? fallback : value === "true" || value === "1";
    },
    integer: (name) => {
      const value = Number(text(name));
      return Number.isInteger(value) ? value : undefined;
    },
    json: (name) => {
      const value = raw[name];
      return typeof value === "string" ? parseJson(value) : value;
    },
  };
}
