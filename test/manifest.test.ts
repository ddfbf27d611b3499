import { readdirSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { stepCommands } from "../src/commands/catalogue.ts";
import { readEnvironment } from "../src/config/environment.ts";
import { stepFunction } from "../src/slack/workflows/take-step.ts";

/** The parts of a manifest that must match the code. */
const manifestParts = z.looseObject({
  features: z.looseObject({
    slash_commands: z.array(
      z.looseObject({ command: z.string(), url: z.string().optional(), should_escape: z.boolean() }),
    ),
    shortcuts: z.array(z.looseObject({ callback_id: z.string() })).default([]),
  }),
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: z.array(z.string()) }) }),
  settings: z.looseObject({
    socket_mode_enabled: z.boolean(),
    interactivity: z.looseObject({
      is_enabled: z.boolean(),
      request_url: z.string().optional(),
      message_menu_options_url: z.string().optional(),
    }),
    event_subscriptions: z.looseObject({ bot_events: z.array(z.string()) }).optional(),
  }),
});

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
const raw = {
  http: readJson("manifest/slack-app.http.json"),
  socket: readJson("manifest/slack-app.socket.json"),
  workflows: readJson("manifest/slack-app.workflows.json"),
};
const http = manifestParts.parse(raw.http);
const socket = manifestParts.parse(raw.socket);
const workflows = manifestParts.parse(raw.workflows);

const code = readdirSync("src/slack", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => readFileSync(`src/slack/${path}`, "utf8"))
  .join("\n");

describe("the official schema", () => {
  test.each(["http", "socket", "workflows"] as const)("accepts the %s manifest", (mode) => {
    const validate = manifestValidator();
    expect(validate(raw[mode]), JSON.stringify(validate.errors, null, 2)).toBe(true);
  });

  test("rejects steps in the form of another version", () => {
    const other = { ...manifestValues.parse(raw.workflows), _metadata: { major_version: 2 } };
    expect(manifestValidator()(other)).toBe(false);
  });

  test("rejects a misspelled key", () => {
    expect(manifestValidator()({ display_information: { name: "Curfew" }, setings: {} })).toBe(false);
  });
});

describe.each([
  ["http", http],
  ["socket", socket],
  ["workflows", workflows],
] as const)("the %s manifest", (mode, manifest) => {
  test("has the slash command that the code uses by default, with mentions escaped", () => {
    const environment = readEnvironment({}, () => "");
    if (environment.kind === "problems") throw new Error(environment.problems.join("\n"));
    expect(manifest.features.slash_commands).toMatchObject([{ command: environment.command, should_escape: true }]);
  });

  test("has exactly the shortcuts and events that the code listens to", () => {
    expect(manifest.features.shortcuts.map((shortcut) => shortcut.callback_id)).toEqual(listenedTo("shortcut"));
    const ofSteps = mode === "workflows" ? [] : ["function_executed"];
    const events = listenedTo("event").filter((event) => !ofSteps.includes(event));
    expect(manifest.settings.event_subscriptions?.bot_events ?? []).toEqual(events);
  });

  test("lets people write to Curfew in its Messages tab", () => {
    const { app_home } = z.object({ features: z.looseObject({ app_home: z.unknown() }) }).parse(raw[mode]).features;
    expect(app_home).toMatchObject({ messages_tab_enabled: true, messages_tab_read_only_enabled: false });
  });

  test("enables interactivity for forms and buttons", () => {
    expect(code).toMatch(/\bapp\.(?:action|view)\(/);
    expect(manifest.settings.interactivity.is_enabled).toBe(true);
  });

  test("requests exactly the scopes that the code's calls need", () => {
    expect([...manifest.oauth_config.scopes.bot].sort()).toEqual([...neededScopes()].sort());
  });
});

test("the HTTP manifest has request URLs, and the Socket Mode one has none", () => {
  const url = "https://curfew.example.com/slack/events";
  expect(http.settings).toMatchObject({
    socket_mode_enabled: false,
    interactivity: { request_url: url, message_menu_options_url: url },
  });
  expect(http.features.slash_commands.map((command) => command.url)).toEqual([url]);
  expect(socket.settings.socket_mode_enabled).toBe(true);
  expect(JSON.stringify(raw.socket)).not.toMatch(/https?:|_url"|"url"/);
});

test("the two manifests differ only in their transport", () => {
  expect(withoutTransport(raw.http)).toEqual(withoutTransport(raw.socket));
});

describe("the manifest with steps", () => {
  test("is the one for Socket Mode, and what Workflow Builder needs beside it", () => {
    const { _metadata, functions, settings, ...rest } = manifestValues.parse(raw.workflows);
    const { settings: before, ...alike } = manifestValues.parse(raw.socket);
    expect(rest).toEqual(alike);
    const { bot_events } = workflows.settings.event_subscriptions ?? {};
    expect(settings).toEqual({
      ...z.looseObject({}).parse(before),
      ...{ event_subscriptions: { bot_events }, org_deploy_enabled: true, function_runtime: "remote" },
    });
    expect(_metadata).toEqual({ major_version: 1, minor_version: 1 });
    expect(Object.keys(functions ?? {}).length).toBeGreaterThan(5);
  });

  test("has the steps of the catalogue, with the inputs of their fields", () => {
    const { functions } = manifestValues.parse(raw.workflows);
    const derived = Object.fromEntries(stepCommands.map((command) => [command.step.name, stepFunction(command)]));
    expect(functions).toEqual(derived);
  });

  test("has what Slack allows: ids of 100 characters, titles of 255", () => {
    for (const { step } of stepCommands) {
      expect(step.name).toMatch(/^[a-z_]{1,100}$/);
      expect(step.title.length).toBeLessThan(256);
    }
  });
});

const manifestValues = z.looseObject({ functions: z.record(z.string(), z.unknown()).optional() });

function manifestValidator() {
  const ajv = new Ajv({ strict: false, formats: { uri: (text: string) => URL.canParse(text) } });
  for (const version of ["1.0.0", "2.0.0"]) {
    ajv.addSchema(
      z.record(z.string(), z.unknown()).parse(readJson(`test/fixtures/manifest.schema.${version}.json`)),
      `https://raw.githubusercontent.com/slackapi/manifest-schema/v0.5.0/schemas/manifest.schema.${version}.json`,
    );
  }
  return ajv.compile(z.record(z.string(), z.unknown()).parse(readJson("test/fixtures/manifest.schema.json")));
}

/** The bot scopes of each Web API method (PLATFORM.md §12.1), for public and private channels; null for none. A call to an unlisted method fails. */
const scopeOf: Readonly<Record<string, string | null>> = {
  "apps.connections.open": null,
  "auth.test": null,
  "chat.delete": "chat:write",
  "chat.getPermalink": null,
  "chat.postEphemeral": "chat:write",
  "chat.postMessage": "chat:write",
  "chat.update": "chat:write",
  "conversations.info": "channels:read groups:read",
  "conversations.join": "channels:join",
  "conversations.list": "channels:read groups:read",
  "conversations.members": "channels:read groups:read",
  "conversations.open": "im:write",
  "functions.completeError": null,
  "functions.completeSuccess": null,
  "usergroups.list": "usergroups:read",
  "users.info": "users:read",
  "users.list": "users:read",
  "users.lookupByEmail": "users:read.email",
  "views.open": null,
  "views.publish": null,
  "views.push": null,
  "views.update": null,
};

/** The bot scope of each event (PLATFORM.md §2.2); null for none. */
const scopeOfEvent: Readonly<Record<string, string | null>> = {
  app_home_opened: null,
  app_mention: "app_mentions:read",
  function_executed: null,
  "message.im": "im:history",
  member_joined_channel: "channels:read groups:read",
  member_left_channel: "channels:read groups:read",
  subteam_members_changed: "usergroups:read",
  subteam_updated: "usergroups:read",
  user_change: "users:read",
};

/** `commands` is for the slash command; a profile has an e-mail address only with `users:read.email`. */
function neededScopes(): ReadonlySet<string> {
  const methods = [...code.matchAll(/\bclient\s*\.\s*([a-z]+(?:\s*\.\s*[a-zA-Z]+)+)\s*\(/g)].map(([, method = ""]) =>
    method.replaceAll(/\s/g, ""),
  );
  expect(methods).toContain("chat.postMessage");
  const scopes = new Set(["commands"]);
  for (const method of methods) {
    if (!(method in scopeOf)) throw new Error(`the scope of ${method} is not in this test's table`);
    const scope = scopeOf[method];
    for (const each of scope?.split(" ") ?? []) scopes.add(each);
  }
  if (/profile\??\.email/.test(code)) scopes.add("users:read.email");
  for (const event of listenedTo("event")) {
    const scope = scopeOfEvent[event];
    if (scope === undefined) throw new Error(`the scope of the event ${event} is not in this test's table`);
    for (const each of scope?.split(" ") ?? []) scopes.add(each);
  }
  return scopes;
}

/** The names passed to `app.shortcut("…")` or `app.event("…")`. Of messages, only direct ones are used. */
function listenedTo(kind: "shortcut" | "event"): readonly string[] {
  return [...code.matchAll(new RegExp(`\\bapp\\.${kind}\\(\\s*"([^"]+)"`, "g"))]
    .map(([, name = ""]) => (name === "message" ? "message.im" : name))
    .sort();
}

/** The manifest without URLs and the Socket Mode switch. */
function withoutTransport(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTransport);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !/^(?:url|.*_url|socket_mode_enabled)$/.test(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutTransport(inner)]));
}
