import { z } from "zod";

/** Why Slack did not do what it was asked. */
export type SlackRefusal =
  /** Its own answer, by the code it gives (platform.md §11.2). */
  | { readonly kind: "refused"; readonly code: string; readonly needed: string | undefined }
  /** It takes no more questions for a while. */
  | { readonly kind: "busy" }
  /** It could not be reached, or what answered is not Slack. */
  | { readonly kind: "silent"; readonly reason: string };

const platformError = z.looseObject({
  code: z.literal("slack_webapi_platform_error"),
  data: z.looseObject({ error: z.string().regex(/^\w{1,80}$/), needed: z.string().optional() }),
});
const rateLimited = z.looseObject({ code: z.literal("slack_webapi_rate_limited_error") });
const httpError = z.looseObject({ code: z.literal("slack_webapi_http_error"), statusCode: z.number() });

/** Reads what the Web API client throws. Nothing that was sent is in it, so no token either. */
export function slackRefusal(error: unknown): SlackRefusal {
  if (rateLimited.safeParse(error).success) return { kind: "busy" };
  const platform = platformError.safeParse(error);
  if (platform.success) return { kind: "refused", code: platform.data.data.error, needed: platform.data.data.needed };
  const http = httpError.safeParse(error);
  if (http.success) return { kind: "silent", reason: `it answered with HTTP status ${http.data.statusCode}` };
  return { kind: "silent", reason: silenceOf(error) ?? "its answer could not be read" };
}

/** Node tells what went wrong with a connection in the cause of a cause. */
function silenceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === "TimeoutError") return "it did not answer in time";
  const deeper = silenceOf(error.cause);
  if (deeper !== undefined) return deeper;
  const isSystems = "code" in error && typeof error.code === "string" && /^[A-Z][A-Z0-9_]+$/.test(error.code);
  return isSystems ? `the connection failed (${error.code})` : undefined;
}

/** In words, for what is not explained otherwise. */
export function refusalText(refusal: SlackRefusal): string {
  switch (refusal.kind) {
    case "refused":
      return refusal.needed === undefined
        ? `Slack says ${refusal.code}`
        : `Slack says ${refusal.code}: the token needs ${refusal.needed.split(",").join(" or ")}`;
    case "busy":
      return "Slack takes no more questions for now";
    case "silent":
      return `Slack could not be asked: ${refusal.reason}`;
  }
}

/** What to do when there is no answer to go by. */
export function adviceFor(refusal: SlackRefusal): string | undefined {
  switch (refusal.kind) {
    case "refused":
      return undefined;
    case "busy":
      return "Wait a minute and run this again.";
    case "silent":
      return "Look at the network, the proxy and the firewall, and at SLACK_API_URL if it is set.";
  }
}
