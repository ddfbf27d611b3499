import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Caller, exampleTokenHash } from "../config/settings.ts";
import { isFromThisMachine } from "../observability/health.ts";

/** The caller whose token a request has. Compares it with every hash, so its timing does not reveal them. */
export function whoCalls(
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
  callers: readonly Caller[],
): Caller | undefined {
  const token = /^bearer +([\x21-\x7e]{1,200})$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  const hash = createHash("sha256").update(token).digest();
  let found: Caller | undefined;
  for (const caller of callers)
    for (const known of caller.tokenSha256) if (timingSafeEqual(hash, Buffer.from(known, "hex"))) found = caller;
  const isExample = hash.toString("hex") === exampleTokenHash;
  return isExample && !isFromThisMachine({ headers, socket }) ? undefined : found;
}
