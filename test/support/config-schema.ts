import { z } from "zod";
import { settingsSchema } from "../../src/config/settings.ts";
import { scopeAmong } from "../../src/permissions/config-values.ts";

/** A part of a JSON Schema, with what the config's schema adds: `since` a version, and `orOne` for a list that may be one entry. */
export interface JsonSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly since?: string;
  readonly orOne?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly readOnly?: boolean;
  readonly $ref?: string;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
}

/** What curfew.yaml may say, as its schema has it. Names of roles and groups are any text. */
export const configSchema = (): JsonSchema =>
  Object(
    z.toJSONSchema(settingsSchema([], scopeAmong({})), { io: "input", target: "draft-7", unrepresentable: "any" }),
  );

/** The same for editors: a named list stands in the place of any list of texts, or among its entries. */
export const editorSchema = (): JsonSchema => ({
  ...{ title: "curfew.yaml", ...forEditors(configSchema()) },
  definitions: { list: { description: "One of “lists”", type: "string", pattern: "^\\$[\\w-]+$" } },
});

const ofLists: JsonSchema = { $ref: "#/definitions/list" };

/** `isPlain`: within `lists`, which name no other lists. */
function forEditors(
  { since: _since, readOnly: _readOnly, format, orOne, ...schema }: JsonSchema,
  isPlain = false,
): JsonSchema {
  const of = (each: JsonSchema) => forEditors(each, isPlain);
  const { description, default: byDefault, properties, additionalProperties, items, oneOf, anyOf, ...rest } = schema;
  const about = {
    ...(description === undefined ? {} : { description }),
    ...(byDefault === undefined ? {} : { default: byDefault }),
  };
  const itself = {
    ...rest,
    ...(format === "uri" || format === "email" ? { format } : {}),
    ...(properties && { properties: mapped(properties, (each, key) => forEditors(each, key === "lists")) }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: typeof additionalProperties === "object" && of(additionalProperties) }),
    ...(items && { items: of(items) }),
    ...(oneOf && { oneOf: oneOf.map(of) }),
    ...(anyOf && { anyOf: anyOf.map(of) }),
  };
  if (items && orOne) return { ...about, anyOf: [itself, of(items)] };
  if (items?.type !== "string" || isPlain) return { ...about, ...itself };
  return { ...about, anyOf: [{ ...itself, items: { anyOf: [of(items), ofLists] } }, ofLists] };
}

const mapped = <T, U>(record: Readonly<Record<string, T>>, to: (value: T, key: string) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value, key)]));
