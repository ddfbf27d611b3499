import { z } from "zod";
import type { DeliveryResult } from "../jobs/announcer.ts";

/**
 * Answers of the Web API that another try cannot heal (platform.md §11.2, §12.2, §12.3). Those about the app itself, such as
 * `account_inactive` and `missing_scope`, are not among them: they say nothing against the channel, and whoever runs Curfew can mend them.
 */
const final: ReadonlySet<string> = new Set([
  "channel_not_found",
  "not_in_channel",
  "is_archived",
  "is_inactive",
  "restricted_action",
  "restricted_action_read_only_channel",
  "restricted_action_thread_only_channel",
  "messages_tab_disabled",
  "user_not_found",
  "invalid_blocks",
  "invalid_arguments",
  "msg_too_long",
  "msg_blocks_too_long",
  "message_not_found",
  "cant_update_message",
  "edit_window_closed",
  "block_mismatch",
  "invalid_blocks_format",
  "no_text",
  "restricted_action_thread_locked",
  "restricted_action_non_threadable_channel",
  "cannot_reply_to_message",
  "channel_is_limited_access",
  "user_not_visible",
  "user_disabled",
]);

const platformError = z.looseObject({
  code: z.literal("slack_webapi_platform_error"),
  data: z.looseObject({ error: z.string() }),
});
const rateLimited = z.looseObject({ code: z.literal("slack_webapi_rate_limited_error"), retryAfter: z.number() });

const slackFailed = z.looseObject({ code: z.string().startsWith("slack_webapi_") });

/** A failure of our own, such as a card that cannot be drawn, is not healed by patience: it must not hold up what comes after it. */
const mostOwnFailures = 5;

/** What Slack goes on refusing must not hold up for ever what comes after it. */
const longestRefusedMs = 7 * 24 * 3_600_000;

/** Whether a failed post is worth another try, and when. `attempts`: how often it failed before; `ageMs`: how old its news is. */
export function deliveryFailure(error: unknown, attempts: number, ageMs: number): DeliveryResult {
  const limited = rateLimited.safeParse(error);
  if (limited.success) return { kind: "later", error: "ratelimited", afterMs: limited.data.retryAfter * 1000 };
  const platform = platformError.safeParse(error);
  if (platform.success) {
    const said = platform.data.data.error;
    return final.has(said) || ageMs >= longestRefusedMs
      ? { kind: "never", error: said }
      : { kind: "later", error: said };
  }
  const said = error instanceof Error ? error.message : "unknown";
  const isOwn = !slackFailed.safeParse(error).success;
  return isOwn && attempts + 1 >= mostOwnFailures ? { kind: "never", error: said } : { kind: "later", error: said };
}
