import { isDeepStrictEqual } from "node:util";
import { closest } from "fastest-levenshtein";
import { stepCommands, stepNamed } from "../commands/catalogue.ts";
import { accountOperations, identityRule, identityRuleLeft, takesOver } from "../permissions/account-care.ts";
import { type Actor, isGroupId } from "../permissions/actor.ts";
import { approvalFor, canBeApproved, holdersNamed } from "../permissions/approval-rules.ts";
import { budgetRule, budgetRules } from "../permissions/budgets.ts";
import { setsExclusionLength } from "../permissions/conditions.ts";
import { list, oncePerMessage, type Scope } from "../permissions/config-values.ts";
import { mayShareMember } from "../permissions/decide.ts";
import { type ApprovalRule, adminRoles, type Policy, type Role } from "../permissions/policy.ts";
import { accountOf, splitId, unknownAccount } from "../service/account-ids.ts";
import { exclusionOperations, machineOperations, type OperationName, operations } from "../service/operations.ts";
import { maxGrouped } from "../service/resources.ts";
import { formatDuration } from "../time/duration.ts";
import type { ResourceGroup, Settings, Warning } from "./settings.ts";

/**
 * A setting that is valid and has no effect. An error cannot be meant; a warning may be. Neither stops a start or a reload: a rule
 * without effect allows nothing, and a refused reload would keep rights in force that were just taken away.
 */
export interface LintFinding {
  readonly path: readonly PropertyKey[];
  readonly verdict: "error" | "warning";
  readonly message: string;
}

/** Each error at its place, and of many warnings that say the same the first. */
export function lintSettings(settings: Settings): readonly LintFinding[] {
  const found = lints.flatMap((lint) => lint(settings));
  const of = (verdict: LintFinding["verdict"]) => found.filter((each) => each.verdict === verdict);
  return [...of("error"), ...oncePerMessage(of("warning"))];
}

type Path = readonly PropertyKey[];
type Items<T> = (settings: Settings) => readonly (readonly [path: Path, item: T])[];
/** What is wrong with an item at this place below it, if anything is. */
type Row<T> = readonly [
  verdict: LintFinding["verdict"],
  at: Path,
  says: (item: T, settings: Settings) => string | false | undefined,
];

/** Looks at each item by these rows. An error ends the rows of its item. */
function about<T>(items: Items<T>, ...rows: readonly Row<T>[]) {
  return (settings: Settings): readonly LintFinding[] =>
    items(settings).flatMap(([path, item]) => {
      const found: LintFinding[] = [];
      for (const [verdict, at, says] of rows) {
        const message = says(item, settings);
        if (message) found.push({ path: [...path, ...at], verdict, message });
        if (message && verdict === "error") break;
      }
      return found;
    });
}

const whole: Items<undefined> = () => [[[], undefined]];
const entriesOf =
  <T>(section: string, pick: (settings: Settings) => readonly T[]): Items<T> =>
  (settings) =>
    pick(settings).map((item, index) => [[section, index], item]);

const roles: Items<Role> = ({ policy }) => policy.roles.map((role) => [["permissions", "roles", role.name], role]);
const approvals = entriesOf("approvals", ({ policy }) => policy.approvals);
const budgets = entriesOf("budgets", ({ policy }) => policy.budgets);
const groups: Items<ResourceGroup> = ({ resourceGroups }) =>
  Object.entries(resourceGroups).map(([name, group]) => [["resourceGroups", name], group]);

const isChange = (name: OperationName): boolean => operations[name].effect !== "read";
const changesOf = (named: ReadonlySet<OperationName>): readonly OperationName[] => [...named].filter(isChange);
const nobodyAllows = "nobody has a role that allows any of them";
const { make: making, modify: modifying } = exclusionOperations;
const makingAlone = `it covers making exclusions (${making}) but not modifying them (${modifying})`;

/** Whether those who may ask for what a rule is for can get its approval. User groups count as enough. */
const approverRows: readonly Row<ApprovalRule>[] = [
  ["error", ["approvers"], tooFewApprovers],
  ["warning", ["operations"], (rule, { policy }) => requestersOf(policy, rule).size === 0 && nobodyAllows],
  ["error", ["approvers"], allStuck],
  ["warning", ["approvers"], someStuck],
];

/** By what they are about; REFERENCE.md lists them in "What check warns of". */
const lints = [
  about(whole, [
    "warning",
    ["permissions", "roles"],
    (_, { policy }) => policy.roles.length === 0 && "there is no role, so nobody can do anything",
  ]),
  about(
    roles,
    ["warning", ["members"], ({ members, programs }) => members.size + programs.size === 0 && "nobody has this role"],
    // Another role of the same person may modify them without a limit.
    [
      "warning",
      ["allow"],
      ({ members, operations: allowed }) =>
        members.size > 0 &&
        allowed.has(making) &&
        !allowed.has(modifying) &&
        `${makingAlone}: its conditions do not hold for what another role lets the same people extend or edit`,
    ],
    [
      "warning",
      ["where", "weeklyHours"],
      ({ where, operations: allowed }) =>
        where.weeklyHours !== undefined &&
        ![...allowed].some(setsExclusionLength) &&
        "the role neither makes nor extends exclusions",
    ],
    [
      "warning",
      ["mayAsk", "operations"],
      ({ mayAsk }) => mayAsk && changesOf(mayAsk.operations).length === 0 && "only reads, which nobody can ask for",
    ],
  ),
  about(userConditions, ["error", [], () => "users have none, and the role is only about users: it allows nothing"]),
  about(roles, [
    "error",
    ["where", "groups"],
    ({ where, operations: allowed }) =>
      where.groups !== undefined &&
      changesOf(allowed).length > 0 &&
      !changesOf(allowed).some((name) => machineOperations.has(name)) &&
      "only exclusions name machines, and the role allows none: it changes nothing",
  ]),
  about(askedRoles, ["warning", [], whyNotAsked]),
  about(
    approvals,
    ["error", ["operations"], onlyReads("only reads, which never need an approval")],
    [
      "error",
      ["when", "longerThan"],
      ({ operations: named, when }) =>
        when.longerThanMs !== undefined &&
        !changesOf(named).some(setsExclusionLength) &&
        "none of these operations says how long an exclusion lasts",
    ],
    ["error", [], shadowed],
    ["warning", ["operations"], modifiedWithoutApproval],
    [
      "warning",
      ["when", "longerThan"],
      ({ when: { longerThanMs = 0 } }, { exclusions: { maxLengthMs } }) =>
        longerThanMs >= maxLengthMs && `nothing is longer than exclusions.longest, ${formatDuration(maxLengthMs)}`,
    ],
    ...approverRows,
  ),
  about(budgets, ["warning", [], refusedAnyway]),
  about(
    (settings) =>
      budgets(settings).flatMap(([path, budget]) => (budget.then === "approval" ? [[path, budgetRule(budget)]] : [])),
    ...approverRows,
  ),
  about(
    ({ policy }) => [[["identity"], identityRuleLeft(policy)]],
    ...approverRows.map(
      ([verdict, at, says]): Row<ApprovalRule | undefined> => [verdict, at, (left, all) => left && says(left, all)],
    ),
    ["warning", ["coolOff"], tooFewForPair],
  ),
  about(
    entriesOf("announce", ({ announce }) => announce),
    [
      "error",
      ["operations"],
      (entry) => !entry.isElsewhere && onlyReads("only reads, which are never announced")(entry),
    ],
    ["warning", [], announcedAlready],
  ),
  about(
    entriesOf("require", ({ require }) => require),
    ["error", ["operations"], onlyReads("only reads, which never need a reason or a ticket")],
    ["error", ["ticket"], ticketOfEarlier],
    [
      "warning",
      ["operations"],
      ({ operations: named }, { policy }) =>
        !policy.roles.some((role) => changesOf(named).some((name) => role.operations.has(name))) && nobodyAllows,
    ],
    [
      "warning",
      ["operations"],
      ({ operations: named }, { require }) =>
        named.has(making) && !require.some((each) => each.operations.has(modifying)) && makingAlone,
    ],
  ),
  about(
    whole,
    [
      "warning",
      ["ticketUrl"],
      (_, { ticketUrl, require }) =>
        ticketUrl !== undefined &&
        require.every(({ ticket }) => ticket === undefined) &&
        "no entry of require asks for a ticket",
    ],
    ["warning", ["exclusions", "warn"], mostlyHalfway],
  ),
  about(
    namedProjects,
    ["error", [], (id, { accounts }) => unknownAccount(id, accounts)],
    ["warning", [], unlistedProject],
  ),
  // The actions of groups are unknown here: `doctor` compares them with the service.
  about(groups, [
    "error",
    ["ids"],
    ({ ids }) =>
      ids.length > maxGrouped &&
      `${ids.length} resources, and at most ${maxGrouped} are kept together: nobody can use this group`,
  ]),
  about(
    scopes,
    ["error", ["groups"], countsNobody],
    ["error", ["projects"], ({ accounts, projects }) => inOtherAccounts(accounts, projects ?? [], (id) => id)],
    [
      "error",
      ["groups"],
      ({ accounts, groups: named }, { resourceGroups }) =>
        inOtherAccounts(accounts, named?.keys() ?? [], (name) => resourceGroups[name]?.project ?? name),
    ],
  ),
  about(groupResources, ["warning", [], placedDifferently]),
  about(
    entriesOf("callers", ({ callers }) => callers),
    [
      "warning",
      ["channel"],
      ({ channel }, settings) =>
        !channelsNamed(settings).has(channel) && `nothing else in this file names the channel ${channel}`,
    ],
    [
      "warning",
      ["role"],
      ({ role }, { policy }) =>
        isAdminRole(policy, role) && "its role allows everything: who has its token could do all that admins can",
    ],
    [
      "warning",
      ["role"],
      ({ role, channel }, { policy }) =>
        !isAdminRole(policy, role) &&
        !(roleNamed(policy, role)?.where.channels?.has(channel) ?? true) &&
        `the role “${role}” allows nothing in ${channel}, where this caller asks`,
    ],
  ),
  about(
    entriesOf("warnings", ({ warnings }) => warnings),
    ["error", ["groups"], nothingRuns],
    ["warning", [], warnedAlready],
    [
      "warning",
      ["before"],
      ({ beforeMs }, { watch: { everyMs } }) =>
        beforeMs < everyMs &&
        `shorter than watch.every, ${formatDuration(everyMs)}: a run may come before Curfew looks`,
    ],
  ),
  about(
    ({ workflows }) => (workflows ? [[["workflows"], workflows]] : []),
    [
      "warning",
      ["actAs"],
      ({ actAs }, { policy }) =>
        isAdminRole(policy, actAs) && "its role allows everything: whoever starts a workflow could do what admins can",
    ],
    ["error", ["channel"], asksElsewhere],
  ),
  about(
    ({ workflows }) => [...(workflows?.steps ?? [])].map((name, index) => [["workflows", "steps", index], name]),
    ["error", [], unusableStep],
    ["warning", [], stepOfIdentity],
  ),
];

function onlyReads(message: string) {
  return ({ operations: named }: { readonly operations: ReadonlySet<OperationName> }) =>
    changesOf(named).length === 0 && message;
}

const roleNamed = ({ roles: all }: Policy, name: string) => all.find((role) => role.name === name);
const isAdminRole = (policy: Policy, name: string) => adminRoles(policy).some((role) => role.name === name);

/** Conditions that no user can meet: a user has no project and no resource type, and nobody creates one through Curfew. */
function userConditions(settings: Settings): readonly (readonly [Path, unknown])[] {
  return roles(settings).flatMap(([path, { operations: allowed, where }]) => {
    if (![...allowed].every((name) => accountOperations.has(name))) return [];
    const conditions = ["projects", "groups", "resourceTypes", "own"] as const;
    return conditions.filter((name) => where[name]).map((name) => [[...path, "where", name], undefined] as const);
  });
}

/** Each role that members of another may ask. */
function askedRoles(settings: Settings): readonly (readonly [Path, { readonly role: Role; readonly name: string }])[] {
  return roles(settings).flatMap(([path, role]) =>
    role.mayAsk && changesOf(role.mayAsk.operations).length > 0
      ? role.mayAsk.approvers.map((name, index) => [[...path, "mayAsk", "approvers", index], { role, name }] as const)
      : [],
  );
}

function whyNotAsked({ role, name }: { readonly role: Role; readonly name: string }, { policy }: Settings) {
  const approver = roleNamed(policy, name);
  if (!approver || approver.members.size === 0) return `nobody has the role ${name}`;
  const isSomebodyElse =
    role.members.size === 0 || [...role.members].some((id) => mayShareMember(approver, approver, id));
  if (!isSomebodyElse) return "nobody allows what they asked for themselves";
  const lacking = changesOf(role.mayAsk?.operations ?? new Set()).filter(
    (operation) => !(policy.rolesFor.get(operation) ?? []).some((each) => mayShareMember(each, approver)),
  );
  return (
    lacking.length > 0 &&
    `nobody with the role ${name} may do ${lacking.join(", ")}, and people only allow what they may do themselves`
  );
}

// Nobody has the empty id, so nobody is left out.
function tooFewApprovers(rule: ApprovalRule, { policy }: Settings) {
  if (canBeApproved(policy, rule, "")) return undefined;
  const { size } = new Set(holdersNamed(policy, rule.approvers).flatMap(({ members }) => members));
  return `${rule.count} must approve, and there ${size === 1 ? "is" : "are"} ${size || "none"}`;
}

const requestersOf = ({ roles: all }: Policy, rule: ApprovalRule): ReadonlySet<string> =>
  new Set(
    all
      .filter((role) => changesOf(rule.operations).some((name) => role.operations.has(name)))
      .flatMap(({ members, programs }) => [...members, ...programs]),
  );

/** A user group is several people, who may approve each other's changes. */
const stuckOf = (policy: Policy, rule: ApprovalRule): readonly string[] =>
  [...requestersOf(policy, rule)].filter((id) => !isGroupId(id) && !canBeApproved(policy, rule, id));

function allStuck(rule: ApprovalRule, { policy }: Settings) {
  const { length } = stuckOf(policy, rule);
  return (
    length > 0 &&
    length === requestersOf(policy, rule).size &&
    "everyone who may ask is needed as an approver, and nobody approves their own change"
  );
}

function someStuck(rule: ApprovalRule, { policy }: Settings) {
  const stuck = stuckOf(policy, rule);
  const why = "since nobody approves their own change: name more approvers";
  return stuck.length > 0 && `too few could approve what ${list(stuck)} may ask for, ${why}`;
}

/** Whether two of the approvers can approve a pair of changes that gives an account away. */
function tooFewForPair(_: unknown, { policy }: Settings) {
  const rule = identityRule(policy);
  if (!rule || policy.identity?.coolOffMs === 0) return undefined;
  const few = [...rule.operations].filter(takesOver).filter((operation) => {
    const first = policy.approvals.find(({ operations: named }) => named.has(operation)) ?? rule;
    return !canBeApproved(policy, { ...first, count: 2 }, "");
  });
  const takes = "one account's address and MFA take two different approvers within coolOff";
  return few.length > 0 && `${takes}, and ${list(few)} can have one`;
}

/** The rules that apply before this one to everything it covers. */
function shadowed(rule: ApprovalRule, { policy }: Settings) {
  const first = requestsOf(rule, policy).map((request) => approvalFor(policy, request)?.rule);
  const before = first.includes(rule.rule) ? [] : [...new Set(first)].flatMap((found) => found ?? []);
  return before.length > 0 && `it never applies: ${before.join(" and ")} always applies first`;
}

/** An approval rule for creating exclusions, where modifying one the same way needs no approval. */
function modifiedWithoutApproval(rule: ApprovalRule, { policy }: Settings) {
  if (!rule.operations.has(making) || rule.operations.has(modifying)) return undefined;
  const isCovered = requestsOf(rule, policy)
    .filter(({ operation }) => operation === making)
    .every((request) => approvalFor(policy, { ...request, operation: modifying }) !== undefined);
  const what = "only an extension or an edit that makes one hold back more needs this approval";
  return !isCovered && `${makingAlone}: ${what}`;
}

/** The requests of a rule that the fewest other rules apply to: every fact is known, and the exclusion is just long enough. */
function requestsOf({ operations: names, when }: ApprovalRule, { approvals: all }: Policy) {
  const { projects = [unnamed], resourceTypes = [unnamed], groups: named, longerThanMs = 0 } = when;
  const others = new Set(all.flatMap((rule) => (rule.when === when ? [] : [...(rule.when.groups?.values() ?? [])])));
  const taken = new Set([...others].flatMap((other) => [...other.ids]));
  const targets = named
    ? [...named.values()].map(({ project: projectId, type: resourceType, ids }) => {
        const own = [...ids].find((id) => !taken.has(id));
        return { projectId, resourceType, resourceIds: own === undefined ? [...ids] : [own] };
      })
    : [...projects].flatMap((projectId) =>
        [...resourceTypes].map((resourceType) => ({ projectId, resourceType, resourceIds: [unnamed] })),
      );
  return [...names].flatMap((operation) =>
    targets.map((target) => ({
      ...{ actor: anybody, operation, channelId: null, ...target },
      exclusionLengthMs: longerThanMs + 1,
    })),
  );
}

/** A project, or a resource type, that nothing names. */
const unnamed = "\0";
const anybody: Actor = { teamId: "", userId: "", name: "", timeZone: "UTC", membership: "member", groupIds: [] };

/** Whether one entry is for all that another is for; a missing list stands for everything. */
const hasAll = (one: Scope, other: Scope): boolean =>
  (["accounts", "projects", "groups"] as const).every((key) => {
    const named = one[key];
    return named === undefined || [...(other[key]?.keys() ?? [unnamed])].every((id) => named.has(id));
  });

function refusedAnyway(budget: Policy["budgets"][number], { policy }: Settings) {
  if (budget.then === "refuse") return undefined;
  const refusing = policy.budgets.findIndex(
    (each) => each.then === "refuse" && each.weeklyHours <= budget.weeklyHours && hasAll(each, budget),
  );
  return refusing !== -1 && `it never applies: budgets.${refusing} refuses as many hours`;
}

function announcedAlready(entry: Settings["announce"][number], { announce }: Settings) {
  const { operations: named, isElsewhere, channel } = entry;
  const same = announce
    .slice(0, announce.indexOf(entry))
    .findIndex(
      (other) =>
        other.channel === channel &&
        hasAll(other, entry) &&
        changesOf(named).every((name) => other.operations.has(name)) &&
        (other.isElsewhere || !isElsewhere),
    );
  return same !== -1 && `announce.${same} announces all of it in this channel already`;
}

function ticketOfEarlier(entry: Settings["require"][number], { require }: Settings) {
  const earlier = require.slice(0, require.indexOf(entry)).filter((each) => each.ticket !== undefined);
  return (
    entry.ticket !== undefined &&
    changesOf(entry.operations).every((name) => earlier.some((each) => each.operations.has(name))) &&
    "it never applies: earlier entries say the form of these tickets"
  );
}

function mostlyHalfway(_: unknown, { exclusions: { warnMs, defaultMs, maxLengthMs } }: Settings) {
  if (warnMs < maxLengthMs && warnMs <= defaultMs) return undefined;
  const [name, ms] = warnMs >= maxLengthMs ? (["longest", maxLengthMs] as const) : (["default", defaultMs] as const);
  const lengths = `${formatDuration(warnMs)} before the end, and exclusions.${name} is ${formatDuration(ms)}`;
  return `${lengths}: most reminders come halfway through instead`;
}

/** Where rules name groups for their machines; warnings name them for their actions. */
function scopes(settings: Settings): readonly (readonly [Path, Scope])[] {
  const { announce, digest } = settings;
  return [
    ...roles(settings).map(([path, { where }]) => [[...path, "where"], where] as const),
    ...approvals(settings).map(([path, { when }]) => [[...path, "when"], when] as const),
    ...[...budgets(settings), ...entriesOf("announce", () => announce)(settings)],
    ...digest.map((entry) => [["digest"], entry] as const),
  ];
}

/** What is named together with accounts, and is in none of them: it never counts. */
function inOtherAccounts(
  accounts: Scope["accounts"],
  named: Iterable<string>,
  projectOf: (name: string) => string,
): string | undefined {
  const other = [...named].find((name) => accounts?.has(accountOf(projectOf(name))) === false);
  if (other === undefined) return undefined;
  const account = accountOf(projectOf(other));
  return `${other} is in the account ${account}, and “accounts” beside it does not name that: it never counts`;
}

/** Whoever names a machine must not get a right, or skip an approval, by that. */
function countsNobody({ groups: named }: Scope, { resourceGroups }: Settings) {
  const matching = [...(named?.keys() ?? [])].filter((name) => {
    const { ids = [], imported, match } = resourceGroups[name] ?? {};
    return match !== undefined && ids.length === 0 && !imported;
  });
  if (matching.length === 0) return undefined;
  const [has, it] = matching.length > 1 ? ["have", "them"] : ["has", "it"];
  return `${list(matching)} ${has} only match, and rules count ids and imported machines alone: this rule knows no machine of ${it}`;
}

/** What acts on a group is known by its `actions` alone. */
function nothingRuns({ groups: named }: Warning, { resourceGroups }: Settings) {
  const silent = [...(named?.keys() ?? [])].filter((name) => !resourceGroups[name]?.actions?.length);
  return silent.length > 0 && `${list(silent)} has no actions in resourceGroups: nothing is known to run on it`;
}

/** Of two that are alike the first counts. */
function warnedAlready(entry: Warning, { warnings }: Settings) {
  const index = warnings.indexOf(entry);
  const same = warnings.findIndex(
    (other, place) => place !== index && warnsOfAll(other, entry) && (place < index || !warnsOfAll(entry, other)),
  );
  return same !== -1 && `warnings.${same} warns this channel of all of it already`;
}

/** Whether one entry warns of everything that another does, as early and at the same hours. */
const warnsOfAll = (one: Warning, other: Warning): boolean =>
  one.channel === other.channel &&
  one.beforeMs >= other.beforeMs &&
  (one.quiet === undefined || isDeepStrictEqual(one.quiet, other.quiet)) &&
  [...other.processes].every((each) => one.processes.has(each)) &&
  hasAll(one, other);

/** Every project that the file names. */
function namedProjects(settings: Settings): readonly (readonly [Path, string])[] {
  const { policy, announce, digest, warnings, channels, resourceGroups, directory } = settings;
  const places: readonly (readonly [Path, Iterable<string | undefined> | undefined])[] = [
    ...roles(settings).map(([path, { where }]) => [[...path, "where", "projects"], where.projects] as const),
    ...policy.approvals.map(({ when }, index) => [["approvals", index, "when", "projects"], when.projects] as const),
    ...policy.budgets.map(({ projects }, index) => [["budgets", index, "projects"], projects] as const),
    ...announce.map(({ projects }, index) => [["announce", index, "projects"], projects] as const),
    ...warnings.map(({ projects }, index) => [["warnings", index, "projects"], projects] as const),
    ...digest.map(({ projects }) => [["digest"], projects] as const),
    ...Object.entries({ channels, resourceGroups }).flatMap(([section, entries]) =>
      Object.entries(entries).map(([name, { project }]) => [[section, name, "project"], [project]] as const),
    ),
    ...Object.entries({ credentials: directory.credentials, plans: directory.plans }).flatMap(([name, entries]) =>
      entries.map(({ project }, index) => [["directory", name, index, "project"], [project]] as const),
    ),
  ];
  return places.flatMap(([path, ids = []]) =>
    [...ids].flatMap((id) => (id === undefined ? [] : [[path, id] as const])),
  );
}

/** A misspelt project protects or allows nothing. Only where the file lists projects. */
function unlistedProject(id: string, { directory }: Settings) {
  const known = directory.projects.map((project) => project.id);
  if (known.length === 0 || known.includes(id)) return undefined;
  const moved = known.find((each) => splitId(each)[1] === splitId(id)[1]);
  return `directory.projects does not list a project with the id ${id}; did you mean "${moved ?? closest(id, known)}"?`;
}

function groupResources({ resourceGroups }: Settings) {
  const first = new Map<string, readonly [string, ResourceGroup]>();
  return Object.entries(resourceGroups).flatMap(([name, group]) =>
    group.ids.map((id, index) => {
      const other = first.get(id.toLowerCase()) ?? ([name, group] as const);
      first.set(id.toLowerCase(), other);
      return [["resourceGroups", name, "ids", index], { id, group, other }] as const;
    }),
  );
}

/** Groups that disagree on a resource's type or project. Excluding it takes the right for each of them. */
function placedDifferently({ id, group, other: [otherName, other] }: ReturnType<typeof groupResources>[number][1]) {
  const isElsewhere = other.project !== group.project || other.type !== group.type;
  const there = `${other.type} of ${other.project} in the group ${otherName}`;
  return isElsewhere && `${id} is ${there}, and ${group.type} of ${group.project} here`;
}

function channelsNamed({ policy, announce, admins, channels }: Settings): ReadonlySet<string | undefined> {
  return new Set([
    ...[...announce, ...policy.approvals].map(({ channel }) => channel),
    ...[admins?.channel, ...Object.keys(channels)],
    ...policy.roles.flatMap(({ where }) => [...(where.channels ?? [])]),
  ]);
}

function asksElsewhere({ actAs, channel }: NonNullable<Settings["workflows"]>, { policy }: Settings) {
  const channels = roleNamed(policy, actAs)?.where.channels;
  if (channels === undefined || channels.has(channel ?? "")) return undefined;
  return `the role “${actAs}” allows nothing elsewhere than in ${[...channels].join(" or ")}: name one of them`;
}

/** Steps that nobody can use. */
function unusableStep(name: string, { workflows, policy }: Settings) {
  const command = stepNamed(name);
  const names = stepCommands.map(({ step }) => step.name);
  if (!command) return `unknown step "${name}"; did you mean "${closest(name, names)}"?`;
  const actAs = workflows?.actAs ?? "";
  const { operation } = command;
  if (operation && !roleNamed(policy, actAs)?.operations.has(operation))
    return `the role “${actAs}” does not allow ${operation}`;
  if (command.kind !== "change" || workflows?.approvers) return undefined;
  // Hours are counted for what keeps resources running.
  const rules = [...policy.approvals, ...(setsExclusionLength(command.operation) ? budgetRules(policy) : [])];
  const rule = rules.find(({ operations: named }) => named.has(command.operation));
  return rule && `${rule.rule} may ask for an approval, which nobody could give: name workflows.approvers`;
}

function stepOfIdentity(name: string, { workflows, policy }: Settings) {
  const command = stepNamed(name);
  const isAboutAccounts = command?.kind === "change" && accountOperations.has(command.operation);
  if (!isAboutAccounts || !policy.identity || workflows?.approvers) return undefined;
  return "identity may ask for an approval, which nobody could give: name workflows.approvers";
}
