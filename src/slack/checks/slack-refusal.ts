import { z } from "zod";
import { optionalText } from "../optional-text.ts";

/** Why a call to Slack failed. */
export type SlackRefusal =
  /** Slack's own error code (PLATFORM.md §11.2). */
  | { readonly kind: "refused"; readonly code: string; readonly needed: string | undefined }
  /** Rate limited. */
  | { readonly kind: "busy" }
  /** Slack could not be reached or is in trouble, or something else answered. */
  | { readonly kind: "silent"; readonly reason: string };

const details = z
  .looseObject({ messages: z.array(z.string()).optional() })
  .optional()
  .catch(undefined);
const platformError = z.looseObject({
  code: z.literal("slack_webapi_platform_error"),
  data: z.looseObject({
    error: z.string().regex(/^\w{1,80}$/),
    needed: optionalText,
    response_metadata: details,
  }),
});
const rateLimited = z.looseObject({ code: z.literal("slack_webapi_rate_limited_error") });
const httpError = z.looseObject({ code: z.literal("slack_webapi_http_error"), statusCode: z.number() });

/** Reads what the Web API client throws. The result holds nothing that was sent, so no token either. */
export function slackRefusal(error: unknown): SlackRefusal {
  if (rateLimited.safeParse(error).success) return { kind: "busy" };
  const platform = platformError.safeParse(error);
  if (platform.success) {
    const { error: code, needed } = platform.data.data;
    if (limits.has(code)) return { kind: "busy" };
    return outages.has(code) ? { kind: "silent", reason: `Slack says ${code}` } : { kind: "refused", code, needed };
  }
  const http = httpError.safeParse(error);
  if (http.success) return { kind: "silent", reason: `it answered with HTTP status ${http.data.statusCode}` };
  return { kind: "silent", reason: silenceOf(error) ?? "its answer could not be read" };
}

const slackError = z.looseObject({ code: z.string().startsWith("slack_webapi_") });

/** Whether Slack or the way to it failed, not Curfew itself. */
export const isOfSlack = (error: unknown): boolean =>
  slackError.safeParse(error).success || silenceOf(error) !== undefined;

/** Slack's words for its limits and for its own trouble (PLATFORM.md §11.2, §11.3). */
const limits: ReadonlySet<string> = new Set(["ratelimited", "rate_limited"]);
const outages: ReadonlySet<string> = new Set([
  "fatal_error",
  "internal_error",
  "service_unavailable",
  "request_timeout",
]);

/** Node puts the reason of a failed connection into the cause of a cause. */
function silenceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === "TimeoutError") return "it did not answer in time";
  const deeper = silenceOf(error.cause);
  if (deeper !== undefined) return deeper;
  const isSystemError = "code" in error && typeof error.code === "string" && /^[A-Z][A-Z0-9_]+$/.test(error.code);
  return isSystemError ? `the connection failed (${error.code})` : undefined;
}

/** Whether a form could not be opened since its trigger is valid for three seconds (PLATFORM.md §5). */
export function isExpiredTrigger(error: unknown): boolean {
  const { data } = platformError.safeParse(error).data ?? {};
  if (data?.error === "expired_trigger_id" || data?.error === "trigger_expired") return true;
  const messages = data?.error === "invalid_arguments" ? (data.response_metadata?.messages ?? []) : [];
  return messages.some((message) => /trigger_id\W+expired/.test(message));
}

/** The failure in words. */
export function refusalText(refusal: SlackRefusal): string {
  switch (refusal.kind) {
    case "refused":
      return refusal.needed === undefined
        ? `Slack says ${refusal.code}`
        : `Slack says ${refusal.code}: the token needs ${refusal.needed.split(",").join(" or ")}`;
    case "busy":
      return "Slack limits the rate of requests just now";
    case "silent":
      return `the request to Slack failed: ${refusal.reason}`;
  }
}

/** The remedy when Slack gave no error code. */
export function adviceFor(refusal: SlackRefusal): string | undefined {
  switch (refusal.kind) {
    case "refused":
      return undefined;
    case "busy":
      return "Wait a minute and run this again.";
    case "silent":
      return "Run this again in a minute. If it goes on, check the network, the proxy and the firewall, and SLACK_API_URL if it is set.";
  }
}
