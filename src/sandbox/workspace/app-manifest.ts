import { z } from "zod";
import { type AppFunction, appFunctions, functionProblems, functionsSchema } from "./app-functions.ts";

const text = z.string();
const flag = z.boolean().default(false);

const SlashCommand = z.object({
  command: text,
  url: text.optional(),
  description: text.default(""),
  usage_hint: text.default(""),
  should_escape: flag,
});

/** The parts of an app manifest that decide what Slack delivers and permits (PLATFORM.md §15). */
const Manifest = z.object({
  display_information: z.object({ name: text }),
  features: z
    .object({
      app_home: z
        .object({ home_tab_enabled: flag, messages_tab_enabled: flag, messages_tab_read_only_enabled: flag })
        .prefault({}),
      bot_user: z.object({ display_name: text }).optional(),
      slash_commands: z.array(SlashCommand).default([]),
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
  functions: functionsSchema.default({}),
});

export interface AppManifest {
  readonly name: string;
  readonly isSocketMode: boolean;
  readonly isInteractive: boolean;
  readonly loadsOptions: boolean;
  readonly scopes: readonly string[];
  readonly events: readonly string[];
  readonly commands: readonly {
    readonly command: string;
    readonly description: string;
    readonly usageHint: string;
    readonly escapes: boolean;
  }[];
  readonly shortcuts: readonly {
    readonly name: string;
    readonly type: "message" | "global";
    readonly callbackId: string;
  }[];
  /** Its steps in Workflow Builder. */
  readonly functions: readonly AppFunction[];
  readonly home: { readonly hasHomeTab: boolean; readonly hasMessagesTab: boolean; readonly isReadOnly: boolean };
}

/** Parses a manifest as Slack's app settings do. Throws with every problem that prevents the installation. */
export function parseAppManifest(input: unknown): AppManifest {
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
    commands: features.slash_commands.map(({ command, description, usage_hint, should_escape }) => ({
      command,
      description,
      usageHint: usage_hint,
      escapes: should_escape,
    })),
    shortcuts: features.shortcuts.map(({ name, type, callback_id }) => ({ name, type, callbackId: callback_id })),
    functions: appFunctions(manifest.functions),
    home: {
      hasHomeTab: features.app_home.home_tab_enabled,
      hasMessagesTab: features.app_home.messages_tab_enabled,
      isReadOnly: features.app_home.messages_tab_read_only_enabled,
    },
  };
}

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
function installationProblems({
  features,
  oauth_config,
  settings,
  functions,
}: z.infer<typeof Manifest>): readonly string[] {
  const scopes = oauth_config.scopes.bot;
  const { bot_events: events } = settings.event_subscriptions;
  const problems: string[] = [
    ...functionProblems(functions, {
      events,
      runtime: settings.function_runtime,
      isOrgReady: settings.org_deploy_enabled,
    }),
  ];
  if (scopes.length > 0 && features.bot_user === undefined) problems.push("bot scopes need features.bot_user");
  const usesCommands = features.slash_commands.length + features.shortcuts.length > 0;
  if (usesCommands && !scopes.includes("commands")) problems.push("commands and shortcuts need the scope commands");
  for (const event of settings.event_subscriptions.bot_events) {
    const needed = eventScopes[event];
    if (needed !== undefined && !needed.some((scope) => scopes.includes(scope))) {
      problems.push(`the event ${event} needs the scope ${needed.join(" or ")}`);
    }
  }
  return settings.socket_mode_enabled ? problems : [...problems, ...missingUrls(features, settings)];
}

function missingUrls(
  features: z.infer<typeof Manifest>["features"],
  settings: z.infer<typeof Manifest>["settings"],
): readonly string[] {
  const problems = features.slash_commands
    .filter((command) => command.url === undefined)
    .map((command) => `${command.command} needs a url without Socket Mode`);
  if (settings.interactivity.is_enabled && settings.interactivity.request_url === undefined) {
    problems.push("settings.interactivity needs a request_url without Socket Mode");
  }
  if (settings.event_subscriptions.bot_events.length > 0 && settings.event_subscriptions.request_url === undefined) {
    problems.push("settings.event_subscriptions needs a request_url without Socket Mode");
  }
  return problems;
}
