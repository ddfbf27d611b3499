import { z } from "zod";

const hours = z.object({
  /** A project's id, or a Slack user; null for what nobody asked for through Curfew. */
  id: z.string().nullable(),
  name: z.string(),
  ms: z.number(),
  /** In the week before. */
  beforeMs: z.number(),
});
export type HoursOf = z.output<typeof hours>;

const excluded = z.object({
  id: z.string(),
  what: z.string(),
  project: z.string().nullable(),
  since: z.number().nullable(),
  until: z.number().nullable(),
  /** Null where nobody owns it. */
  by: z.string().nullable(),
});
export type ExcludedNow = z.output<typeof excluded>;

/** What a weekly digest keeps. Times are epoch ms. */
export const digestContent = z.object({
  kind: z.literal("digest"),
  zone: z.string(),
  /** The week: the seven days before the day of the digest. */
  from: z.number(),
  to: z.number(),
  ms: z.number(),
  beforeMs: z.number(),
  /** Of the hours: those since a stop that was prevented, and those of resources whose stops Curfew does not know. */
  known: z.object({ preventedMs: z.number(), unknownMs: z.number() }).optional(),
  projects: z.array(hours).readonly(),
  people: z.array(hours).readonly(),
  excluded: z.array(excluded).readonly(),
  longest: z.array(z.object({ what: z.string(), ms: z.number() })).readonly(),
  /** What was kept running on most evenings of the working days. */
  repeated: z
    .array(
      z.object({
        what: z.string(),
        evenings: z.number(),
        of: z.number(),
        /** The action that stops it, where a group names one. */
        actionId: z.string().nullable(),
      }),
    )
    .readonly(),
});
export type DigestContent = z.output<typeof digestContent>;
