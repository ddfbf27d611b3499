import { expect, test } from "vitest";
import { deliveryFailure } from "../../src/slack/delivery-failure.ts";
import { createFakeSlack, type SlackAnswer } from "./fake-slack.ts";

/** What becomes of a post that Slack answers like this; the error is the one Slack's own client makes of it. */
async function failureOf(answer: () => SlackAnswer | Promise<SlackAnswer>, ageMs = 0) {
  const { client } = createFakeSlack(answer);
  const posted = client.chat.postMessage({ channel: "C1", text: "hello" });
  return posted.then(
    () => "posted",
    (error: unknown) => deliveryFailure(error, 0, ageMs),
  );
}

test.each([
  "channel_not_found",
  "not_in_channel",
  "is_archived",
  "is_inactive",
  "restricted_action",
  "restricted_action_read_only_channel",
  "messages_tab_disabled",
  "user_not_found",
  "invalid_blocks",
  "msg_too_long",
  "msg_blocks_too_long",
  "message_not_found",
  "cant_update_message",
  "edit_window_closed",
])("%s is final: another try cannot heal it", async (error) => {
  expect(await failureOf(() => ({ ok: false, error }))).toEqual({ kind: "never", error });
});

test.each([
  "internal_error",
  "fatal_error",
  "service_unavailable",
  "request_timeout",
  "ratelimited",
  "brand_new_error",
  "account_inactive",
  "missing_scope",
  "no_permission",
  "app_access_restricted",
  "team_not_found",
])("%s is tried again", async (error) => {
  expect(await failureOf(() => ({ ok: false, error }))).toEqual({ kind: "later", error });
});

const weekMs = 7 * 24 * 3_600_000;

test("what Slack has refused for a week is given up, so that what came later gets its turn", async () => {
  const refused = () => ({ ok: false, error: "missing_scope" }) as const;
  expect(await failureOf(refused, weekMs - 1)).toMatchObject({ kind: "later" });
  expect(await failureOf(refused, weekMs)).toEqual({ kind: "never", error: "missing_scope" });
});

test("an outage and a limit are waited out, however long they take", async () => {
  expect(await failureOf(() => new Response("<html>", { status: 503 }), weekMs)).toMatchObject({ kind: "later" });
  const slow = () => new Response("", { status: 429, headers: { "retry-after": "42" } });
  expect(await failureOf(slow, weekMs)).toMatchObject({ kind: "later" });
});

test("a 429 is tried again when Slack says, and not sooner", async () => {
  const slow = () => new Response("", { status: 429, headers: { "retry-after": "42" } });
  expect(await failureOf(slow)).toEqual({ kind: "later", error: "ratelimited", afterMs: 42_000 });
});

test("an outage is waited out", async () => {
  expect(await failureOf(() => new Response("<html>", { status: 503 }))).toMatchObject({ kind: "later" });
  expect(await failureOf(() => Promise.reject(new TypeError("fetch failed")))).toMatchObject({ kind: "later" });
});

test("whatever else is thrown is no reason to give up", () => {
  expect(deliveryFailure("odd", 0, 0)).toEqual({ kind: "later", error: "unknown" });
  expect(deliveryFailure(new Error("odd"), 3, 0)).toEqual({ kind: "later", error: "odd" });
  expect(deliveryFailure(new Error("odd"), 4, 0)).toEqual({ kind: "never", error: "odd" });
});
