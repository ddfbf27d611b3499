import { z } from "zod";
import type { Failure } from "../../outbox/sender.ts";
import { boundedWaitMs } from "../../time/retry-after.ts";
import { clip } from "./message.ts";

/**
 * Answers of the Web API that another try cannot heal (platform.md §11.2, §12.2, §12.3). Those about the app itself, such as
 * `account_inactive` and `missing_scope`, are not among them: they say nothing against the channel, and whoever runs Curfew can mend them.
 */
const final: ReadonlySet<string> = new Set([
  // Where it should go.
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
  // What it says.
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
  // How it was asked for.
  "invalid_arguments",
  "missing_argument",
  "invalid_arg_name",
  "invalid_array_arg",
  "as_user_not_supported",
  "send_on_behalf_not_allowed",
  // The message to be drawn again.
  "message_not_found",
  "cant_update_message",
  "edit_window_closed",
  "block_mismatch",
  "no_dual_broadcast_content_update",
]);

/** Families that platform.md §12.2 names by their ends only. */
const finalFamily = /^(?:slack_connect_\w+_sharing_blocked|draft_\w+|duplicate_\w+_not_found)$/;

/** `rate_limited` comes without a 429, and without a time (platform.md §11.3). */
const limits: ReadonlySet<string> = new Set(["ratelimited", "rate_limited", "message_limit_exceeded"]);

const platformError = z.looseObject({
  code: z.literal("slack_webapi_platform_error"),
  data: z.looseObject({ error: z.string() }),
});
const rateLimited = z.looseObject({ code: z.literal("slack_webapi_rate_limited_error"), retryAfter: z.number() });

const ofSlack = z.looseObject({ code: z.string().startsWith("slack_webapi_") });

export interface Tries {
  /** How often it failed before. */
  readonly attempts: number;
  /** How long ago it was queued. */
  readonly ageMs: number;
}

/** What Slack has not taken for so long must not hold up for ever what comes after it. */
const longestMs = 7 * 24 * 3_600_000;
/** Slack's answer may be a proxy's page in the place of a code. */
const longestCode = 200;

/** Whether what Slack did not take is worth another try, and when. */
export function sendFailure(error: unknown, { ageMs }: Tries): Failure {
  const said = clip(codeOf(error), longestCode);
  if (final.has(said) || finalFamily.test(said) || ageMs >= longestMs) return { kind: "never", error: said };
  const limited = rateLimited.safeParse(error);
  if (limited.success) {
    const afterMs = boundedWaitMs(limited.data.retryAfter * 1000);
    return { kind: "later", error: said, afterMs, isLimit: true };
  }
  return { kind: "later", error: said, ...(limits.has(said) ? { isLimit: true } : {}) };
}

function codeOf(error: unknown): string {
  if (rateLimited.safeParse(error).success) return "ratelimited";
  const platform = platformError.safeParse(error);
  if (platform.success) return platform.data.data.error;
  return error instanceof Error ? error.message : "unknown";
}

/** A record that cannot be read or drawn is healed by no patience, but perhaps by another machine with a newer Curfew. */
const mostMisdrawn = 5;

/** The same for what failed before anything was sent. A database in trouble is waited for. */
export function preparationFailure(cause: unknown, tries: Tries): Failure {
  if (ofSlack.safeParse(cause).success) {
    // A limit on asking who somebody is says nothing of posting, so nothing else has to wait for it.
    const { isLimit, ...failure } = sendFailure(cause, tries);
    return failure;
  }
  const { attempts, ageMs } = tries;
  const isMisdrawn = [z.ZodError, TypeError, RangeError, SyntaxError].some((kind) => cause instanceof kind);
  const isHopeless = (isMisdrawn && attempts + 1 >= mostMisdrawn) || ageMs >= longestMs;
  return { kind: isHopeless ? "never" : "later", error: isMisdrawn ? "cannot_be_drawn" : "database_trouble", cause };
}
