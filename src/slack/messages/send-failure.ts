import { z } from "zod";
import type { Failure } from "../../outbox/send-result.ts";
import { boundedWaitMs } from "../../time/retry-after.ts";
import { SlackSilentError } from "../people/look-up.ts";
import { clip } from "./message.ts";

/**
 * Web API errors that a retry cannot fix (PLATFORM.md §11.2, §12.2, §12.3). Errors about the app itself, such as `account_inactive`
 * and `missing_scope`, are not listed: the operator can fix those, and then the message goes out.
 */
const final: ReadonlySet<string> = new Set([
  // The destination.
  "channel_not_found",
  "not_in_channel",
  "is_archived",
  "is_inactive",
  "restricted_action",
  "restricted_action_read_only_channel",
  "restricted_action_thread_only_channel",
  "restricted_action_thread_locked",
  "restricted_action_non_threadable_channel",
  "cannot_reply_to_message",
  "channel_is_limited_access",
  "messages_tab_disabled",
  "user_not_found",
  "user_not_visible",
  "user_disabled",
  // The content.
  "invalid_blocks",
  "invalid_blocks_format",
  "invalid_attachments",
  "msg_too_long",
  "msg_blocks_too_long",
  "no_text",
  "too_many_attachments",
  "attachment_payload_limit_exceeded",
  "too_many_contact_cards",
  "missing_file_data",
  "markdown_text_conflict",
  "invalid_metadata_format",
  "invalid_metadata_schema",
  "metadata_too_large",
  "metadata_must_be_sent_from_app",
  // The call.
  "invalid_arguments",
  "missing_argument",
  "invalid_arg_name",
  "invalid_array_arg",
  "as_user_not_supported",
  "send_on_behalf_not_allowed",
  // The message to update.
  "message_not_found",
  "cant_update_message",
  "edit_window_closed",
  "block_mismatch",
  "no_dual_broadcast_content_update",
]);

/** Error families that PLATFORM.md §12.2 names by prefix or suffix only. */
const finalFamily = /^(?:slack_connect_\w+_sharing_blocked|draft_\w+|duplicate_\w+_not_found)$/;

/** `rate_limited` comes without a 429 and without a time (PLATFORM.md §11.3). */
const rateLimitCodes: ReadonlySet<string> = new Set(["ratelimited", "rate_limited", "message_limit_exceeded"]);

const platformError = z.looseObject({
  code: z.literal("slack_webapi_platform_error"),
  data: z.looseObject({ error: z.string() }),
});
const coded = z.looseObject({ code: z.string() });
const rateLimited = z.looseObject({ code: z.literal("slack_webapi_rate_limited_error"), retryAfter: z.number() });

const slackError = z.looseObject({ code: z.string().startsWith("slack_webapi_") });

export interface Tries {
  /** Earlier failures. */
  readonly attempts: number;
  /** Time since it was queued. */
  readonly ageMs: number;
}

/** After this time a message is given up: it must not hold up the later ones forever. */
const giveUpAfterMs = 7 * 24 * 3_600_000;
/** Instead of a code, the answer may hold the page of a proxy. */
const maxCodeLength = 200;

/** Whether to retry a message that Slack did not take, and when. */
export function sendFailure(error: unknown, { ageMs }: Tries): Failure {
  const code = clip(codeOf(error), maxCodeLength);
  if (final.has(code) || finalFamily.test(code) || ageMs >= giveUpAfterMs) return { kind: "never", error: code };
  const limited = rateLimited.safeParse(error);
  if (limited.success) {
    const afterMs = boundedWaitMs(limited.data.retryAfter * 1000);
    return { kind: "later", error: code, afterMs, isLimit: true };
  }
  const cause = platformError.safeParse(error).success ? {} : { cause: error };
  return { kind: "later", error: code, ...cause, ...(rateLimitCodes.has(code) ? { isLimit: true } : {}) };
}

function codeOf(error: unknown): string {
  if (rateLimited.safeParse(error).success) return "ratelimited";
  const platform = platformError.safeParse(error);
  if (platform.success) return platform.data.data.error;
  return coded.safeParse(error).data?.code ?? "unknown";
}

/** Waiting does not fix a record that cannot be read or drawn, but another instance with a newer Curfew may draw it. */
const maxDrawAttempts = 5;

/** The same for a failure before anything was sent. Trouble of the database, and silence of Slack, is retried. */
export function preparationFailure(cause: unknown, tries: Tries): Failure {
  if (slackError.safeParse(cause).success) {
    // A rate limit on user look-ups does not limit posting, so nothing else has to wait.
    const { isLimit, ...failure } = sendFailure(cause, tries);
    return failure;
  }
  const { attempts, ageMs } = tries;
  const isUndrawable = [z.ZodError, TypeError, RangeError, SyntaxError].some((kind) => cause instanceof kind);
  const isHopeless = (isUndrawable && attempts + 1 >= maxDrawAttempts) || ageMs >= giveUpAfterMs;
  const trouble = cause instanceof SlackSilentError ? "slack_silent" : "database_trouble";
  return { kind: isHopeless ? "never" : "later", error: isUndrawable ? "cannot_be_drawn" : trouble, cause };
}
