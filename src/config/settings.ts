import { createHash } from "node:crypto";
import { z } from "zod";
import { accountOperations } from "../permissions/account-care.ts";
import { type Program, programId, workflowActorId } from "../permissions/actor.ts";
import { approvalChannel } from "../permissions/approval-rules.ts";
import {
  channelId,
  distinct,
  durationMs,
  knownName,
  namedOperations,
  operationEntry,
  type ScopeSchema,
  setOf,
  teamId,
} from "../permissions/config-values.ts";
import {
  approvalsSchema,
  budgetsSchema,
  identitySchema,
  type Policy,
  permissionsSchema,
} from "../permissions/policy.ts";
import { consoleKinds, consoleUrlSchema, requireSchema, ticketUrlSchema } from "../permissions/requirements.ts";
import { exclusionOperations, type OperationName, operations } from "../service/operations.ts";
import { cloudProviderSubTypes, couldBeId, mfaTypes, resourceTypes, stopTimes } from "../service/resources.ts";
import { readClock, type Weekday } from "../time/wall-clock.ts";
import { ianaZone, nearestZone } from "../time/zone.ts";
import { listsSchema } from "./lists.ts";

type Sections = z.output<ReturnType<typeof sectionsSchema>>;

/** The settings of curfew.yaml (PERMISSIONS.md). What is about rights is in the policy. */
export type Settings = Readonly<Omit<Sections, "permissions" | "approvals" | "budgets" | "identity" | "lists">> & {
  readonly policy: Policy;
  /** A hash of the file's text. */
  readonly fingerprint: string;
};

/**
 * The whole of curfew.yaml. Approvers must be among `roleNames`, and the groups of rules among those of `scope`. What compares sections
 * sees only settings that are valid by themselves.
 */
export const settingsSchema = (roleNames: readonly string[], scope: ScopeSchema) =>
  sectionsSchema(roleNames, scope).pipe(z.custom<Sections>().superRefine(checkChannels));

const sectionsSchema = (roleNames: readonly string[], scope: ScopeSchema) =>
  z.strictObject({
    permissions: permissionsSchema(roleNames, scope),
    approvals: approvalsSchema(roleNames, scope).default([]),
    /** What changes must say: a reason, a ticket. */
    require: requireSchema.default([]),
    /** Where tickets are found, with `{ticket}` in their place. */
    ticketUrl: ticketUrlSchema.optional(),
    /** Where the service's console shows a thing of a kind, with `{id}` in the place of its id. */
    consoleUrl: z.partialRecord(z.enum(consoleKinds), consoleUrlSchema).prefault({}),
    budgets: budgetsSchema(roleNames, scope).default([]),
    identity: identitySchema(roleNames).optional(),
    announce: announceSchema(scope).default([]),
    exclusions: exclusionsSchema.prefault({}),
    /** By channel id: what a request in the channel means when it does not say. */
    channels: z
      .record(channelId, z.strictObject({ project: text.optional(), zone: knownZone.optional() }))
      .prefault({}),
    /** How often Curfew reads the service's actions. */
    watch: watchSchema.prefault({}),
    /** Who is warned of what comes up, and when. */
    warnings: z.array(warning(scope)).default([]),
    /** Messages once a week about what was kept running: one, or a list. A union would report neither's problem. */
    digest: z
      .unknown()
      .transform((given) => (Array.isArray(given) ? given : [given]))
      .pipe(z.array(digest(scope)))
      .default([]),
    /** 0 for no limit. */
    limits: z
      .strictObject({ perPersonPerMinute: z.int().min(0, "must be 0 (for none) or more").default(30) })
      .prefault({}),
    /** Where Curfew reports problems to operators. */
    admins: z.strictObject({ channel: channelId }).optional(),
    /** How long what is over is kept: the history for ever, unless it says for how long. */
    retention: retentionSchema.prefault({}),
    /** What the service's interface leaves open. */
    service: z.strictObject({ stopTime: knownName("way to count", stopTimes).optional() }).prefault({}),
    resourceGroups: resourceGroupsSchema.prefault({}),
    /** Whose all-day events are days off. */
    calendars: distinct(calendar, ({ name }) => name).default([]),
    /** Pipelines that may ask over HTTP; none: that way in is closed. */
    callers: callersSchema(roleNames).default([]),
    /** The steps that workflows may use; undefined for none. */
    workflows: workflowsSchema(roleNames).optional(),
    /** The workspaces whose members count as ours; undefined for where Curfew is installed. */
    teams: setOf(teamId).optional(),
    directory: directorySchema.prefault({}),
    /** Names for lists, which `withLists` puts in the places where they are named. */
    lists: listsSchema.optional(),
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
  const addOne = "add a channel here, or announce it for all projects in one";
  for (const [index, rule] of approvals.entries()) checkChannel(rule, ["approvals", index], addOne);
  const makingExclusions = new Set(Object.values(exclusionOperations));
  for (const [index, budget] of budgets.entries())
    if (budget.then === "approval")
      checkChannel({ operations: makingExclusions, channel: budget.channel }, ["budgets", index], addOne);
  for (const [name, { mayAsk }] of Object.entries(permissions.roles))
    if (mayAsk)
      checkChannel(mayAsk, ["permissions", "roles", name, "mayAsk"], "announce it for all projects in a channel");
  if (identity)
    checkChannel({ operations: accountOperations }, ["identity"], "announce them for all projects in a channel");
}

interface Unasked {
  readonly operations: ReadonlySet<OperationName>;
  readonly channel?: string | undefined;
}

const text = z.string().min(1, "must not be empty");

/** An IANA time zone. */
const knownZone = z.string().transform((id, context): string => {
  const zone = ianaZone(id);
  if (zone !== undefined) return zone;
  const nearest = nearestZone(id);
  const advice = nearest === undefined ? "use a name such as Europe/Berlin" : `did you mean "${nearest}"?`;
  context.addIssue({ code: "custom", message: `unknown time zone "${id}"; ${advice}` });
  return z.NEVER;
});

/** Two digits each, so that times compare as text. */
const isTimeOfDay = (clock: string): boolean => /^\d\d:\d\d$/.test(clock) && readClock(clock) !== undefined;

const timeOfDay = z
  .string('must be a time of day such as "08:00"')
  .refine(isTimeOfDay, { error: 'must be a time of day from "00:00" to "23:59"', abort: true });

/** What others changed in the service, which is no operation of Curfew. */
const elsewhere = "elsewhere";

/**
 * Changes by these operations within the scope are announced in this channel. `isElsewhere`: also what was changed in the
 * service itself.
 */
const announceSchema = (scope: ScopeSchema) =>
  z.array(
    z
      .strictObject({
        operations: z.array(operationEntry(elsewhere)).min(1, "must name at least one operation"),
        channel: channelId,
        ...scope,
      })
      .transform(({ operations, ...rest }) => ({
        operations: namedOperations(operations.filter((entry) => entry !== elsewhere)),
        isElsewhere: operations.includes(elsewhere),
        ...rest,
      })),
  );

/** The lengths of exclusions, and when the team's day starts and ends, as `HH:MM`: what a day without a time means. */
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

/** Longer than a length of time may be elsewhere. */
const daysFrom = (least: number) =>
  z
    .string("must be a number of days such as 400d")
    .regex(/^[1-9]\d{0,4}d$/, "must be a number of days such as 400d")
    .refine((days) => Number.parseInt(days, 10) >= least, `must be ${least}d or more`)
    .transform((days) => Number.parseInt(days, 10) * 24 * 3_600_000);

const retentionSchema = z
  .strictObject({ history: daysFrom(90).optional(), transient: daysFrom(14).prefault("30d") })
  .transform(({ history, transient }) => ({ historyMs: history, transientMs: transient }));

/** A shorter one would load the service. */
const minPollMs = 10_000;

const watchSchema = z
  .strictObject({ every: durationMs.prefault("1m").refine((ms) => ms >= minPollMs, "must be 10s or more") })
  .transform(({ every }) => ({ everyMs: every }));

/** What a run does to its resources. */
const runProcesses = ["stop", "start"] as const;
export type RunProcess = (typeof runProcesses)[number];

const maxBeforeMs = 24 * 3_600_000;
const minBeforeMs = 60_000;

/** `HH:MM` to `HH:MM` in the channel's zone. It may begin on one day and end on the next. */
const quietHours = z
  .string('must be two times of day such as "22:00-07:00"')
  .transform((hours) => ({ from: hours.slice(0, 5), to: hours.slice(6), between: hours.slice(5, 6) }))
  .refine(({ from, to, between }) => between === "-" && isTimeOfDay(from) && isTimeOfDay(to), {
    error: 'must be two times of day such as "22:00-07:00"',
    abort: true,
  })
  .refine(({ from, to }) => from !== to, "must not end when it begins")
  .transform(({ from, to }) => ({ from, to }));

/** Before these runs a channel is warned. `quiet`: when nothing is posted. */
const warning = (scope: ScopeSchema) =>
  z
    .strictObject({
      ...scope,
      processes: setOf(z.enum(runProcesses)).default(new Set<RunProcess>(["stop"])),
      before: durationMs
        .prefault("30m")
        .refine((ms) => ms >= minBeforeMs && ms <= maxBeforeMs, "must be from 1m to 24h"),
      channel: channelId,
      quiet: quietHours.optional(),
    })
    .transform(({ before, ...rest }) => ({ ...rest, beforeMs: before }));
export type Warning = Readonly<z.output<ReturnType<typeof warning>>>;

const days = {
  mon: "monday",
  tue: "tuesday",
  wed: "wednesday",
  thu: "thursday",
  fri: "friday",
  sat: "saturday",
  sun: "sunday",
} as const satisfies Readonly<Record<string, Weekday>>;
const dayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const satisfies readonly (keyof typeof days)[];

const digest = (scope: ScopeSchema) =>
  z
    .strictObject({
      channel: channelId,
      day: knownName("day", dayNames).default("mon"),
      at: timeOfDay.default("09:00"),
      ...scope,
    })
    .transform(({ day, ...rest }) => ({ ...rest, day: days[day] }));

const resourceGroup = z.strictObject({
  type: knownName("resource type", resourceTypes),
  project: text,
  ids: distinct(text, (id) => id)
    .min(1, "must list at least one resource id")
    .readonly(),
  // What acts on them, by id, name or tag. An empty list says that nothing does; without one it is not known.
  actions: distinct(text, (name) => name.toLowerCase())
    .readonly()
    .optional(),
});

/** A name for a set of resource ids of one type in one project. */
export type ResourceGroup = Readonly<z.output<typeof resourceGroup>>;

const resourceGroupsSchema = z
  .record(
    z.string().regex(/^\S+$/, "a resource group's name is one word, since it is typed in a command"),
    resourceGroup,
  )
  // Looked up by what people type, so "constructor" must find nothing.
  .transform((groups): Readonly<Record<string, ResourceGroup>> => Object.assign(Object.create(null), groups));

/** A calendar in iCal form, from a file below the folder of curfew.yaml or from the web; `private`: its url may lead to a private address. */
const calendar = z
  .strictObject({
    name: z.string().regex(/^[a-z][\w-]*$/, "must be one word in small letters, since it is typed: “not on holidays”"),
    url: z.url({ protocol: /^https$/, error: "must be an https address" }).optional(),
    file: z.string().endsWith(".ics", "must be a file named *.ics").optional(),
    private: z.boolean().optional(),
  })
  .refine(({ url, file }) => (url === undefined) !== (file === undefined), "needs either url or file");
export type CalendarSource = Readonly<z.output<typeof calendar>>;

/** The example's token is public, so it is taken only from this machine. */
export const exampleTokenHash = "6e189d445ccc28b557e4bcc9f45119ca7dc4ef47e39ce9b8e648b11c000277d3";

/** Anybody would try these. */
const guessable = ["", "token", "secret", "password", "changeme", "test", "deploy", "curfew", "deploy-bot"];
const guessableHashes = new Set(guessable.map((token) => createHash("sha256").update(token).digest("hex")));

const tokenHash = z
  .string("must be the SHA-256 hash of a token")
  .regex(/^[0-9a-f]{64}$/, "must be the SHA-256 hash of a token: 64 digits 0-9 and a-f, never the token itself")
  .refine((hash) => !guessableHashes.has(hash), "is the hash of a token that anybody would guess: make a random one");

/** Two while it changes from one to the other. */
const tokenHashes = z
  .union(
    [
      tokenHash.transform((hash) => [hash]),
      distinct(tokenHash, (hash) => hash)
        .min(1, "must be one hash of a token")
        .max(2, "must be at most two hashes, while a token is changed"),
    ],
    { error: "must be one hash of a token, or two while it is changed" },
  )
  .readonly();

const callersSchema = (roleNames: readonly string[]) =>
  distinct(
    z.strictObject({
      name: z
        .string()
        .regex(
          /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
          "must be a name such as deploy-bot: a-z, 0-9 and -, at most 40",
        ),
      tokenSha256: tokenHashes,
      role: knownName("role", roleNames),
      channel: channelId,
      zone: knownZone.optional(),
    }),
    ({ name }) => name,
  ).superRefine((callers, context) => {
    const taken = new Set<string>();
    for (const [index, { tokenSha256 }] of callers.entries()) {
      if (tokenSha256.some((hash) => taken.has(hash))) {
        const message = "another caller has the same token, so nobody could tell them apart";
        context.addIssue({ code: "custom", path: [index, "tokenSha256"], message });
      }
      for (const hash of tokenSha256) taken.add(hash);
    }
  });

/** A pipeline that may ask by `POST /v1/lines`, as if in its channel. */
export type Caller = Readonly<z.output<ReturnType<typeof callersSchema>>[number]>;

export const callerId = ({ name }: Pick<Caller, "name">): string => programId("caller", name);

const workflowsSchema = (roleNames: readonly string[]) =>
  z.strictObject({
    // The catalogue knows what they do, so the lint reports unknown names.
    steps: setOf(text),
    actAs: knownName("role", roleNames),
    approvers: z.array(knownName("role", roleNames)).min(1, "must name at least one role").optional(),
    channel: channelId.optional(),
    zone: knownZone.optional(),
  });

export const isWorkflows = (id: string): boolean => id === workflowActorId;

/** The callers, and all workflows together, as holders of their roles. */
export const programsOf = ({ callers, workflows }: Pick<Sections, "callers" | "workflows">): readonly Program[] => [
  ...callers.map((caller) => ({ id: callerId(caller), role: caller.role })),
  ...(workflows ? [{ id: workflowActorId, role: workflows.actAs }] : []),
];

const id = z.string().refine(couldBeId, "must be one word of at most 150 letters, digits and signs, without slashes");
const named = z.strictObject({ id, name: text });

/** One entry of each list. */
export const directoryItems = {
  users: named.extend({
    email: z.email("must be an e-mail address").optional(),
    mfaType: knownName("MFA type", ["none", ...mfaTypes]).optional(),
  }),
  projects: named,
  credentials: named.extend({
    project: id.optional(),
    cloudProviderSubTypeId: knownName("cloud provider sub-type", cloudProviderSubTypes).optional(),
  }),
  policies: named,
  plans: named.extend({ project: id.optional() }),
  selectors: named.extend({ plan: id }),
};

const listOf = <S extends z.ZodType<{ id: string }>>(item: S) => distinct(item, ({ id }) => id).default([]);

/** Entities by id and name, since the service's interface lists only actions. */
const directorySchema = z.strictObject({
  users: listOf(directoryItems.users),
  projects: listOf(directoryItems.projects),
  credentials: listOf(directoryItems.credentials),
  policies: listOf(directoryItems.policies),
  plans: listOf(directoryItems.plans),
  selectors: listOf(directoryItems.selectors),
});
