import { z } from "zod";

/** Slack ids by their first letter (platform.md, "IDs"); names are refused, since anyone may take a name. */
export const channelId = z.string().regex(/^[CG][A-Z0-9]+$/, {
  error: ({ input }) => `"${input}" is not a channel id (C… or G…): use the id, not the name`,
});

export const memberId = z.string().regex(/^[UWS][A-Z0-9]+$/, {
  error: ({ input }) => `"${input}" is not a user id (U… or W…) or user group id (S…): use the id, not the name`,
});
