import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

const longestAgoSeconds = 5 * 60;

/** Whether a request is Slack's own and of these minutes (platform.md §1.1). `now`: in epoch ms. */
export function isSigned(
  headers: IncomingHttpHeaders,
  body: Buffer,
  { signingSecret, now }: { readonly signingSecret: string; readonly now: number },
): boolean {
  const { "x-slack-request-timestamp": timestamp, "x-slack-signature": signature } = headers;
  if (typeof timestamp !== "string" || typeof signature !== "string") return false;
  if (!/^\d+$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > longestAgoSeconds) return false;
  const hash = createHmac("sha256", signingSecret).update(`v0:${timestamp}:`).update(body).digest("hex");
  const expected = Buffer.from(`v0=${hash}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
