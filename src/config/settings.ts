import { createHash } from "node:crypto";
import { z } from "zod";
import { accountOperations } from "../permissions/account-care.ts";
import { type Program, programId, workflowActorId } from "../permissions/actor.ts";
import { approvalChannel } from "../permissions/approval-rules.ts";
import {
  channelId,
  distinct,
  durationMs,
  groupName,
  knownName,
  namedOperations,
  oncePerMessage,
  operationEntry,
  placedId,
  type ScopeSchema,
  setOf,
  teamId,
  titled,
} from "../permissions/config-values.ts";
import {
  approvalsSchema,
  approversAmong,
  budgetsSchema,
  identitySchema,
  type Policy,
  permissionsSchema,
} from "../permissions/policy.ts";
import { consoleKinds, consoleUrlSchema, requireSchema, ticketUrlSchema } from "../permissions/requirements.ts";
import { accountName, accountOf, inAccountOf, mainAccount } from "../service/account-ids.ts";
import { exclusionOperations, type OperationName, operations } from "../service/operations.ts";
import { cloudProviderSubTypes, idPattern, mfaTypes, resourceTypes, stopTimes } from "../service/resources.ts";
import type { Weekday } from "../time/wall-clock.ts";
import { ianaZone, nearestZone } from "../time/zone.ts";
import { httpUrl } from "./environment.ts";
import { listsSchema } from "./lists.ts";

type Sections = z.output<ReturnType<typeof sectionsSchema>>;

/** The settings of curfew.yaml (REFERENCE.md). What is about rights is in the policy. */
export type Settings = Readonly<Omit<Sections, "permissions" | "approvals" | "budgets" | "identity" | "lists">> & {
  readonly policy: Policy;
  /** A hash of the file's text. */
  readonly fingerprint: string;
};

/**
 * The whole of curfew.yaml. Each key is described where it is declared, by `meta` with `since` if it came after 1.0.0: REFERENCE.md and
 * the schema for editors are made of it (`npm run reference`). Approvers must be among `roleNames`, and the groups of rules among those
 * of `scope`. What compares sections sees only settings that are valid by themselves.
 */
export const settingsSchema = (roleNames: readonly string[], scope: ScopeSchema) =>
  sectionsSchema(roleNames, scope).pipe(z.custom<Sections>().superRefine(checkChannels));

const sectionsSchema = (roleNames: readonly string[], scope: ScopeSchema) =>
  z.strictObject({
    permissions: permissionsSchema(roleNames, scope).describe("Who may do what"),
    approvals: approvalsSchema(roleNames, scope).default([]).describe("Changes that need a second person's yes"),
    require: requireSchema.default([]).describe("Changes that must say a reason or a ticket"),
    ticketUrl: ticketUrlSchema.optional().describe("Where tickets are found, with “{ticket}” in their place"),
    consoleUrl: z
      .partialRecord(z.enum(consoleKinds), consoleUrlSchema.describe("Where the console shows it, with “{id}”"))
      .prefault({})
      .describe("Where the service's console shows things: their names link there"),
    budgets: budgetsSchema(roleNames, scope).default([]).describe("Hours a week that one person keeps machines up"),
    identity: identitySchema(roleNames).optional().describe("What protects accounts"),
    announce: announceSchema(scope).default([]).describe("Which changes get a card in which channel"),
    exclusions: exclusionsSchema.prefault({}).describe("Lengths of exclusions, and the team's day"),
    channels: z
      .record(channelId, channelSchema)
      .prefault({})
      .describe("What a request there means, if it does not say"),
    watch: watchSchema.prefault({}).describe("How often Curfew looks at the service"),
    warnings: z.array(warning(scope)).default([]).describe("Messages in a channel before machines stop or start"),
    // A union would report neither's problem.
    digest: z
      .preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(digest(scope)).meta({ orOne: true }))
      .default([])
      .describe("Messages once a week about what was kept running: one, or a list"),
    limits: limitsSchema.prefault({}).describe("Limits against floods"),
    admins: adminsSchema.optional().describe("Where operators read what they must repair"),
    retention: retentionSchema.prefault({}).meta({ description: "How long what is over is kept", since: "1.1.0" }),
    service: serviceSchema.prefault({}).describe("What the service's interface leaves open"),
    accounts: accountsSchema.prefault({}).meta({
      description: "Further accounts of the service, by the name that stands before their ids, as in “eu/p-dev”",
      since: "1.1.0",
    }),
    resourceGroups: resourceGroupsSchema.prefault({}).describe("One word for several resources"),
    calendars: distinct(calendar, ({ name }) => name)
      .default([])
      .describe("Calendars in iCal form, whose all-day events are days off"),
    callers: callersSchema(roleNames).default([]).describe("Pipelines that may ask over HTTP; none: nobody may"),
    workflows: workflowsSchema(roleNames).optional().describe("Steps for Workflow Builder; without it, none"),
    teams: setOf(teamId).optional().describe("Workspaces whose members count as yours; else where it is installed"),
    directory: directorySchema.prefault({}).describe("Things that Curfew knows by name from the start"),
    lists: listsSchema.optional().describe("Names for lists: “$prod” stands for the list “prod”"),
  });

/** Somebody can be asked about each change that needs an approval. */
function checkChannels(
  { approvals, budgets, permissions, identity, ...settings }: Sections,
  context: z.RefinementCtx<Sections>,
): void {
  const unaskedRules: { readonly path: (string | number)[]; readonly message: string }[] = [];
  const checkChannel = (rule: Unasked, path: (string | number)[], remedy: string) => {
    const unasked = [...rule.operations].filter(
      (name) => operations[name].effect !== "read" && approvalChannel(rule, name, settings) === undefined,
    );
    if (unasked.length === 0) return;
    const message = `nobody could be asked about ${unasked.join(", ")}: ${remedy}, or set admins.channel`;
    unaskedRules.push({ path, message });
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
  const { historyMs = Number.POSITIVE_INFINITY } = settings.retention;
  if (identity && identity.coolOffMs > historyMs)
    context.addIssue({
      code: "custom",
      path: ["retention", "history"],
      message: "must not be shorter than identity.coolOff, which looks at what was done to an account",
    });
  if (identity)
    checkChannel({ operations: accountOperations }, ["identity"], "announce them for all projects in a channel");
  for (const { path, message } of oncePerMessage(unaskedRules)) context.addIssue({ code: "custom", path, message });
}

interface Unasked {
  readonly operations: ReadonlySet<OperationName>;
  readonly channel?: string | undefined;
}

const text = z.string().min(1, "must not be empty");

const knownZone = titled("time zone").transform((id, context): string => {
  const zone = ianaZone(id);
  if (zone !== undefined) return zone;
  const nearest = nearestZone(id);
  const advice = nearest === undefined ? "use a name such as Europe/Berlin" : `did you mean "${nearest}"?`;
  context.addIssue({ code: "custom", message: `unknown time zone "${id}"; ${advice}` });
  return z.NEVER;
});

const channelSchema = z.strictObject({
  project: placedId.optional().describe("The project where nothing closer gives one. It gives nobody a right"),
  zone: knownZone.optional().describe("Zone of “dayStarts” and “dayEnds”, IANA or Windows; else the requester's"),
});

const adminsSchema = z.strictObject({ channel: channelId.describe("For problems, and to ask about a changed config") });

const limitsSchema = z.strictObject({
  perPersonPerMinute: z.int().min(0, "must be 0 (for none) or more").default(30).describe("Requests; 0 for no limit"),
});

const serviceSchema = z.strictObject({
  stopTime: knownName("way to count", stopTimes).optional().describe("What a plan's “stopTimeInSeconds” counts from"),
});

/** Two digits each, so that times compare as text. */
const clock = "(?:[01]\\d|2[0-3]):[0-5]\\d";

const timeOfDay = z
  .string('must be a time of day such as "08:00"')
  .regex(new RegExp(`^${clock}$`), { error: 'must be a time of day from "00:00" to "23:59"', abort: true })
  .meta({ title: "time of day" });

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
        operations: z
          .array(operationEntry(elsewhere))
          .min(1, "must name at least one operation")
          .describe("Changes; “elsewhere” for what others changed in the service itself, which “*” does not include"),
        channel: channelId.describe("Where they are announced. Invite the bot"),
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
    default: durationMs.prefault("4h").describe("The length when none is given. Not longer than “longest”"),
    longest: durationMs.prefault("14d").describe("The greatest length, for everybody, admins too"),
    warn: durationMs.prefault("30m").describe("How long before the end its owner and its thread are reminded"),
    dayStarts: timeOfDay.default("08:00").describe("When the team's day starts, as for “until monday”"),
    dayEnds: timeOfDay.default("18:00").describe("When it ends, as for “until eod”. Later than “dayStarts”"),
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
  .strictObject({
    history: daysFrom(90)
      .optional()
      .describe("Days for which changes and their history are kept after they were over, 90d or more; else for ever"),
    transient: daysFrom(14)
      .prefault("30d")
      .describe("The same for messages that were sent, and for the keys of pipelines, 14d or more"),
  })
  .transform(({ history, transient }) => ({ historyMs: history, transientMs: transient }));

/** A shorter one would load the service. */
const minPollMs = 10_000;

const watchSchema = z
  .strictObject({
    every: durationMs
      .prefault("1m")
      .refine((ms) => ms >= minPollMs, "must be 10s or more")
      .describe("How often the service's actions are read, with one request each time: 10s or more"),
  })
  .transform(({ every }) => ({ everyMs: every }));

/** What a run does to its resources. */
const runProcesses = ["stop", "start"] as const;

/** The pattern is for editors. */
const serviceUrl = z
  .string()
  .regex(/^https?:\/\/[^\s?#@]+$/, "must be an http:// or https:// URL without user name, query or fragment")
  .pipe(httpUrl);

const accountsSchema = z.record(
  z.string().regex(accountName, "an account's name is one short word of small letters, digits and -, but not “main”"),
  z.strictObject({
    url: serviceUrl.describe("Where its service is, without /api; its key is in “SCHEDULER_API_KEY_<ACCOUNT>”"),
    was: serviceUrl.optional().describe("Its address before, where the same account has moved"),
  }),
);

const maxBeforeMs = 24 * 3_600_000;
const minBeforeMs = 60_000;

/** `HH:MM` to `HH:MM` in the channel's zone. It may begin on one day and end on the next. */
const quietHours = z
  .string('must be two times of day such as "22:00-07:00"')
  .regex(new RegExp(`^${clock}-${clock}$`), { error: 'must be two times of day such as "22:00-07:00"', abort: true })
  .meta({ title: "two times of day" })
  .transform((hours) => ({ from: hours.slice(0, 5), to: hours.slice(6) }))
  .refine(({ from, to }) => from !== to, "must not end when it begins");

/** Before these runs a channel is warned. `quiet`: when nothing is posted. */
const warning = (scope: ScopeSchema) =>
  z
    .strictObject({
      ...scope,
      processes: setOf(z.enum(runProcesses)).prefault(["stop"]).describe("What is warned of"),
      before: durationMs
        .prefault("30m")
        .refine((ms) => ms >= minBeforeMs && ms <= maxBeforeMs, "must be from 1m to 24h")
        .describe("How long before, from 1m to 24h. Longer than “watch.every”"),
      channel: channelId.describe("Where it is posted. Invite the bot"),
      quiet: quietHours.optional().describe("When nothing is posted, in the channel's zone, such as 22:00-07:00"),
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
      channel: channelId.describe("Where it is posted. Invite the bot"),
      day: knownName("day", dayNames).prefault("mon").describe("The day of the week"),
      at: timeOfDay.default("09:00").describe("The time, in the channel's zone, else in UTC"),
      ...scope,
    })
    .transform(({ day, ...rest }) => ({ ...rest, day: days[day] }));

/** Its machines are those listed, those imported with its name, and those imported of its type and project with a name that fits. */
const resourceGroupFields = z.strictObject({
  type: knownName("resource type", resourceTypes).describe("The type of all of them"),
  project: placedId.describe("The id of their project"),
  ids: distinct(text, (id) => id)
    .min(1, { error: "must list at least one resource id", abort: true })
    .readonly()
    .default([])
    .describe("Their ids, none twice"),
  match: z
    .string()
    .regex(
      /^(?=\S)(?:[^\s*]*\*){0,2}[^\s*]*$/,
      'must be one word with * for any letters, twice at most, such as "stg-*"',
    )
    .optional()
    .meta({
      description:
        "Also each imported machine of this type and project with such a name: “*” for any letters, twice at most",
      since: "1.1.0",
    }),
  imported: z.literal(true, "must be true, or be left out").optional().meta({
    description:
      "“true”: also each imported machine of this type and project whose column “group” has the group's name",
    since: "1.1.0",
  }),
  actions: distinct(text, (name) => name.toLowerCase())
    .readonly()
    .optional()
    .describe("What acts on them, by id, name or tag. An empty list: nothing does. Without one it is not known"),
});
const resourceGroup = resourceGroupFields
  .refine(({ ids, match, imported }) => ids.length > 0 || match !== undefined || imported, {
    path: ["ids"],
    message: "is missing: list the ids, or say match or imported: true",
  })
  .transform(({ ids, ...group }) => ({ ...group, ids: inAccountOf(group.project, ids) }));

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
    name: z
      .string()
      .regex(/^[a-z][\w-]*$/, "must be one word in small letters, since it is typed: “not on holidays”")
      .describe("The word that people type"),
    url: z
      .url({ protocol: /^https$/, error: "must be an https address" })
      .optional()
      .describe("Its https address"),
    file: z.string().endsWith(".ics", "must be a file named *.ics").optional().describe("An .ics file here or below"),
    private: z.boolean().optional().describe("Whether “url” may lead to a private address, such as 10.1.2.3"),
  })
  .meta({ oneOf: [{ required: ["url"] }, { required: ["file"] }] })
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
        )
        .describe("What people see: small letters, digits and -, at most 40"),
      tokenSha256: tokenHashes.describe("The SHA-256 hash of its token, in hex; two while the token is changed"),
      role: knownName("role", roleNames).describe("The role whose rights it has, and no others"),
      channel: channelId.describe("Where its requests count as made"),
      zone: knownZone.optional().describe("The zone of its times; else that of the channel, else UTC"),
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
    steps: setOf(text).describe("The steps that workflows may use"),
    actAs: knownName("role", roleNames).describe("The role whose rights every step has. It needs no members"),
    approvers: approversAmong(roleNames).optional().describe("Roles that may approve for them; else that is refused"),
    channel: channelId.optional().describe("Where steps count as asked"),
    zone: knownZone.optional().describe("The zone of times in steps; else that of the channel, else UTC"),
  });

export const isWorkflows = (id: string): boolean => id === workflowActorId;

/** The callers, and all workflows together, as holders of their roles. */
export const programsOf = ({ callers, workflows }: Pick<Sections, "callers" | "workflows">): readonly Program[] => [
  ...callers.map((caller) => ({ id: callerId(caller), role: caller.role })),
  ...(workflows ? [{ id: workflowActorId, role: workflows.actAs }] : []),
];

const id = z.string().regex(idPattern, "must be one word of at most 150 letters, digits and signs, without slashes");
const named = z.strictObject({ id: id.describe("Its id"), name: text.describe("Its name") });
const ofProject = id.optional().describe("Its project, for “where.projects”");

const ofAnotherAccount = { path: ["project"], message: "is in another account of the service than the id" };

/** One entry of each list. */
export const directoryItems = {
  users: named.extend({
    email: z.email("must be an e-mail address").optional().describe("Finds the user behind “@bob”"),
    mfaType: knownName("MFA type", ["none", ...mfaTypes])
      .optional()
      .describe("Their second factor"),
  }),
  projects: named,
  credentials: named
    .extend({
      project: ofProject,
      cloudProviderSubTypeId: knownName("cloud provider sub-type", cloudProviderSubTypes)
        .optional()
        .describe("The kind of credential"),
    })
    .refine(({ id, project = id }) => accountOf(id) === accountOf(project), ofAnotherAccount),
  policies: named,
  plans: named
    .extend({ project: ofProject })
    .refine(({ id, project = id }) => accountOf(id) === accountOf(project), ofAnotherAccount),
  selectors: named
    .extend({ plan: id.describe("The plan that it belongs to, by id") })
    .refine(({ id, plan }) => accountOf(id) === accountOf(plan), { ...ofAnotherAccount, path: ["plan"] }),
  machines: z
    .strictObject({
      id: placedId.regex(/^[^\s,;|"'`“”„‘’<>&]+$/, "must be one word without commas, quotation marks, <, > and &"),
      name: text.optional(),
      type: knownName("resource type", resourceTypes),
      project: id,
      group: z.string().regex(groupName, "must be one word of letters, digits, “.”, “-” and “_”").optional(),
      tags: text.optional(),
    })
    // An id without an account is one of its project's account.
    .refine(({ id, project }) => [mainAccount, accountOf(project)].includes(accountOf(id)), ofAnotherAccount),
};

/** A machine as an import says it. */
export type Machine = Readonly<z.output<typeof directoryItems.machines>>;

const listOf = <S extends z.ZodType<{ id: string }>>(item: S) => distinct(item, ({ id }) => id).default([]);

/** Entities by id and name, since the service's interface lists only actions. */
const directorySchema = z.strictObject({
  users: listOf(directoryItems.users).describe("The service's users"),
  projects: listOf(directoryItems.projects).describe("Its projects"),
  credentials: listOf(directoryItems.credentials).describe("Its credentials"),
  policies: listOf(directoryItems.policies).describe("Its managed policies"),
  plans: listOf(directoryItems.plans).describe("Its plans of managed services"),
  selectors: listOf(directoryItems.selectors).describe("What the plans are for"),
});
