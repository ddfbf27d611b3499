import { readEnvironment, variableNames, variables } from "../../src/config/environment.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { configSchema, type JsonSchema } from "./config-schema.ts";
import { samplesIn } from "./prometheus-samples.ts";

/** The version that a key is in since, where it does not say. */
const firstVersion = "1.0.0";

export interface Key {
  /** `*` stands for any name, `[]` for any item. */
  readonly path: string;
  readonly type: string;
  readonly byDefault: string;
  readonly description: string;
  readonly since: string;
}

/** Every key that curfew.yaml may have, with what its schema says of it. */
export const configKeys = (): readonly Key[] => keysBelow(configSchema(), "", firstVersion);

function keysBelow(schema: JsonSchema, path: string, since: string): readonly Key[] {
  const { properties, additionalProperties, propertyNames, items } = schema;
  const inner = (each: JsonSchema, at: string) => keysBelow(each, at, each.since ?? since);
  const variants = (schema.oneOf ?? []).filter((each) => each.properties);
  if (variants.length > 0) return keysBelow(merged(variants), path, since);
  if (properties)
    return Object.entries(properties).flatMap(([key, each]) => {
      const at = path === "" ? key : `${path}.${key}`;
      const from = each.since ?? since;
      const byDefault = schema.required?.includes(key) ? "required" : defaultOf(each);
      const own = { path: at, type: typeOf(each), byDefault, description: each.description ?? "", since: from };
      return [own, ...keysBelow(each, at, from)];
    });
  if (typeof additionalProperties === "object") {
    const isNamed = additionalProperties.type !== "object";
    const names = propertyNames?.enum?.join(" | ") ?? "*";
    const { description = "", since: from = since } = additionalProperties;
    const own = {
      path: `${path}.${names}`,
      type: typeOf(additionalProperties),
      byDefault: "–",
      description,
      since: from,
    };
    return [...(isNamed ? [own] : []), ...inner(additionalProperties, `${path}.*`)];
  }
  return items ? inner(items, `${path}[]`) : [];
}

/** The keys of all variants. One that is not in each of them says with which it goes. */
function merged(variants: readonly JsonSchema[]): JsonSchema {
  const all = variants.flatMap(({ properties = {} }) => Object.entries(properties));
  const properties = Object.fromEntries(
    all.map(([key, first]) => {
      const having = variants.flatMap(({ properties = {} }) => properties[key] ?? []);
      const [by, value] = constIn(variants.find((each) => each.properties?.[key])) ?? [];
      const only = having.length < variants.length ? `Only with “${by}: ${value}”. ` : "";
      const values = having.flatMap((each) => each.const ?? []);
      const { const: _const, ...rest } = first;
      const choice = values.length > 0 ? { enum: values } : {};
      return [key, { ...rest, ...choice, description: `${only}${first.description ?? ""}` }];
    }),
  );
  const required = Object.keys(properties).filter((key) =>
    variants.every((each) => !each.properties?.[key] || each.required?.includes(key)),
  );
  return { properties, required };
}

const constIn = (variant: JsonSchema | undefined): readonly [string, unknown] | undefined =>
  Object.entries(variant?.properties ?? {}).flatMap(([key, each]) =>
    each.const === undefined ? [] : [[key, each.const] as const],
  )[0];

/** Longer lists of names are told by their title. */
const maxListed = 8;

function typeOf(schema: JsonSchema): string {
  const { type, title, items, anyOf, properties, additionalProperties, oneOf } = schema;
  if (schema.const !== undefined) return `${schema.const}`;
  if (anyOf) return anyOf.map(typeOf).join(" or ");
  if (items)
    return [items.properties || items.oneOf ? "list" : `list: ${typeOf(items)}`, ...limitsOf(schema)].join(", ");
  if (schema.enum && schema.enum.length <= maxListed) return schema.enum.map((each) => `\`${each}\``).join(" ");
  if (title !== undefined) return title;
  if (properties || oneOf) return "a group of keys";
  if (additionalProperties) return "entries by name";
  const words: Readonly<Record<string, string>> = {
    integer: "whole number",
    boolean: "`true` `false`",
    string: "text",
  };
  return [words[type ?? ""] ?? type ?? "", ...limitsOf(schema)].join(", ");
}

const limitsOf = ({ minimum, exclusiveMinimum, maximum, minItems, maxItems }: JsonSchema): readonly string[] => [
  ...(minItems === undefined ? [] : [`at least ${minItems}`]),
  ...(minimum === undefined ? [] : [`${minimum} or more`]),
  ...(exclusiveMinimum === undefined ? [] : [`more than ${exclusiveMinimum}`]),
  ...[maximum, maxItems].filter((each) => each && each < Number.MAX_SAFE_INTEGER).map((each) => `at most ${each}`),
];

function defaultOf({ default: value }: JsonSchema): string {
  if (value === undefined || (typeof value === "object" && Object.keys(Object(value)).length === 0)) return "–";
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("<", "\\<")).join(" | ")} |`;

const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...headings), `|${"---|".repeat(headings.length)}`, ...rows.map((cells) => row(...cells))].join("\n");

/** The keys at and below a path, without those that have a table of their own. */
export function keyTable(path: string, keys: readonly Key[], others: readonly string[]): string {
  const isBelow = (key: string, of: string) => key === of || key.startsWith(`${of}.`) || key.startsWith(`${of}[]`);
  const deeper = others.filter((other) => other !== path && isBelow(other, path));
  const shown = keys.filter((key) => isBelow(key.path, path) && !deeper.some((other) => isBelow(key.path, other)));
  const within = (key: string) => (key === path ? key : key.slice(path.length).replace(/^(?:\[\])?\.?(?:\*\.)?/, ""));
  return table(
    ["Key", "Value", "Default", "What it does", "Since"],
    shown.map((key) => [`\`${within(key.path)}\``, key.type, key.byDefault, quoted(key.description), key.since]),
  );
}

/** In the document, what a description quotes is code. */
const quoted = (description: string): string => description.replaceAll(/“([^”]*)”/g, "`$1`");

export function variableTable(): string {
  const read = readEnvironment({ NODE_ENV: "production" }, String);
  const missing = read.kind === "problems" ? read.problems.join("\n") : "";
  return table(
    ["Variable", "Default", "What it is"],
    variableNames.map((name) => {
      const schema = variables.shape[name];
      const byDefault = schema.parse(undefined);
      const whenMissing = missing.includes(`${name} is missing`) ? "required" : "–";
      return [
        `\`${name}\``,
        byDefault === undefined ? whenMissing : `\`${byDefault}\``,
        `${schema.meta()?.description}`,
      ];
    }),
  );
}

/** Curfew's own metrics, by one look at all of them. */
export async function metricTable(): Promise<string> {
  const backlog = { announcements: 0, oldestAnnouncementAt: undefined, approvals: 0, overdueSince: undefined };
  const config = { inForce: { hash: "", since: 0, by: "operator" }, newer: undefined };
  const options = { backlog: async () => backlog, config: () => config, troubles: new Map<string, string>() };
  const metrics = createMetrics({ ...options, silentAccounts: new Map(), now: () => 0 });
  metrics.commands.inc({ command: "", outcome: "" });
  metrics.service.observe({ operation: "", status: "" }, 1);
  metrics.slack.observe({ method: "", outcome: "" }, 1);
  metrics.ack.observe({ request: "" }, 1);
  metrics.database.observe({ statement: "", outcome: "" }, 1);
  const { text } = await metrics.scrape();
  const samples = samplesIn(text);
  return table(
    ["Metric", "What it says", "Labels"],
    [...text.matchAll(/^# HELP (curfew_\w+) (.*)$/gm)].map(([, name = "", help = ""]) => {
      const sample = samples.find((each) => [name, `${name}_count`].includes(each.name));
      return [
        `\`${name}\``,
        help,
        Object.keys(sample?.labels ?? {})
          .map((label) => `\`${label}\``)
          .join(", "),
      ];
    }),
  );
}

/** The document with each of its generated tables made anew: `<!-- keys approvals -->`, `<!-- variables -->`, `<!-- metrics -->`. */
export async function withTables(document: string): Promise<string> {
  const keys = configKeys();
  const paths = [...document.matchAll(/^<!-- keys (\S+) -->$/gm)].map(([, path = ""]) => path);
  const fixed: Readonly<Record<string, string>> = { variables: variableTable(), metrics: await metricTable() };
  return document.replaceAll(/^(<!-- (keys (\S+)|variables|metrics) -->)\n[\s\S]*?^(<!-- end -->)$/gm, (...match) => {
    const [, start, what = "", path, end] = match.map(String);
    return [start, path === "undefined" ? fixed[what] : keyTable(`${path}`, keys, paths), end].join("\n");
  });
}
