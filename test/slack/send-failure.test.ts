import { describe, expect, test } from "vitest";
import { z } from "zod";
import { preparationFailure, sendFailure } from "../../src/slack/messages/post-outbox-message.ts";
import { SlackSilentError } from "../../src/slack/people/look-up.ts";
import { createFakeSlack, type SlackAnswer } from "./fake-slack.ts";

const weekMs = 7 * 24 * 3_600_000;

/** The failure of a post that Slack answers like this. Slack's own client makes the error. */
async function failureOf(answer: () => SlackAnswer | Promise<SlackAnswer>, ageMs = 0) {
  const { client } = createFakeSlack(answer);
  const posted = client.chat.postMessage({ channel: "C1", text: "hello" });
  return posted.then(
    () => "posted",
    (error: unknown) => sendFailure(error, { attempts: 0, ageMs }),
  );
}

/** Every error of PLATFORM.md §11.2, §12.2 and §12.3 that a retry cannot fix. */
const final = `
  channel_not_found not_in_channel is_archived is_inactive restricted_action restricted_action_read_only_channel
  restricted_action_thread_only_channel restricted_action_thread_locked restricted_action_non_threadable_channel
  cannot_reply_to_message messages_tab_disabled user_not_found no_text invalid_blocks invalid_blocks_format
  invalid_attachments msg_too_long msg_blocks_too_long too_many_attachments attachment_payload_limit_exceeded
  too_many_contact_cards missing_file_data markdown_text_conflict invalid_metadata_format invalid_metadata_schema
  metadata_too_large metadata_must_be_sent_from_app send_on_behalf_not_allowed as_user_not_supported
  slack_connect_file_link_sharing_blocked draft_not_found duplicate_message_not_found invalid_arguments missing_argument
  invalid_arg_name invalid_array_arg message_not_found cant_update_message edit_window_closed block_mismatch
  no_dual_broadcast_content_update
`;

/** The others: some pass, some can be fixed by the operator or the workspace's admins. */
const passing = `
  internal_error fatal_error service_unavailable request_timeout update_failed streaming_state_conflict brand_new_error
  not_authed invalid_auth account_inactive token_revoked token_expired not_allowed_token_type missing_scope no_permission
  access_denied accesslimited ekm_access_denied org_login_required team_added_to_org team_access_not_granted
  enterprise_is_restricted team_not_found app_access_restricted invalid_charset invalid_form_data invalid_post_type
  missing_post_type invalid_json json_not_object deprecated_endpoint method_deprecated unknown_method
  two_factor_setup_required is_bot
`;

const wordsIn = (text: string) => text.trim().split(/\s+/);

test.each(wordsIn(final))("does not retry %s", async (error) => {
  expect(await failureOf(() => ({ ok: false, error }))).toEqual({ kind: "never", error });
});

test.each(wordsIn(passing))("retries %s", async (error) => {
  expect(await failureOf(() => ({ ok: false, error }))).toEqual({ kind: "later", error });
});

test.each(["ratelimited", "rate_limited", "message_limit_exceeded"])(
  "treats %s as a rate limit without a time",
  async (error) => {
    expect(await failureOf(() => ({ ok: false, error }))).toEqual({ kind: "later", error, isLimit: true });
  },
);

test("retries a 429 after the time that Slack gives", async () => {
  const slow = () => new Response("", { status: 429, headers: { "retry-after": "42" } });
  const later = { kind: "later", error: "ratelimited", afterMs: 42_000, isLimit: true };
  expect(await failureOf(slow)).toEqual(later);
});

const outages: readonly [string, () => SlackAnswer | Promise<SlackAnswer>][] = [
  ["an error page", () => new Response("<html>", { status: 503 })],
  ["a page in the place of an answer", () => new Response("<html>".repeat(1000), { status: 200 })],
  ["no connection", () => Promise.reject(new TypeError("fetch failed"))],
  ["an answer that breaks off", () => new Response(brokenBody(), { status: 200 })],
  ["a limit that says no time", () => new Response("", { status: 429 })],
  ["a limit", () => new Response("", { status: 429, headers: { "retry-after": "42" } })],
  ["a missing right", () => ({ ok: false, error: "missing_scope" })],
];

test.each(outages)("retries after %s for a week", async (_what, answer) => {
  expect(await failureOf(answer, weekMs - 1)).toMatchObject({ kind: "later" });
  const late = await failureOf(answer, weekMs);
  expect(late).toMatchObject({ kind: "never" });
  expect(JSON.stringify(late).length).toBeLessThan(300);
});

describe("a failure before anything is sent", () => {
  test("is final when a user look-up gives a final error", async () => {
    const { client } = createFakeSlack(() => ({ ok: false, error: "user_not_found" }));
    const failed = client.users.info({ user: "U1" }).catch((error: unknown) => error);
    expect(preparationFailure(await failed, { attempts: 0, ageMs: 0 })).toEqual({
      kind: "never",
      error: "user_not_found",
    });
  });

  test.each([
    ["a TypeError", new TypeError("x is undefined")],
    ["a RangeError", new RangeError("invalid time")],
    ["a ZodError", new z.ZodError([])],
  ])("is given up after five tries for %s, so that it does not block later messages", (_what, error) => {
    const failed = { error: "cannot_be_drawn", cause: error };
    expect(preparationFailure(error, { attempts: 3, ageMs: 0 })).toEqual({ kind: "later", ...failed });
    expect(preparationFailure(error, { attempts: 4, ageMs: 0 })).toEqual({ kind: "never", ...failed });
  });

  test.each([
    ["a database error", "database_trouble", new Error("Connection terminated")],
    ["the silence of Slack", "slack_silent", new SlackSilentError(undefined)],
  ])("is retried for a week for %s", (_what, error, cause) => {
    const failed = { error, cause };
    expect(preparationFailure(cause, { attempts: 100, ageMs: weekMs - 1 })).toEqual({ kind: "later", ...failed });
    expect(preparationFailure(cause, { attempts: 100, ageMs: weekMs })).toEqual({ kind: "never", ...failed });
  });
});

function brokenBody(): ReadableStream {
  return new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) });
}
