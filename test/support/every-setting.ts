import { z } from "zod";
import { settingsSchema } from "../../src/config/settings.ts";
import { scopeAmong } from "../../src/permissions/config-values.ts";
import { wholeExample } from "./start-curfew.ts";

/** The example, with every section and key that it only shows in comments. */
export const everySetting = `${wholeExample
  .replace(/^(workflows: .*) \}$/m, "$1, approvers: [admin], zone: Europe/Berlin }")
  .replace(
    "channel: C0SEC }\n\n# How often",
    "channel: C0SEC, projects: [p-dev], accounts: [main], groups: [staging] }\n\n# How often",
  )
  .replace(/maxExclusion: 24h/, "accounts: [main]\n        groups: [staging]\n        weeklyHours: 40\n        $&")
  .replace(
    "- { projects: [p-dev], processes: [stop]",
    "- { accounts: [main], projects: [p-dev], groups: [staging], processes: [stop]",
  )
  .replace(
    "\nresourceGroups:\n",
    "$&  other: { type: amazon-ec2-instance, project: p-dev, ids: [i-0c1], actions: [] }\n",
  )
  .replace(
    "approvals:\n",
    "$&  - operations: [CreateActionExclusion]\n    approvers: [admin]\n    count: 2\n    when: { longerThan: 8h, accounts: [main], projects: [p-dev], groups: [staging], resourceTypes: [amazon-ec2-instance] }\n",
  )}
budgets:
  - { accounts: [main], projects: [p-dev], groups: [staging], weeklyHours: 40, then: refuse }
  - { weeklyHours: 60, then: approval, approvers: [admin], count: 2, expires: 4h, channel: C0SEC }
require:
  - { operations: [RemoveUserMfa], reason: true, ticket: "^HD-[0-9]+$" }
ticketUrl: https://tracker.example.com/browse/{ticket}
consoleUrl: { action: "https://console.example.com/actions/{id}" }
digest: [{ channel: C0OPS, day: mon, at: "09:00", accounts: [main], projects: [p-dev], groups: [staging] }]
teams: [T0123456789]
accounts: { eu: { url: "https://eu.example.com", was: "https://old.example.com" } }
lists: { unused: [p-prod] }
retention: { history: 400d, transient: 30d }
calendars:
  - { name: holidays, file: ./holidays.ics }
  - { name: freeze, url: "https://calendar.example.com/freeze.ics", private: false }
`;

/** The path of every key that curfew.yaml may have: `*` stands for any name, `[]` for any item. */
export function settingPaths(): readonly string[] {
  const schema = settingsSchema(["admin"], scopeAmong({ staging: { type: "", project: "", ids: [] } }));
  return [...new Set(pathsOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })))];
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: unknown;
  readonly items?: unknown;
  readonly oneOf?: readonly unknown[];
}

function pathsOf(schema: JsonSchema, path = ""): readonly string[] {
  const { properties, additionalProperties, items, oneOf } = schema;
  if (properties)
    return Object.entries(properties).flatMap(([key, each]) => pathsOf(Object(each), path ? `${path}.${key}` : key));
  if (oneOf) return oneOf.flatMap((each) => pathsOf(Object(each), path));
  if (additionalProperties) return pathsOf(Object(additionalProperties), `${path}.*`);
  return items ? pathsOf(Object(items), `${path}[]`) : [path];
}

/** The content with another value at this path. */
export function withSetting(content: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner = withSetting(Reflect.get(Object(content), key), rest, value);
  return Array.isArray(content) ? content.with(Number(key), inner) : { ...Object(content), [key]: inner };
}
