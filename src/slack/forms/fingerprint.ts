import { createHash } from "node:crypto";

/** Whether two values are the same, in few characters: fits into a form's metadata. */
export function fingerprint(body: unknown): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("base64url").slice(0, 16);
}
