import type { Answer, Problem } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import type { SeenActions } from "../../commands/changed-elsewhere.ts";
import type { Command, CommandContext, DecisionCommand, QueryCommand, QueryContext } from "../../commands/command.ts";
import type { ConfigState } from "../../commands/config-state.ts";
import { exclusionCreate, exclusionEnd } from "../../commands/exclusion/exclusion.ts";
import { planActions } from "../../commands/exclusion/planned/plans.ts";
import type { Input } from "../../commands/field.ts";
import type { CommandHelp, HoursHeld, WeekHours, WhoMay } from "../../commands/query-ports.ts";
import { allAsRequired } from "../../commands/required-fields.ts";
import { type ReadService, readFor } from "../../directory/read-service.ts";
import { rulesOf } from "../../permissions/account-care.ts";
import type { Actor } from "../../permissions/actor.ts";
import { approvalFor, approverRoles, holdersNamed, mayApprove, othersNamed } from "../../permissions/approval-rules.ts";
import { budgetSays } from "../../permissions/budgets.ts";
import { limitsOf, mayBeWithin, type PermissionRequest } from "../../permissions/conditions.ts";
import {
  actOf,
  askingFor,
  decide,
  limitsHeld,
  mayOffer,
  rolesForAsking,
  whoCouldAll,
} from "../../permissions/decide.ts";
import { inHours } from "../../permissions/held-time.ts";
import {
  adminRoles,
  holders,
  holdsRole,
  isAdmin,
  type Policy,
  rolesHeld,
  rolesOfActor,
} from "../../permissions/policy.ts";
import type { Absence } from "../../service/call-outcome.ts";
import {
  browseOperation,
  type OperationName,
  operationNames,
  operations,
  operations as operationsOf,
} from "../../service/operations.ts";
import { formatDuration } from "../../time/duration.ts";
import { groupBy } from "../../time/group-by.ts";
import { lengthWithin } from "../../time/intervals.ts";
import { weekAt } from "../../time/week.ts";
import { concernsAbout } from "../approvals/concerns.ts";
import { type Denied, rightsOf } from "../authorize/decide-change.ts";
import type { Change } from "../change.ts";
import type { Changes } from "../changes.ts";
import { type ExclusionRecords, keptBy } from "../hours/kept-running.ts";
import { unknownButtons } from "../outcomes/follow-up.ts";
import { planOf } from "../planned/plans.ts";
import { planAgainButtons } from "../planned/replace-plan.ts";
import type { ChangeSettings, ChangeStore, WithEmail } from "../ports.ts";
import { hasWayBack } from "../undo.ts";
import { type OwnWarningStore, ownWarningsOf } from "./own-warnings.ts";
import { createSavedGroups, type SavedGroupPorts } from "./saved-groups.ts";
import {
  exactRequest,
  exclusionOrigins,
  historyEntry,
  stillAskedFor,
  visibleChanges,
  waitingEntries,
} from "./visible-changes.ts";

export type QueryOutcome =
  | { readonly kind: "refused"; readonly decision: Denied }
  | { readonly kind: "invalid"; readonly problem: Problem }
  | { readonly kind: "answered"; readonly answer: Answer };

interface QueryPorts extends SavedGroupPorts {
  readonly store: Pick<ChangeStore, "list" | "requesters" | "transitions" | "waiting"> &
    Pick<ExclusionRecords, "exclusionsKeeping"> &
    OwnWarningStore &
    SeenActions;
  readonly planUndo: Changes["planUndo"];
  readonly read: ReadService;
  /** Help for a command, in the words of the chat it is for. */
  readonly helpFor: (command: Command) => CommandHelp;
  readonly commands: readonly Command[];
  readonly config: () => ConfigState;
  /** Looks up a Slack user. Throws if Slack cannot say who it is. */
  readonly actor: (slackUserId: string) => Promise<Actor>;
  readonly withEmail: WithEmail;
}

export type Queries = ReturnType<typeof createQueries>;

/** Runs commands that change nothing: authorized like any other, then answered. */
export function createQueries(ports: QueryPorts) {
  return {
    run: async (command: QueryCommand, input: Input, context: CommandContext): Promise<QueryOutcome> => {
      const { policy } = ports.settings();
      const { actor, channelId } = context;
      if (isRestricted(command) && !isOffered({ policy }, command, context)) {
        return { kind: "refused", decision: refusalOf({ policy }, command, context) };
      }
      // A query without an operation is open to every member of the workspace, and to nobody else.
      if (command.operation !== null || actor.membership !== "member") {
        const decision = decide(policy, { actor, operation: command.operation ?? browseOperation, channelId });
        if (decision.kind === "denied") return { kind: "refused", decision: inWordsOf(command, decision) };
      }
      const silent = new Map<string, Absence>();
      const read = notingSilent(ports.read, silent);
      const answer = await command.answer(input, queryContext({ ...ports, read }, context));
      return "problem" in answer
        ? { kind: "invalid", problem: answer }
        : { kind: "answered", answer: withSilent(answer, silent) };
    },
  };
}

/** Notes the accounts of the service that did not answer. */
const notingSilent =
  (read: ReadService, silent: Map<string, Absence>): ReadService =>
  async (operation, input, requesterId) => {
    const result = await read(operation, input, requesterId);
    if (result.kind === "succeeded")
      for (const [account, absence] of result.missing ?? []) silent.set(account, absence);
    return result;
  };

function withSilent(answer: Answer, silent: ReadonlyMap<string, Absence>): Answer {
  if (silent.size === 0) return answer;
  const said = [...silent].map(([account, { isUnknown }]) =>
    isUnknown
      ? `The account ${account} does not answer. Nothing of it is shown.`
      : `No answer from the account ${account}: what is shown of it may be old.`,
  );
  return { ...answer, note: [answer.note ?? [], said].flat().join(" ") };
}

/** Whether a command is offered to this actor here: in help, as a form, as a button. */
export function isOffered(
  settings: Pick<ChangeSettings, "policy">,
  command: Command,
  context: CommandContext,
): boolean {
  const { actor, channelId } = context;
  if (command.kind === "decision") return mayUse(settings.policy, command, context);
  if (isForAdmins(command)) return isAdmin(settings.policy, actor);
  const rights = rightsFor(command);
  const isHeld = (operation: OperationName) => mayOffer(settings.policy, { actor, operation, channelId });
  if (isSeriesCommand(command)) return rights.every(isHeld);
  return rights.length === 0 ? actor.membership === "member" : rights.some(isHeld);
}

/**
 * Approving and denying is for those who may approve something, withdrawing for those who may ask for something that needs
 * approval, or who may plan or end exclusions.
 */
function mayUse(policy: Policy, { verdict }: DecisionCommand, { actor, channelId }: CommandContext): boolean {
  if (verdict !== "withdrawn") return mayApprove(policy, actor, approverRoles(policy));
  if (planning.some((operation) => mayOffer(policy, { actor, operation, channelId }))) return true;
  const named = rulesOf(policy).flatMap(({ operations: all }) => [...all].filter(isChanging));
  return rolesOfActor(policy, actor).some(
    (role) => role.mayAsk !== undefined || named.some((name) => role.operations.has(name)),
  );
}

const planning = [exclusionCreate.operation, exclusionEnd.operation] as const;

/** Whether the actor may ask others to allow what the command does. It is not offered for that, but may be asked for. */
export const mayAskFor = ({ policy }: Pick<ChangeSettings, "policy">, command: Command, actor: Actor): boolean =>
  (command.kind === "change" || command.kind === "shortcut") &&
  !isSeriesCommand(command) &&
  rolesForAsking(policy, actor, command.operation).length > 0;

const isChanging = (name: OperationName): boolean => operations[name].effect !== "read";

/**
 * Whether an entity's name may be shown to this actor here for a command. Always, if its project is not known. `isOwn`: whether the
 * actor created it, to count that as well; `resourceIds`: of an exclusion.
 */
export function mayName(
  { policy }: Pick<ChangeSettings, "policy">,
  command: Command,
  { actor, channelId }: Pick<CommandContext, "actor" | "channelId">,
  facts: Pick<PermissionRequest, "account" | "projectId" | "isOwn" | "resourceIds">,
): boolean {
  const rights = rightsFor(command);
  const needed: readonly OperationName[] = rights.length === 0 ? [browseOperation] : rights;
  return needed.some((operation) => mayOffer(policy, { actor, operation, channelId, ...facts }));
}

function isForAdmins(command: Command): boolean {
  return command.kind === "query" && command.isForAdmins === true;
}

/** Whether a command without an operation is not for every member. */
function isRestricted(command: QueryCommand): boolean {
  return isForAdmins(command) || command.onlyWithOneOf !== undefined;
}

const isSeriesCommand = (command: Command): boolean => command.kind === "change" && command.series !== undefined;

/**
 * The operations of which a command needs the right for one, or for all if it is a series; none for a command that is open to every
 * member.
 */
function rightsFor(command: Command): readonly OperationName[] {
  if (command.kind === "change" && command.series) return command.series.operations;
  if (command.kind === "outcome") return operationNames.filter(isChanging);
  const { offeredFor, onlyWithOneOf } = command.kind === "query" ? command : {};
  return onlyWithOneOf ?? [offeredFor ?? command.operation].filter((operation) => operation !== null);
}

/** The refusal of a command that is not offered here. */
export function refusalOf(
  { policy }: Pick<ChangeSettings, "policy">,
  command: Command,
  context: CommandContext,
): Denied {
  const { actor, channelId } = context;
  if (isForAdmins(command) && actor.membership === "member") {
    const couldDo = holders(adminRoles(policy), actor.userId);
    const reason = `${actor.name} has no role that allows every operation. Only those who have one may ask this.`;
    const own = "You can't ask this: it takes a role that allows every operation.";
    return { kind: "denied", reason, toActor: own, rule: "default deny", couldDo };
  }
  if (command.kind === "decision" && actor.membership === "member") {
    const isForRequesters = command.verdict === "withdrawn";
    const what = isForRequesters ? "allows anything that others approve" : "decides on what others ask for";
    const couldDo = isForRequesters ? [] : othersNamed(policy, approverRoles(policy), actor.userId);
    const denied = { kind: "denied", rule: "default deny", couldDo } as const;
    return {
      ...denied,
      reason: `${actor.name} has no role that ${what}.`,
      toActor: `You have no role that ${what}: “whoami” shows yours.`,
    };
  }
  const rights = rightsFor(command);
  const lacking = rights.find((operation) => !mayOffer(policy, { actor, operation, channelId }));
  const decision = decide(policy, { actor, operation: lacking ?? rights[0] ?? browseOperation, channelId });
  if (decision.kind === "denied") return command.kind === "query" ? inWordsOf(command, decision) : decision;
  throw new Error(`${command.words} is offered to ${actor.userId}, so it is not refused`);
}

/** A person asked for the command, not for the operation that the right to it stands for. */
function inWordsOf({ summary, operation, onlyWithOneOf }: QueryCommand, decision: Denied): Denied {
  const standsFor = operation ?? onlyWithOneOf?.[0];
  const [what = ""] = `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`.replace(/^show/, "see").split(/[,;]/);
  const toActor = standsFor && decision.toActor?.replace(actOf(standsFor), what);
  return toActor ? { ...decision, toActor } : decision;
}

function queryContext(ports: QueryPorts, context: CommandContext): QueryContext {
  const { policy } = ports.settings();
  const { actor, channelId } = context;
  const mayMake = (words: string): boolean => {
    const command = commandOf(words);
    return command !== undefined && isOffered({ policy }, command, context);
  };
  const may = rightsOf({ policy }, actor, channelId);
  const planned = (change: Change) => {
    const plan = change.state === "planned" ? planOf(change) : undefined;
    if (plan) return planActions(plan, { may, actor });
    return mayMake(change.words) ? planAgainButtons(change, context.now) : [];
  };
  let requesters: ReturnType<ChangeStore["requesters"]> | undefined;
  let plans: ReturnType<NonNullable<CommandContext["plans"]>> | undefined;
  const plansOnce = () => (plans ??= context.plans?.());
  return {
    ...context,
    plans: async (alsoWaiting) => (await (alsoWaiting ? context.plans?.(alsoWaiting) : plansOnce())) ?? [],
    read: readFor(ports.read, actor.userId),
    may,
    seenAction: (id) => ports.store.seenAction(id),
    seenChanges: () => ports.store.seenChanges(),
    savedGroups: createSavedGroups(ports, context),
    ownWarnings: ownWarningsOf(ports.store, context),
    roles: rolesHeld(policy, actor),
    config: isAdmin(policy, actor) ? ports.config() : undefined,
    decisionFor: async (slackUserId, operation) => {
      const other = await ports.actor(slackUserId).catch(() => undefined);
      if (!other) return undefined;
      const ask = { actor: other, operation, channelId };
      return {
        actor: other,
        roles: rolesHeld(policy, other),
        decision: decide(policy, ask),
        limits: limitsHeld(policy, { ...ask, projectId: context.settings.channels[channelId ?? ""]?.project }),
        isOffered: mayOffer(policy, ask),
        mayAsk: askingFor(policy, [ask])?.approvers,
        approval: approvalFor(policy, ask),
      };
    },
    commandsCalled: (phrase) => commandsCalled(ports, phrase.toLowerCase()),
    whoMay: (phrase, facts) => {
      const [command] = commandsNamed(ports, phrase.toLowerCase()).filter(hasRights);
      return command && whoMay(policy, command.words, rightsFor(command), { actor, channelId, ...facts });
    },
    weekHours: () => weekHours(policy, ports.store, context),
    requesters: () => (requesters ??= ports.store.requesters()),
    personIn: (slackUserId) => ports.actor(slackUserId).catch(() => undefined),
    origins: (exclusionIds) => exclusionOrigins(exclusionIds, ports.store, policy, context),
    waiting: async () => {
      const concerns = (change: Change) => concernsAbout(change, ports, context.now);
      return waitingEntries(await stillAskedFor(ports.store, policy, context), policy, { ...context, concerns });
    },
    get help() {
      return helpFor(ports, context);
    },
    history: async (filter) => {
      const changes = await visibleChanges(filter, ports.store, policy, context);
      return Promise.all(
        changes.map(async (change) => ({
          ...historyEntry(change, filter.id === undefined ? [] : await ports.store.transitions(change.id)),
          request: filter.id === undefined ? undefined : exactRequest(change),
          followUp: [...(mayMake(change.words) ? unknownButtons(change) : []), ...planned(change)],
          isUndoable: await canUndo(change, ports, (command) => isOffered({ policy }, command, context)),
        })),
      );
    },
  };
}

/** Only looked up for the few answers that show it. */
const helpFor = ({ commands, helpFor: describe, settings }: QueryPorts, context: CommandContext) =>
  allAsRequired(commands, context.settings)
    .filter((command) => isOffered(settings(), command, context))
    .map(describe);

/** Others need the rights of the change that they are about, or are for admins. */
const hasRights = (command: Command): boolean =>
  command.kind === "change" || command.kind === "shortcut" || (command.kind === "query" && !isForAdmins(command));

async function canUndo(
  change: Change,
  { planUndo }: QueryPorts,
  mayUse: (command: Command) => boolean,
): Promise<boolean> {
  const plan = hasWayBack(change) ? await planUndo(change.id) : undefined;
  if (plan === undefined || "problem" in plan || !mayUse(plan.command)) return false;
  // An obstacle with answers is a question, and the undo follows.
  return plan.command.obstacle === undefined || plan.command.obstacle.buttons !== undefined;
}

interface Named {
  readonly commands: readonly Command[];
  readonly helpFor: (command: Command) => CommandHelp;
}

/** Every command that is named so, by its words, an alias or its operation. */
const commandsNamed = ({ commands, helpFor }: Named, phrase: string): readonly Command[] =>
  commands.filter(
    (command) =>
      command.operation?.toLowerCase() === phrase || helpFor(command).names.some((name) => isSaid(name, phrase)),
  );

/** The words of those that make changes. */
const commandsCalled = (named: Named, phrase: string): readonly string[] =>
  commandsNamed(named, phrase)
    .filter(makesChanges)
    .map(({ words }) => words);

/** Whether the history may have a change by this command. */
const makesChanges = (command: Command): boolean =>
  command.kind === "change" || (command.kind === "query" && command.describe !== undefined);

/** A name may have places for fields: "rename <project> to <name>" is said as "rename" too. */
const isSaid = (name: string, phrase: string): boolean =>
  [/ ?<\w+>/g, / ?<.*/].some((fields) => name.replace(fields, "") === phrase);

/** What people keep running this week, and what limits the requester. */
async function weekHours(
  policy: Policy,
  records: Pick<ExclusionRecords, "exclusionsKeeping">,
  { actor, channelId, settings, now }: CommandContext,
): Promise<WeekHours> {
  const week = weekAt(now, settings.channels[channelId ?? ""]?.zone ?? actor.timeZone);
  const kept = (await records.exclusionsKeeping(week.from)).flatMap(keptBy);
  const each = groupBy(kept, ({ by, resource }) => `${by} ${resource.key}`);
  const held = new Map<string, HoursHeld>();
  for (const times of each.values()) {
    const [first] = times;
    const hours = inHours(lengthWithin(times, week));
    if (!first || first.by === null || hours === 0) continue;
    const { by, projectId, resource } = first;
    const budget = budgetIn(policy, { projectId: projectId ?? undefined, resourceIds: [resource.id] });
    const key = `${by} ${projectId} ${hours} ${budget}`;
    const resourceIds = [...(held.get(key)?.resourceIds ?? []), resource.id];
    held.set(key, { by, projectId, resourceIds, hours, budget });
  }
  const longest = `Nobody may hold anything for more than ${formatDuration(settings.exclusions.maxLengthMs)}`;
  const own = roleLimits(policy, actor);
  const rules = policy.budgets.map(budgetSays);
  const limits = own.length > 0 ? [...own, longest, ...rules] : ["You have no role that may keep machines running"];
  return { limits, held: [...held.values()].sort((one, other) => other.hours - one.hours) };
}

function budgetIn({ budgets }: Policy, kept: Parameters<typeof mayBeWithin>[1]): number | undefined {
  const counting = budgets.filter((budget) => mayBeWithin(budget, kept));
  return counting.length > 0 ? Math.min(...counting.map(({ weeklyHours: hours }) => hours)) : undefined;
}

const roleLimits = ({ rolesFor }: Policy, actor: CommandContext["actor"]): readonly string[] =>
  (rolesFor.get(exclusionCreate.operation) ?? [])
    .filter((role) => holdsRole(actor, role))
    .map(({ name, where: { maxExclusionMs, weeklyHours: hours } }) => {
      const limits = [
        ...(maxExclusionMs === undefined ? [] : [`${formatDuration(maxExclusionMs)} at a time`]),
        ...(hours === undefined ? [] : [`${hours} h of each resource in a week`]),
      ];
      return limits.length > 0
        ? `As ${name} you may hold up to ${limits.join(" and ")}`
        : `As ${name} you have no limit`;
    });

type Asked = Omit<PermissionRequest, "operation">;

/** Who may call all of these operations, as far as a refusal would tell the requester. */
function whoMay(policy: Policy, words: string, operations: readonly OperationName[], asked: Asked): WhoMay {
  const requests = operations.map((operation) => ({ ...asked, operation }));
  const lacking = requests.find((request) => !mayOffer(policy, request));
  const decision = lacking && decide(policy, lacking);
  const rules = requests.flatMap((request) => approvalFor(policy, request) ?? []);
  const [first] = requests;
  return {
    act:
      first && operations.length === 1 && operationsOf[first.operation].effect !== "read"
        ? actOf(first.operation)
        : `use “${words}”`,
    isForAll: operations.length === 0,
    whyNot: decision?.kind === "denied" ? (decision.toActor ?? decision.reason) : undefined,
    limits: lacking ? [] : [...new Set(requests.flatMap((request) => limitsHeld(policy, request)))],
    mayAsk: askingFor(policy, requests)?.approvers ?? [],
    others: whoCouldAll(policy, asked, operations).map((holder) => ({
      ...holder,
      limits: limitsOfRole(policy, holder.role, operations),
    })),
    approvers: holdersNamed(policy, [...new Set(rules.flatMap(({ approvers }) => approvers))]),
  };
}

function limitsOfRole({ roles }: Policy, name: string, operations: readonly OperationName[]): readonly string[] {
  const role = roles.find((each) => each.name === name);
  return role ? [...new Set(operations.flatMap((operation) => limitsOf(role, operation)))] : [];
}
