import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

const maxAgeSeconds = 5 * 60;

interface Signature {
  readonly timestamp: string;
  readonly signature: string;
}

/** The signature in a request's headers, if it is well-formed and recent (PLATFORM.md §1.1). `now`: in epoch ms. */
export function readSignature(headers: IncomingHttpHeaders, now: number): Signature | undefined {
  const { "x-slack-request-timestamp": timestamp, "x-slack-signature": signature } = headers;
  if (typeof timestamp !== "string" || typeof signature !== "string") return undefined;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > maxAgeSeconds) return undefined;
  return /^v0=[0-9a-f]{64}$/.test(signature) ? { timestamp, signature } : undefined;
}

/** Whether Slack signed this body. */
export function isSigned({ timestamp, signature }: Signature, body: Buffer, signingSecret: string): boolean {
  const hash = createHmac("sha256", signingSecret).update(`v0:${timestamp}:`).update(body).digest("hex");
  const expected = Buffer.from(`v0=${hash}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
