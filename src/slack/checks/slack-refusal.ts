import { z } from "zod";

/** Why a call to Slack failed. */
export type SlackRefusal =
  /** Slack's own error code (PLATFORM.md §11.2). */
  | { readonly kind: "refused"; readonly code: string; readonly needed: string | undefined }
  /** Rate limited. */
  | { readonly kind: "busy" }
  /** Slack could not be reached, or something else answered. */
  | { readonly kind: "silent"; readonly reason: string };

const platformError = z.looseObject({
  code: z.literal("slack_webapi_platform_error"),
  data: z.looseObject({ error: z.string().regex(/^\w{1,80}$/), needed: z.string().optional() }),
});
const rateLimited = z.looseObject({ code: z.literal("slack_webapi_rate_limited_error") });
const httpError = z.looseObject({ code: z.literal("slack_webapi_http_error"), statusCode: z.number() });

/** Reads what the Web API client throws. The result holds nothing that was sent, so no token either. */
export function slackRefusal(error: unknown): SlackRefusal {
  if (rateLimited.safeParse(error).success) return { kind: "busy" };
  const platform = platformError.safeParse(error);
  if (platform.success) return { kind: "refused", code: platform.data.data.error, needed: platform.data.data.needed };
  const http = httpError.safeParse(error);
  if (http.success) return { kind: "silent", reason: `it answered with HTTP status ${http.data.statusCode}` };
  return { kind: "silent", reason: silenceOf(error) ?? "its answer could not be read" };
}

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
  const refusal = slackRefusal(error);
  return refusal.kind === "refused" && refusal.code === "expired_trigger_id";
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
      return "Check the network, the proxy and the firewall, and SLACK_API_URL if it is set.";
  }
}
