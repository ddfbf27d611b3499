import { z } from "zod";

const parameter = z.object({
  type: z.string(),
  title: z.string().default(""),
  description: z.string().default(""),
  is_required: z.boolean().default(false),
});
const parameters = z.record(z.string(), parameter);

/** The `functions` of a manifest in its first version: a flat map of parameters (PLATFORM.md §15.1). */
export const functionsSchema = z.record(
  z.string(),
  z.object({
    title: z.string(),
    description: z.string(),
    input_parameters: parameters,
    output_parameters: parameters,
  }),
);
type Functions = z.infer<typeof functionsSchema>;

export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly title: string;
  readonly isRequired: boolean;
}

/** A step that an app offers in Workflow Builder. */
export interface AppFunction {
  readonly callbackId: string;
  readonly title: string;
  readonly description: string;
  readonly inputs: readonly Parameter[];
  readonly outputs: readonly Parameter[];
}

export function appFunctions(functions: Functions): readonly AppFunction[] {
  return Object.entries(functions).map(([callbackId, { title, description, input_parameters, output_parameters }]) => ({
    ...{ callbackId, title, description },
    inputs: parametersIn(input_parameters),
    outputs: parametersIn(output_parameters),
  }));
}

const parametersIn = (given: z.infer<typeof parameters>): readonly Parameter[] =>
  Object.entries(given).map(([name, { type, title, is_required: isRequired }]) => ({ name, type, title, isRequired }));

const maxIdLength = 100;

/** What keeps the steps of an app out of Workflow Builder (PLATFORM.md §18.1). */
export function functionProblems(
  functions: Functions,
  {
    events,
    runtime,
    isOrgReady,
  }: { readonly events: readonly string[]; readonly runtime?: string | undefined; readonly isOrgReady: boolean },
): readonly string[] {
  const ids = Object.keys(functions);
  if (ids.length === 0) return [];
  return [
    ...ids
      .filter((id) => id.length > maxIdLength)
      .map((id) => `the id of the function ${id} is longer than ${maxIdLength}`),
    ...(events.includes("function_executed") ? [] : ["functions need the event function_executed"]),
    ...(runtime === "remote" ? [] : ["functions need settings.function_runtime remote"]),
    ...(isOrgReady ? [] : ["functions need settings.org_deploy_enabled"]),
  ];
}

/** What is wrong with values for these parameters; an empty list for none. */
export function parameterProblems(
  parameters: readonly Parameter[],
  values: Readonly<Record<string, unknown>>,
): readonly string[] {
  const known = new Set(parameters.map(({ name }) => name));
  return [
    ...Object.keys(values)
      .filter((name) => !known.has(name))
      .map((name) => `${name} is no parameter`),
    ...parameters.flatMap(({ name, type, isRequired }) => {
      const value = values[name];
      if (value === undefined || value === null) return isRequired ? [`${name} is required`] : [];
      return isOfType(type, value) ? [] : [`${name} must be of type ${type}`];
    }),
  ];
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "integer":
    case "slack#/types/timestamp":
      return Number.isInteger(value);
    case "slack#/types/user_id":
      return typeof value === "string" && /^[UW][A-Z0-9]+$/.test(value);
    default:
      throw new Error(`The sandbox knows no parameters of type ${type}; add it to app-functions.ts.`);
  }
}
