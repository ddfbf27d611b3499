import { afterAll, beforeAll, expect, it } from "vitest";
import { ask } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { post, signedHeaders } from "../support/wire.ts";

const failures: unknown[] = [];
const see = (error: unknown) => void failures.push(error);
beforeAll(() => void process.on("unhandledRejection", see).on("uncaughtException", see));
afterAll(() => void process.off("unhandledRejection", see).off("uncaughtException", see));

/** As Slack's documentation shows it, and as node-slack-sdk issue 2167 met it over Socket Mode. */
const limited = {
  token: "Jhj5dZrVaK7ZwHHjRyZWjbDl",
  type: "app_rate_limited",
  team_id: "T123456",
  minute_rate_limited: 1518467820,
  api_app_id: "A123456",
};
const bodies: readonly unknown[] = [
  ...[limited, {}, [], null, 7, "text", { type: "event_callback" }, { type: "event_callback", event: null }],
  ...[
    { type: "event_callback", event: {} },
    { type: "event_callback", event: { type: null } },
  ],
  ...["app_mention", "message", "app_home_opened", "function_executed", "unheard_of"].map((type) => ({
    type: "event_callback",
    event: { type },
  })),
  ...[
    "block_actions",
    "view_submission",
    "view_closed",
    "shortcut",
    "message_action",
    "block_suggestion",
    "new",
  ].flatMap((type) => [{ type }, { type, user: null, view: null, actions: [null] }]),
  { command: "/curfew" },
];
const envelopes = bodies.flatMap((payload) =>
  ["events_api", "interactive", "slash_commands", "app_rate_limited", "unheard_of", "ws_message", null].map((type) => ({
    ...{ type, envelope_id: "e-1", payload },
  })),
);

const socket = oneBot({ mode: "socket" });
const http = oneBot();

it("no malformed or unknown message over Socket Mode ends the process or the connection", async () => {
  const { workspace, app, logged } = socket.curfew();
  const texts = [
    "",
    "null",
    "7",
    "[]",
    "{",
    "{}",
    '"hello"',
    '{"type":"events_api"}',
    '{"type":"events_api","payload":{}}',
  ];
  for (const text of [...texts, ...envelopes.map((each) => JSON.stringify(each))]) workspace.sockets.say(text);
  expect((await ask(socket.curfew(), "carol", "whoami")).text).toContain("carol");
  await app.idle();
  expect(failures).toEqual([]);
  expect(workspace.sockets.count()).toBe(1);
  expect(logged.filter((line) => line.includes("Slack left out events"))).not.toEqual([]);
  expect(logged.filter((line) => line.includes('"type":"unheard_of"'))).not.toEqual([]);
});

it("no malformed or unknown request over HTTP ends the process", async () => {
  const { app, url, logged } = http.curfew();
  for (const each of bodies) {
    const json = JSON.stringify(each);
    const form = new URLSearchParams({ payload: json }).toString();
    for (const [body, type] of [
      [json, "application/json"],
      [form, "application/x-www-form-urlencoded"],
    ] as const) {
      const { status } = await post(http.curfew(), body, signedHeaders(http.curfew(), body, type));
      if (each === limited) expect(status).toBe(200);
    }
  }
  await app.idle();
  expect(failures).toEqual([]);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(logged.filter((line) => line.includes("Slack left out events"))).not.toEqual([]);
});
