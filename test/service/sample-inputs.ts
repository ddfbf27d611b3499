import { z } from "zod";
import type { ServiceClient } from "../../src/service/client.ts";
import { type Operation, type OperationInput, type OperationName, operations } from "../../src/service/operations.ts";

/** A valid input for an operation, derived from its row: every field, or only the required ones where fields exclude each other. */
export function sampleInput<O extends OperationName>(operation: O): OperationInput<O> {
  const { path, query, body }: Operation = operations[operation];
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, "id-1"]);
  return { ...Object.fromEntries(parameters), ...sampleOf(query), ...sampleOf(body) } as OperationInput<O>;
}

export const callWithSample = <O extends OperationName>(client: ServiceClient, operation: O) =>
  client.call(operation, sampleInput(operation));

function sampleOf(schema: z.ZodObject | undefined): object {
  if (!schema) return {};
  const json = described.parse(z.toJSONSchema(schema, { io: "input" }));
  const samples = [exampleOf(json, true), exampleOf(json, false)].flatMap(
    (value) => schema.safeParse(value).data ?? [],
  );
  const [sample] = samples;
  if (!sample) throw new Error("no sample could be made from this schema");
  return sample;
}

interface Described {
  readonly type?: string | readonly string[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  readonly properties?: Readonly<Record<string, Described>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: Described | undefined;
}

const described: z.ZodType<Described> = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  get properties() {
    return z.record(z.string(), described).optional();
  },
  required: z.array(z.string()).optional(),
  get items() {
    return described.optional();
  },
});

const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-11-20T18:00:00Z",
  date: "2026-11-20",
  email: "bob@example.com",
};

function exampleOf({ format = "", ...schema }: Described, withOptional: boolean): unknown {
  const [type] = [schema.type].flat();
  if (schema.enum) return schema.enum[0];
  switch (type) {
    case "string":
      return formats[format] ?? ["text", "20:00:00"].find((value) => new RegExp(schema.pattern ?? "").test(value));
    case "boolean":
      return true;
    case "integer":
    case "number":
      return 3600;
    case "array":
      return schema.items ? [exampleOf(schema.items, withOptional)] : [];
    default: {
      const { properties = {}, required = [] } = schema;
      const wanted = Object.entries(properties).filter(([name]) => withOptional || required.includes(name));
      return Object.fromEntries(wanted.map(([name, property]) => [name, exampleOf(property, withOptional)]));
    }
  }
}
