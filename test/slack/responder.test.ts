import { expect, test } from "vitest";
import { createResponder } from "../../src/slack/listeners/replies.ts";
import { contextBlock } from "../../src/slack/messages/message.ts";
import { md } from "../../src/slack/messages/text.ts";
import { quietLog } from "../changes/build.ts";
import { createFakeSlack, type SlackAnswer } from "./fake-slack.ts";

const message = { text: md`Done.`, blocks: [contextBlock(md`Done.`)] };
const responseUrl = "https://hooks.slack.com/commands/T1/2/x";

function startReply(post: SlackAnswer = { ok: true, channel: "D1", ts: "1.1" }, status = 200) {
  const { client, calls } = createFakeSlack(() => post);
  const sent: { url: string; body: unknown }[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    sent.push({ url: String(url), body: JSON.parse(String(init?.body)) });
    return new Response("", { status });
  };
  const responder = createResponder({ client, userId: "U1", responseUrl, fetch, log: quietLog });
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

test("returns false when Slack takes neither, and does not throw", async () => {
  const { responder } = startReply({ ok: false, error: "messages_tab_disabled" }, 500);
  expect(await responder.send(message)).toBe(false);
});
