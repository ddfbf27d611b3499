import { z } from "zod";

const text = z.string();
const flag = z.boolean().default(false);
const parameters = z.record(text, z.object({ type: text, title: text.default(""), is_required: flag }));

/** The parts of an app manifest that decide what Slack delivers and permits (PLATFORM.md §15). */
const Manifest = z.object({
  display_information: z.object({ name: text }),
  features: z
    .object({
      app_home: z
        .object({ home_tab_enabled: flag, messages_tab_enabled: flag, messages_tab_read_only_enabled: flag })
        .prefault({}),
      bot_user: z.object({ display_name: text }).optional(),
      slash_commands: z
        .array(
          z.object({
            command: text,
            url: text.optional(),
            description: text.default(""),
            usage_hint: text.default(""),
            should_escape: flag,
          }),
        )
        .default([]),
      shortcuts: z.array(z.object({ name: text, type: z.enum(["message", "global"]), callback_id: text })).default([]),
    })
    .prefault({}),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(text).default([]) }).prefault({}) }).prefault({}),
  settings: z
    .object({
      event_subscriptions: z
        .object({ request_url: text.optional(), bot_events: z.array(text).default([]) })
        .prefault({}),
      interactivity: z
        .object({ is_enabled: flag, request_url: text.optional(), message_menu_options_url: text.optional() })
        .prefault({}),
      socket_mode_enabled: flag,
      org_deploy_enabled: flag,
      function_runtime: text.optional(),
    })
    .prefault({}),
  /** In its first version: a flat map of parameters (PLATFORM.md §15.1). */
  functions: z
    .record(
      text,
      z.object({ title: text, description: text, input_parameters: parameters, output_parameters: parameters }),
    )
    .default({}),
});
type Given = z.infer<typeof Manifest>;

export type AppManifest = ReturnType<typeof parseAppManifest>;
/** A step that an app offers in Workflow Builder. */
export type AppFunction = AppManifest["functions"][number];
/** Parses a manifest as Slack's app settings do. Throws with every problem that prevents the installation. */
export function parseAppManifest(input: unknown) {
  const manifest = Manifest.parse(input);
  const problems = installationProblems(manifest);
  if (problems.length > 0)
    throw new Error(`The app manifest cannot be installed, correct it first: ${problems.join("; ")}.`);
  const { features, settings } = manifest;
  return {
    name: manifest.display_information.name,
    isSocketMode: settings.socket_mode_enabled,
    isInteractive: settings.interactivity.is_enabled,
    loadsOptions: settings.socket_mode_enabled || settings.interactivity.message_menu_options_url !== undefined,
    scopes: manifest.oauth_config.scopes.bot,
    events: settings.event_subscriptions.bot_events,
    commands: features.slash_commands,
    shortcuts: features.shortcuts,
    functions: Object.entries(manifest.functions).map(([callback_id, given]) => ({
      callback_id,
      ...given,
      input_parameters: parametersIn(given.input_parameters),
      output_parameters: parametersIn(given.output_parameters),
    })),
    home: features.app_home,
  };
}

const parametersIn = (given: z.infer<typeof parameters>) =>
  Object.entries(given).map(([name, parameter]) => ({ name, ...parameter }));

/** The scopes each event needs, any one of them (PLATFORM.md §2.2). Other events need none. */
const eventScopes: Readonly<Record<string, readonly string[]>> = {
  app_mention: ["app_mentions:read"],
  "message.channels": ["channels:history"],
  "message.groups": ["groups:history"],
  "message.im": ["im:history"],
  "message.mpim": ["mpim:history"],
  member_joined_channel: ["channels:read", "groups:read"],
  member_left_channel: ["channels:read", "groups:read"],
  channel_rename: ["channels:read"],
  channel_archive: ["channels:read"],
  channel_deleted: ["channels:read"],
  team_join: ["users:read"],
  user_change: ["users:read"],
  subteam_created: ["usergroups:read"],
  subteam_updated: ["usergroups:read"],
  subteam_members_changed: ["usergroups:read"],
  reaction_added: ["reactions:read"],
};

/** Slack's server checks these beyond the schema (PLATFORM.md §15.2, traps). */
function installationProblems(manifest: Given): readonly string[] {
  const { features, settings } = manifest;
  const scopes = manifest.oauth_config.scopes.bot;
  const problems = functionProblems(manifest);
  if (scopes.length > 0 && features.bot_user === undefined) problems.push("bot scopes need features.bot_user");
  const usesCommands = features.slash_commands.length + features.shortcuts.length > 0;
  if (usesCommands && !scopes.includes("commands")) problems.push("commands and shortcuts need the scope commands");
  for (const event of settings.event_subscriptions.bot_events) {
    const needed = eventScopes[event];
    if (needed !== undefined && !needed.some((scope) => scopes.includes(scope))) {
      problems.push(`the event ${event} needs the scope ${needed.join(" or ")}`);
    }
  }
  return settings.socket_mode_enabled ? problems : [...problems, ...missingUrls(manifest)];
}

/** What keeps the steps of an app out of Workflow Builder (PLATFORM.md §18.1). */
function functionProblems({ functions, settings }: Given): string[] {
  const ids = Object.keys(functions);
  if (ids.length === 0) return [];
  return [
    ...ids.filter((id) => id.length > 100).map((id) => `the id of the function ${id} is longer than 100`),
    ...(settings.event_subscriptions.bot_events.includes("function_executed")
      ? []
      : ["functions need the event function_executed"]),
    ...(settings.function_runtime === "remote" ? [] : ["functions need settings.function_runtime remote"]),
    ...(settings.org_deploy_enabled ? [] : ["functions need settings.org_deploy_enabled"]),
  ];
}

function missingUrls({ features, settings }: Given): readonly string[] {
  const { interactivity, event_subscriptions } = settings;
  const problems = features.slash_commands
    .filter((command) => command.url === undefined)
    .map((command) => `${command.command} needs a url without Socket Mode`);
  if (interactivity.is_enabled && interactivity.request_url === undefined)
    problems.push("settings.interactivity needs a request_url without Socket Mode");
  if (event_subscriptions.bot_events.length > 0 && event_subscriptions.request_url === undefined)
    problems.push("settings.event_subscriptions needs a request_url without Socket Mode");
  return problems;
}

/** What is wrong with values for these parameters; an empty list for none. */
export function parameterProblems(
  declared: readonly AppFunction["input_parameters"][number][],
  values: Readonly<Record<string, unknown>>,
): readonly string[] {
  const unknown = Object.keys(values).filter((name) => !declared.some((each) => each.name === name));
  return [
    ...unknown.map((name) => `${name} is no parameter`),
    ...declared.flatMap(({ name, type, is_required }) => {
      const value = values[name];
      if (value === undefined || value === null) return is_required ? [`${name} is required`] : [];
      return isOfType(type, value) ? [] : [`${name} must be of type ${type}`];
    }),
  ];
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "string":
    case "boolean":
      return typeof value === type;
    case "integer":
    case "slack#/types/timestamp":
      return Number.isInteger(value);
    case "slack#/types/user_id":
      return typeof value === "string" && /^[UW][A-Z0-9]+$/.test(value);
    default:
      throw new Error(`The sandbox knows no parameters of type ${type}; add it to app-manifest.ts.`);
  }
}
