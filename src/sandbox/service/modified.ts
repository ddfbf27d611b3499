import type { HandlerContext } from "./handler.ts";

/** The audit fields that every change sets. */
export function modified({ account, now }: HandlerContext): { lastModifiedDate: string; lastModifiedBy: string } {
  return { lastModifiedDate: new Date(now()).toISOString(), lastModifiedBy: account.apiUserId };
}
