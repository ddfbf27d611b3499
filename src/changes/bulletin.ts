import { z } from "zod";
import { actionChangedElsewhere } from "../commands/changed-elsewhere.ts";

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
const digestContent = z.object({
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

/** A run that somebody is warned of. */
const warnedAction = z.object({
  actionId: z.string(),
  name: z.string(),
  projectId: z.string().nullable(),
  /** The type of the resources that it certainly acts on. */
  resourceType: z.string().nullable(),
  process: z.enum(["stop", "start"]),
  /** When it was due as it was warned of, and when it is. */
  warnedAt: z.number(),
  at: z.number(),
  /** Why it will not run. */
  off: z.enum(["switched off", "deleted"]).nullable(),
});
export type WarnedAction = z.output<typeof warnedAction>;

/** A resource group that such runs act on. */
const warnedGroup = z.object({
  name: z.string(),
  project: z.string(),
  type: z.string(),
  ids: z.array(z.string()).readonly(),
  process: z.enum(["stop", "start"]),
  actionIds: z.array(z.string()).readonly(),
  /** Of the last of its runs. */
  at: z.number(),
  /** The exclusion that holds all of it back then, or a part: until when, and the Slack user who made it. */
  held: z.object({ until: z.number().nullable(), by: z.string().nullable(), isWhole: z.boolean() }).nullable(),
});
export type WarnedGroup = z.output<typeof warnedGroup>;

const warning = z.object({
  kind: z.literal("warning"),
  /** A channel id, or a user id for a direct message. */
  to: z.string(),
  /** The minute that it is about. */
  at: z.number(),
  actions: z.array(warnedAction).readonly(),
  groups: z.array(warnedGroup).readonly(),
  isOver: z.boolean(),
  /** When any of this changed last. */
  changedAt: z.number(),
});
export type WarningContent = z.output<typeof warning>;

/** What each kind of bulletin keeps. Times are epoch ms. */
export const bulletinContent = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("elsewhere"),
    actions: z.array(actionChangedElsewhere).readonly(),
    /** After a pause: when Curfew had looked last. */
    since: z.number().nullable(),
  }),
  warning,
  digestContent,
]);
export type BulletinContent = z.output<typeof bulletinContent>;
export type BulletinKind = BulletinContent["kind"];

/** A message that is about no change. It is drawn when it is sent, from what it keeps and from what is known by then. */
export interface Bulletin {
  /** The same for the same message: a second one with its id is not posted. */
  readonly id: string;
  readonly content: BulletinContent;
  readonly at: number;
  /** When it is no longer current; null if that never comes. */
  readonly overAt: number | null;
}

export interface NewBulletin extends Bulletin {
  /** A channel id, or a user id for a direct message. */
  readonly to: string;
}

export interface BulletinStore {
  bulletin(id: string): Promise<Bulletin | undefined>;
  /** Those that are not over, or whose end was not drawn yet, soonest to end first. */
  openBulletins(kind: BulletinKind): Promise<readonly Bulletin[]>;
  /** Those of this time or later. */
  bulletinsSince(kind: BulletinKind, since: number): Promise<readonly Bulletin[]>;
}
