import type { KeptGroup, ResourceGroup } from "../directory/directory.ts";
import type { Actor } from "../permissions/actor.ts";
import type { PermissionRequest } from "../permissions/conditions.ts";
import type { Holder } from "../permissions/policy.ts";
import type { ConsoleUrls, Requirement } from "../permissions/requirements.ts";
import type { StopTime } from "../service/resources.ts";
import type { Interval } from "../time/intervals.ts";
import type { Input } from "./field.ts";

/** The calendars that the config names. */
export interface Calendars {
  names(): readonly string[];
  /** The next day of each name in lower case, as far as the calendars were read. */
  named?(): ReadonlyMap<string, string>;
  /** The days with an all-day event, `YYYY-MM-DD`, up to the last day, and their names; or why they are not known. */
  daysOff(
    name: string,
    span: { readonly from: number; readonly lastDay: string; readonly zone: string },
  ): Promise<DaysKnown | { readonly problem: string }>;
}

interface DaysKnown {
  readonly days: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}

export interface SavedGroups {
  find(name: string): Promise<KeptGroup | undefined>;
  /** Whether the config file has this group, even if the requester may not see it. */
  isOfConfig(name: string): boolean;
  save(name: string, group: ResourceGroup): Promise<GroupChanged>;
  remove(name: string): Promise<GroupChanged>;
}

export interface GroupChanged {
  /** The former group of this name. */
  readonly former: KeptGroup | undefined;
  /** The id in the history; undefined when nothing changed. */
  readonly changeId: string | undefined;
}

/** The direct messages that the requester wants before groups stop. */
export interface OwnWarnings {
  list(): Promise<readonly { readonly group: string; readonly beforeMs: number; readonly during: Interval | null }[]>;
  /** `during`: only for runs of that time. */
  save(group: string, beforeMs: number, during: Interval | null): Promise<void>;
  /** False if there was none. */
  remove(group: string): Promise<boolean>;
}

/** What is known of an exclusion beside what it is. */
export interface ExclusionOrigin {
  readonly reason?: string | undefined;
  /** The Slack user who ended it. */
  readonly endedBy?: string | undefined;
  readonly endReason?: string | undefined;
}

export interface DecisionForOther {
  readonly actor: Actor;
  readonly roles: readonly string[];
  /** For an unknown target. */
  readonly decision:
    | { readonly kind: "allowed"; readonly rule: string }
    | { readonly kind: "denied"; readonly rule: string; readonly reason: string };
  /** The conditions of their roles, in words. */
  readonly limits: readonly string[];
  /** Whether they may do it for some target. */
  readonly isOffered: boolean;
  /** The roles that they may ask to allow what they may not do themselves; undefined where there are none. */
  readonly mayAsk: readonly string[] | undefined;
  /** The approval rule; undefined where it needs no approval. */
  readonly approval: { readonly approvers: readonly string[]; readonly rule: string } | undefined;
}

/** Who may do what a command does. */
export interface WhoMay {
  /** "disable a user". */
  readonly act: string;
  /** Open to every full member. */
  readonly isForAll: boolean;
  /** Why the requester may not; undefined where they may. */
  readonly whyNot: string | undefined;
  /** The conditions of their roles, in words. */
  readonly limits: readonly string[];
  /** The roles that the requester may ask to allow it. */
  readonly mayAsk: readonly string[];
  /** The others, by their roles, with the conditions of these in words. */
  readonly others: readonly (Holder & { readonly limits: readonly string[] })[];
  /** Those of whom one must approve it. */
  readonly approvers: readonly Holder[];
}

/** What the config allows, and how much of that is used. */
export interface Rules {
  /** Who may do what the command or operation of this name does, there and for so long; undefined where there is none. */
  whoMay(
    phrase: string,
    facts?: Pick<PermissionRequest, "projectId" | "resourceType" | "resourceIds" | "exclusionLengthMs">,
  ): WhoMay | undefined;
  weekHours(): Promise<WeekHours>;
}

/** The hours that exclusions keep things running this week. */
export interface WeekHours {
  /** What limits the requester, in words. */
  readonly limits: readonly string[];
  readonly held: readonly HoursHeld[];
}

export interface HoursHeld {
  readonly by: string;
  readonly projectId: string | null;
  /** Each as long. */
  readonly resourceIds: readonly string[];
  readonly hours: number;
  /** The lowest budget that counts it, in hours a week. */
  readonly budget: number | undefined;
}

export interface CommandHelp {
  readonly words: string;
  /** Every phrase that names it on a line. */
  readonly names: readonly string[];
  readonly usage: string;
  /** The shortest useful line. */
  readonly example: string;
  readonly summary: string;
}

/** An exclusion that is planned for later, once or several times. */
export interface Plan {
  /** Of its change. */
  readonly id: string;
  /** Of the request that planned it. */
  readonly idempotencyKey: string;
  readonly words: string;
  readonly ownerId: string;
  readonly projectId: string | null;
  readonly resourceType: string | undefined;
  readonly resourceIds: readonly string[];
  readonly processes: readonly string[];
  /** When it is still to be in force, the next time first; at least once. */
  readonly spans: readonly Span[];
  /** "every Thursday 18:00–22:00", for several times. */
  readonly repeats: string | undefined;
  readonly reason: string | null;
  /** What would plan it again. */
  readonly input: Input;
  /** Where its days are counted. */
  readonly zone: string;
  /** Whether it waits for an approval. */
  readonly isWaiting: boolean;
  /** Those that its times have made. */
  readonly exclusionIds: readonly string[];
}

/** In epoch ms. */
export interface Span {
  readonly startsAt: number;
  readonly endsAt: number;
}

/** The settings about exclusions and resources. */
export interface CommandSettings {
  /** Further accounts of the service, by their names. */
  readonly accounts: Readonly<Record<string, object>>;
  readonly exclusions: {
    readonly defaultMs: number;
    readonly maxLengthMs: number;
    /** `HH:MM`: what a day without a time means. */
    readonly dayStarts: string;
    readonly dayEnds: string;
  };
  /** By channel id: the project and the IANA zone of requests that name none. */
  readonly channels: Readonly<
    Record<string, { readonly project?: string | undefined; readonly zone?: string | undefined }>
  >;
  readonly resourceGroups: Readonly<Record<string, ResourceGroup>>;
  /** What changes must say: a reason, a ticket. */
  readonly require?: readonly Requirement[] | undefined;
  readonly ticketUrl?: string | undefined;
  /** By kind: where the service's console shows such a thing. */
  readonly consoleUrl?: ConsoleUrls | undefined;
  readonly service?: { readonly stopTime?: StopTime | undefined } | undefined;
}
