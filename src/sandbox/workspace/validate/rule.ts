import { isJsonObject, type JsonObject } from "../json-object.ts";

/** Returns the problems of the value at a JSON pointer, in Slack's words; empty when valid (PLATFORM.md §9.2). */
export type Rule = (value: unknown, pointer: string) => readonly string[];
/** A rule by property; a name that ends in `?` may be absent. */
export type Shape = Readonly<Record<string, Rule>>;
/** A rule that involves several properties of one object. */
export type Check = (value: JsonObject, pointer: string) => readonly string[];

export const anyNumber = Number.POSITIVE_INFINITY;

export function problem(text: string, pointer: string): readonly string[] {
  return [`${text} [json-pointer:${pointer}]`];
}

export function characters(min: number, max: number): Rule {
  return (value, pointer) => {
    if (typeof value !== "string") return problem("must provide a string", pointer);
    if (value.length < min) return problem(`must be more than ${min - 1} characters`, pointer);
    return value.length > max ? problem(`must be less than ${max + 1} characters`, pointer) : [];
  };
}

export function matching(pattern: RegExp): Rule {
  return (value, pointer) => {
    if (typeof value !== "string") return problem("must provide a string", pointer);
    return pattern.test(value) ? [] : problem(`input must match regex pattern: ${pattern.source}`, pointer);
  };
}

export function integerBetween(min: number, max: number): Rule {
  return (value, pointer) => {
    if (typeof value !== "number" || !Number.isInteger(value)) return problem("must provide an integer", pointer);
    if (value < min) return problem(`must be greater than ${min}`, pointer);
    return value > max ? problem(`must be less than ${max}`, pointer) : [];
  };
}

export const flag: Rule = (value, pointer) => (typeof value === "boolean" ? [] : problem("must be a boolean", pointer));

export function oneOf(...values: readonly unknown[]): Rule {
  return (value, pointer) => (values.includes(value) ? [] : problem("must be a valid enum value", pointer));
}

export function listOf(item: Rule, min: number, max: number): Rule {
  return (value, pointer) => {
    if (!Array.isArray(value)) return problem("must provide an array", pointer);
    if (value.length > max) return problem(`no more than ${max} items allowed`, pointer);
    if (value.length < min) return problem(`must provide at least ${min} items`, pointer);
    return value.flatMap((each: unknown, index) => item(each, `${pointer}/${index}`));
  };
}

/** An object with these properties and no others. */
export function fields(shape: Shape, ...checks: readonly Check[]): Rule {
  const rules = new Map(Object.entries(shape).map(([name, rule]) => [name.replace("?", ""), rule]));
  const required = Object.keys(shape).filter((name) => !name.endsWith("?"));
  return (value, pointer) => {
    if (!isJsonObject(value)) return problem("must provide an object", pointer);
    const given = Object.entries(value).filter(([, item]) => item !== undefined);
    const missing = required.filter((name) => value[name] === undefined);
    return [
      ...missing.flatMap((name) => problem(`missing required field: ${name}`, pointer)),
      ...given.flatMap(
        ([name, item]) =>
          rules.get(name)?.(item, `${pointer}/${name}`) ?? problem(`invalid additional property: ${name}`, pointer),
      ),
      ...checks.flatMap((check) => check(value, pointer)),
    ];
  };
}

/** The same for an object that `byType` has already matched by its `type`. */
export function typed(shape: Shape, ...checks: readonly Check[]): Rule {
  return fields({ "type?": () => [], ...shape }, ...checks);
}

export function byType(rules: Readonly<Record<string, Rule>>): Rule {
  return (value, pointer) => {
    if (!isJsonObject(value)) return problem("must provide an object", pointer);
    const { type } = value;
    if (type === undefined) return problem("missing required field: type", pointer);
    if (typeof type !== "string") return problem("must provide a string", `${pointer}/type`);
    const rule = Object.hasOwn(rules, type) ? rules[type] : undefined;
    return rule?.(value, pointer) ?? problem(`unsupported type: ${type}`, `${pointer}/type`);
  };
}

/** Slack's own text is unknown; this follows the one documented for `blocks.validate`. */
export function exactlyOne(one: string, other: string): Check {
  return (value, pointer) =>
    (value[one] === undefined) === (value[other] === undefined)
      ? problem(`must provide exactly one of \`${one}\` or \`${other}\``, pointer)
      : [];
}
