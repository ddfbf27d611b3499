import { z } from "zod";
import { accountOperations } from "../permissions/account-care.ts";
import { approvalChannel } from "../permissions/approval-rules.ts";
import { budgetsSchema } from "../permissions/budgets/budget-schema.ts";
import { channelId, distinct, durationMs, knownName, setOf, teamId } from "../permissions/config-values.ts";
import { approvalsSchema, identitySchema, type Policy, permissionsSchema } from "../permissions/policy.ts";
import { type Requirement, requireSchema, ticketUrlSchema } from "../permissions/requirements.ts";
import { exclusionOperations, type OperationName, operations } from "../service/operations.ts";
import { type ResourceType, resourceTypes, type StopTime, stopTimes } from "../service/resources.ts";
import { announceSchema } from "./announce-section.ts";
import { type CalendarSource, calendarsSchema } from "./calendars-section.ts";
import { type Caller, callersSchema } from "./callers-section.ts";
import { type Channels, channelsSchema } from "./channels-section.ts";
import { type Digests, digestSchema } from "./digest-section.ts";
import { type DirectorySection, type directoryLists, directorySchema } from "./directory-section.ts";
import { type Warning, warningsSchema } from "./warnings-section.ts";
import { type Workflows, workflowsSchema } from "./workflows-section.ts";

/** The settings of curfew.yaml (PERMISSIONS.md). */
export interface Settings {
  readonly policy: Policy;
  /** What changes must say: a reason, a ticket. */
  readonly require: readonly Requirement[];
  /** Where tickets are found, with `{ticket}` in their place. */
  readonly ticketUrl?: string | undefined;
  readonly announce: readonly Announcement[];
  /** How often Curfew reads the service's actions. */
  readonly watch: { readonly everyMs: number };
  /** Who is warned of what comes up, and when. */
  readonly warnings: readonly Warning[];
  /** Messages once a week about what was kept running. */
  readonly digest: Digests;
  readonly exclusions: { readonly defaultMs: number; readonly maxLengthMs: number; readonly warnMs: number } & DayTimes;
  readonly channels: Channels;
  /** 0 for no limit. */
  readonly limits: { readonly perPersonPerMinute: number };
  /** Where Curfew reports problems to operators. */
  readonly admins?: { readonly channel: string } | undefined;
  /** What the service's interface leaves open. */
  readonly service: { readonly stopTime?: StopTime | undefined };
  readonly resourceGroups: Readonly<Record<string, ResourceGroup>>;
  /** Whose all-day events are days off. */
  readonly calendars: readonly CalendarSource[];
  /** Pipelines that may ask over HTTP; none: that way in is closed. */
  readonly callers: readonly Caller[];
  /** The steps that workflows may use; undefined for none. */
  readonly workflows?: Workflows | undefined;
  /** The workspaces whose members count as ours; undefined for where Curfew is installed. */
  readonly teams?: ReadonlySet<string> | undefined;
  readonly directory: DirectorySection;
}

/** When the team's day starts and ends, as `HH:MM`: what a day without a time means. */
export interface DayTimes {
  readonly dayStarts: string;
  readonly dayEnds: string;
}

/** Changes by these operations are announced in this channel. */
export interface Announcement {
  readonly operations: ReadonlySet<OperationName>;
  /** Also what was changed in the service itself. */
  readonly isElsewhere: boolean;
  readonly channel: string;
}

/** A name for a set of resource ids of one type in one project. */
export interface ResourceGroup {
  readonly type: ResourceType;
  readonly project: string;
  readonly ids: readonly string[];
  /** The actions that act on them, by id, name or tag; undefined when not known. */
  readonly actions?: readonly string[] | undefined;
}

type Lists = ReturnType<typeof directoryLists>;

/** The whole of curfew.yaml. Approvers must be among `roleNames`. What compares sections sees only settings that are valid by themselves. */
export const settingsSchema = (roleNames: readonly string[], lists: Lists) =>
  sectionsSchema(roleNames, lists).pipe(z.custom<Sections>().superRefine(checkChannels));

type Sections = z.output<ReturnType<typeof sectionsSchema>>;

const sectionsSchema = (roleNames: readonly string[], lists: Lists) =>
  z.strictObject({
    permissions: permissionsSchema(roleNames),
    approvals: approvalsSchema(roleNames).default([]),
    require: requireSchema.default([]),
    ticketUrl: ticketUrlSchema.optional(),
    budgets: budgetsSchema(roleNames).default([]),
    identity: identitySchema(roleNames).optional(),
    announce: announceSchema.default([]),
    exclusions: exclusionsSchema.prefault({}),
    channels: channelsSchema.prefault({}),
    watch: watchSchema.prefault({}),
    warnings: warningsSchema.default([]),
    digest: digestSchema(timeOfDay).default([]),
    limits: z
      .strictObject({ perPersonPerMinute: z.int().min(0, "must be 0 (for none) or more").default(30) })
      .prefault({}),
    admins: z.strictObject({ channel: channelId }).optional(),
    service: z.strictObject({ stopTime: knownName("way to count", stopTimes).optional() }).prefault({}),
    resourceGroups: resourceGroupsSchema.prefault({}),
    calendars: calendarsSchema,
    callers: callersSchema(roleNames).default([]),
    workflows: workflowsSchema(roleNames).optional(),
    teams: setOf(teamId).optional(),
    directory: directorySchema(lists).prefault({}),
  });

/** Somebody can be asked about each change that needs an approval. */
function checkChannels(
  { approvals, budgets, permissions, identity, ...settings }: Sections,
  context: z.RefinementCtx<Sections>,
): void {
  const checkChannel = (rule: Unasked, path: (string | number)[], remedy: string) => {
    const unasked = [...rule.operations].filter(
      (name) => operations[name].effect !== "read" && approvalChannel(rule, name, settings) === undefined,
    );
    if (unasked.length === 0) return;
    const message = `nobody could be asked about ${unasked.join(", ")}: ${remedy}, or set admins.channel`;
    context.addIssue({ code: "custom", path, message });
  };
  for (const [index, rule] of approvals.entries())
    checkChannel(rule, ["approvals", index], "add a channel here, or announce it in one");
  const makingExclusions = new Set(Object.values(exclusionOperations));
  for (const [index, budget] of budgets.entries())
    if (budget.then === "approval")
      checkChannel(
        { operations: makingExclusions, channel: budget.channel },
        ["budgets", index],
        "add a channel here, or announce it in one",
      );
  for (const [name, { mayAsk }] of Object.entries(permissions.roles))
    if (mayAsk) checkChannel(mayAsk, ["permissions", "roles", name, "mayAsk"], "announce it in a channel");
  if (identity) checkChannel({ operations: accountOperations }, ["identity"], "announce them in a channel");
}

interface Unasked {
  readonly operations: ReadonlySet<OperationName>;
  readonly channel?: string | undefined;
}

const watchSchema = z
  .strictObject({
    every: durationMs.prefault("1m").refine((ms) => ms >= minPollMs, "must be 10s or more"),
  })
  .transform(({ every }) => ({ everyMs: every }));

/** A shorter one would load the service. */
const minPollMs = 10_000;

/** Two digits each, so that times compare as text. */
const timeOfDay = z.string('must be a time of day such as "08:00"').regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, {
  error: 'must be a time of day from "00:00" to "23:59"',
  abort: true,
});

const exclusionsSchema = z
  .strictObject({
    default: durationMs.prefault("4h"),
    longest: durationMs.prefault("14d"),
    warn: durationMs.prefault("30m"),
    dayStarts: timeOfDay.default("08:00"),
    dayEnds: timeOfDay.default("18:00"),
  })
  .refine((lengths) => lengths.default <= lengths.longest, {
    path: ["default"],
    message: "must not be longer than exclusions.longest",
  })
  .refine(({ dayStarts, dayEnds }) => dayStarts < dayEnds, {
    path: ["dayEnds"],
    message: "must be later than exclusions.dayStarts",
  })
  .transform(({ dayStarts, dayEnds, ...lengths }) => ({
    ...{ defaultMs: lengths.default, maxLengthMs: lengths.longest, warnMs: lengths.warn },
    ...{ dayStarts, dayEnds },
  }));

const resourceGroupsSchema = z
  .record(
    z.string().regex(/^\S+$/, "a resource group's name is one word, since it is typed in a command"),
    z.strictObject({
      type: knownName("resource type", resourceTypes),
      project: z.string().min(1, "must not be empty"),
      ids: distinct(z.string().min(1, "must not be empty"), (id) => id).min(1, "must list at least one resource id"),
      // An empty list says that none acts on them.
      actions: distinct(z.string().min(1, "must not be empty"), (name) => name.toLowerCase()).optional(),
    }),
  )
  // Looked up by what people type, so "constructor" must find nothing.
  .transform((groups): Readonly<Record<string, ResourceGroup>> => Object.assign(Object.create(null), groups));
