import { expect, test } from "vitest";
import { createResponder } from "../../src/slack/listeners/replies.ts";
import { contextBlock } from "../../src/slack/messages/message.ts";
import { md } from "../../src/slack/messages/text.ts";
import { quietLog } from "../changes/build.ts";
import { createFakeSlack, type SlackAnswer } from "./fake-slack.ts";

const message = { text: md`Done.`, blocks: [contextBlock(md`Done.`)] };
const responseUrl = "https://hooks.slack.com/commands/T1/2/x";

interface Scene {
  readonly responseUrl?: string | undefined;
  readonly respond?: () => Promise<Response>;
  readonly post?: SlackAnswer;
}

function startReply(scene: Scene = {}) {
  const { respond = async () => new Response("ok"), post = { ok: true, channel: "D1", ts: "1.1" } } = scene;
  const { client, calls } = createFakeSlack(() => post);
  const sent: { url: string; body: unknown }[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    sent.push({ url: String(url), body: JSON.parse(String(init?.body)) });
    return respond();
  };
  const url = "responseUrl" in scene ? scene.responseUrl : responseUrl;
  const responder = createResponder({ client, userId: "U1", responseUrl: url, fetch, log: quietLog });
  return { responder, sent, calls };
}

test("sends an ephemeral answer to the response URL, without guessed mentions", async () => {
  const { responder, sent, calls } = startReply();
  expect(await responder.send(message)).toBe(true);
  expect(sent).toMatchObject([
    { url: responseUrl, body: { ...message, response_type: "ephemeral", replace_original: false, parse: "none" } },
  ]);
  expect(calls).toEqual([]);
});

test("can replace the message whose button was pressed", async () => {
  const { responder, sent } = startReply();
  expect(await responder.replace(message)).toBe(true);
  expect(sent).toMatchObject([{ body: { ...message, replace_original: true } }]);
  expect(sent[0]?.body).not.toHaveProperty("response_type");
});

test.each<[string, Scene]>([
  ["is used up", { respond: async () => new Response("used_url", { status: 404 }) }],
  ["cannot be reached", { respond: async () => Promise.reject(new TypeError("fetch failed")) }],
  ["does not exist", { responseUrl: undefined }],
])("sends a direct message when the response URL %s", async (_how, scene) => {
  for (const way of ["send", "replace"] as const) {
    const { responder, calls } = startReply(scene);
    expect(await responder[way](message)).toBe(true);
    expect(calls).toMatchObject([
      { method: "chat.postMessage", args: { channel: "U1", text: "Done.", parse: "none", unfurl_links: "false" } },
    ]);
    expect(JSON.parse(calls[0]?.args.blocks ?? "")).toEqual(message.blocks);
  }
});

test("returns false when Slack takes neither, and does not throw", async () => {
  const { responder } = startReply({
    respond: async () => new Response("", { status: 500 }),
    post: { ok: false, error: "messages_tab_disabled" },
  });
  expect(await responder.send(message)).toBe(false);
});

test.each([
  "http://hooks.slack.com/commands/T1/2/x",
  "https://hooks.slack.com.evil.example/commands/T1/2/x",
  "https://hooks.slack.com@evil.example/x",
  "https://evil.example/https://hooks.slack.com/",
  "http://169.254.169.254/latest/meta-data",
  "file:///etc/passwd",
  "no address",
])("never calls %s, which is not Slack's: sends a direct message", async (url) => {
  const { responder, sent, calls } = startReply({ responseUrl: url });
  expect(await responder.send(message)).toBe(true);
  expect(await responder.replace(message)).toBe(true);
  expect(sent).toEqual([]);
  expect(calls).toHaveLength(2);
});
