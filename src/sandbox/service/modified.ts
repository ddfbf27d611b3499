import type { HandlerContext } from "./handler.ts";

/** What every change through the interface leaves on the thing it changed. */
export function modified({ account, now }: HandlerContext): { lastModifiedDate: string; lastModifiedBy: string } {
  return { lastModifiedDate: new Date(now()).toISOString(), lastModifiedBy: account.apiUserId };
}
