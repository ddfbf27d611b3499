const url = "https://example.com/slack/events";

const scopes = [
  "commands",
  "chat:write",
  "users:read",
  "users:read.email",
  "usergroups:read",
  "channels:read",
  "groups:read",
  "im:read",
  "im:write",
  "channels:join",
];

/** A manifest for the tiny app; tests change the parts they need. */
export const tinyManifest = {
  display_information: { name: "Tiny" },
  features: {
    app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
    bot_user: { display_name: "tiny" },
    slash_commands: [
      { command: "/tiny", description: "Tiny", url, should_escape: true },
      { command: "/plain", description: "Unescaped", url },
    ],
    shortcuts: [
      { name: "New thing", type: "global", callback_id: "new_thing", description: "New" },
      { name: "Keep", type: "message", callback_id: "keep", description: "Keep" },
    ],
  },
  oauth_config: { scopes: { bot: scopes } },
  settings: {
    event_subscriptions: { request_url: url, bot_events: ["app_home_opened", "user_change"] },
    interactivity: { is_enabled: true, request_url: url, message_menu_options_url: url },
    socket_mode_enabled: false,
  },
};

export function manifestWithScopes(...bot: readonly string[]) {
  return { ...tinyManifest, oauth_config: { scopes: { bot: ["commands", ...bot] } } };
}

export const socketManifest = {
  ...tinyManifest,
  settings: { ...tinyManifest.settings, socket_mode_enabled: true },
};
