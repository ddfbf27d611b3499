import { exclusionsInForce, type Sandbox } from "../sandbox.ts";
import type { Account, Action, ActionExclusion } from "../service/account.ts";
import { exclusionStatus } from "../service/handlers.ts";
import { affects, isInForce, nextExecutionDate, type Run, runsBetween } from "../service/runs.ts";
import type { RecordedRequest } from "../service/start-sandbox-service.ts";
import type { AppManifest } from "../workspace/app-manifest.ts";
import type { AppRequest } from "../workspace/deliveries.ts";
import { isJsonObject, objectAt, objectsIn, plainText, stringAt } from "../workspace/json-object.ts";
import { mrkdwnToText, type Viewer } from "../workspace/mrkdwn.ts";
import type { ApiCall } from "../workspace/start-workspace.ts";
import type { ActivityLine, ClockShown, PanelTable } from "./wire.ts";

const maxLines = 500;

/**
 * What people did, what Curfew then wrote to the service, the database and Slack, and the scheduled runs, oldest first. Says that there
 * was a private answer, but not what it was, because the panel is the same for everyone.
 */
export function activityOf({ workspace, service, writes }: Sandbox, viewer: Viewer): readonly ActivityLine[] {
  const acts = workspace.appRequests.filter((each) => !isOwnMessage(each));
  const lines = [
    ...acts.map((act) => actLine(act, workspace.manifest, viewer)),
    ...acts.flatMap((act) => ackLine(act)),
    ...service.requests.flatMap(requestLine),
    ...writes.map(({ at, table }, index) => line("database", `database ${index}`, at, table)),
    ...workspace.calls.flatMap((call, index) => callLine(call, index, viewer)),
    ...service.runs().map(runLine),
  ].sort((one, other) => one.at - other.at);
  const merged = lines.reduce(withoutRepeats, []);
  // A sent message leaves the outbox, which says nothing new.
  return merged.filter(({ kind, text }) => kind !== "database" || text !== "outbox").slice(-maxLines);
}

const line = (
  kind: ActivityLine["kind"],
  id: string,
  at: number,
  text: string,
  more: Partial<ActivityLine> = {},
): ActivityLine => ({ kind, id, at, text, outcome: "", isTrouble: false, details: "", ...more });

/** Writes to the database one after the other are one line that names each table once. Those that nothing caused are left out. */
function withoutRepeats(lines: ActivityLine[], next: ActivityLine): ActivityLine[] {
  const last = lines.at(-1);
  if (next.kind !== "database") lines.push(next);
  else if (last?.kind === "database") {
    const tables = new Set([...last.text.split(", "), next.text]);
    lines[lines.length - 1] = { ...last, text: [...tables].join(", ") };
  } else if (last !== undefined && next.at - last.at < causedWithinMs) lines.push(next);
  return lines;
}

/** Later than this after the last line, the database is written to by a timer. */
const causedWithinMs = 1000;

/** Slack sends the app its own messages too. Nobody acted. */
const isOwnMessage = ({ payload }: AppRequest): boolean => objectAt(payload.event).bot_id !== undefined;

function actLine(act: AppRequest, manifest: AppManifest, viewer: Viewer): ActivityLine {
  const { id, answer, payload, sentAt } = act;
  const who =
    stringAt(payload.user_id) ?? stringAt(objectAt(payload.user).id) ?? stringAt(objectAt(payload.event).user);
  const text = `${who === undefined ? "A workflow" : viewer.nameOf(who)} ${wordsFor(act, manifest, viewer)}`;
  const trouble = answer?.kind === "failed" ? { outcome: answer.error, isTrouble: true } : {};
  return line("person", id, sentAt, text, trouble);
}

/** The values of a form are only its person's, so only its title is shown. */
function wordsFor({ type, payload }: AppRequest, { shortcuts }: AppManifest, viewer: Viewer): string {
  const form = `the form “${plainText(objectAt(payload.view).title)}”`;
  switch (type) {
    case "command":
      return `typed “${typedLine(payload.command, payload.text, viewer)}” in #${viewer.nameOf(String(payload.channel_id))}`;
    case "block_actions":
      return objectAt(payload.view).type === "modal" ? `${pressed(payload)} in ${form}` : pressed(payload);
    case "view_submission":
      return `sent ${form}`;
    case "block_suggestion":
      return "searched in a field";
    case "shortcut":
    case "message_action":
      return `used the shortcut “${shortcuts.find((each) => each.callback_id === payload.callback_id)?.name}”`;
    case "function_executed":
      return `ran the step “${plainText(objectAt(objectAt(payload.event).function).title)}”`;
    case "app_home_opened":
      return "opened the Home tab";
    case "message":
    case "app_mention":
      return "wrote a message";
    default:
      return `caused the event ${type}`;
  }
}

/** Slack has escaped the text of a command. */
function typedLine(command: unknown, text: unknown, viewer: Viewer): string {
  const plain = String(text).replaceAll(/<mailto:[^<|>]*\|([^<>]*)>/g, "$1");
  return `${String(command)} ${mrkdwnToText(plain, viewer)}`.trim();
}

function pressed({ actions, view }: AppRequest["payload"]): string {
  const [action = {}] = objectsIn(actions);
  if (action.type === "button") return `pressed “${plainText(action.text)}”`;
  if (objectAt(view).type === "modal") return "changed a field";
  const chosen = plainText(objectAt(action.selected_option).text);
  return chosen === "" ? "chose something" : `chose “${chosen}”`;
}

function ackLine({ id, kind, answer, sentAt, tookMs }: AppRequest): readonly ActivityLine[] {
  if (answer?.kind !== "acknowledged" || answer.body.kind === "empty" || kind === "options") return [];
  const body = objectAt(answer.body.kind === "json" ? answer.body.value : undefined);
  const inForm = body.response_action === "errors" ? "errors in the form" : "form updated";
  const text = kind === "command" ? "private answer" : inForm;
  return [line("slack", `answer ${id}`, sentAt + Math.floor(tookMs ?? 0), text)];
}

/** A change in the service, or a request that went wrong. Reads are left out. */
function requestLine(request: RecordedRequest, index: number): readonly ActivityLine[] {
  const { operation, method, path, body, status, at } = request;
  const isTrouble = status === undefined || status >= 400;
  if (method === "GET" && !isTrouble) return [];
  const outcome = status === undefined ? "no answer" : String(status);
  const details = body === undefined ? "" : JSON.stringify(withoutSecrets(body), null, 2);
  const text = `${operation ?? "no operation"} · ${method} ${path}`;
  return [line("service", `request ${index}`, at, text, { outcome, isTrouble, details })];
}

/** What people see of a call to Slack, or why it did not work. */
function callLine(call: ApiCall, index: number, viewer: Viewer): readonly ActivityLine[] {
  const { answer, at, method, status } = call;
  const error = isJsonObject(answer) && answer.ok === false ? stringAt(answer.error) : undefined;
  const trouble = answer === null ? "disconnected" : (error ?? (status >= 400 ? String(status) : undefined));
  const text = trouble === undefined ? callEffect(call, viewer) : method;
  if (text === undefined) return [];
  const more = trouble === undefined ? {} : { outcome: trouble, isTrouble: true };
  return [line("slack", `call ${index}`, at, text, more)];
}

function callEffect({ method, arguments: sent }: ApiCall, { nameOf }: Viewer): string | undefined {
  const to = stringAt(sent.channel) ?? "";
  const isDirect = !/^[CG]/.test(to);
  switch (method) {
    case "chat.postMessage":
      if (isDirect) return to.startsWith("U") ? `direct message to ${nameOf(to)}` : "direct message";
      return `${sent.thread_ts === undefined ? "card" : "reply in a thread"} in #${nameOf(to)}`;
    case "chat.update":
      return isDirect ? "update of a direct message" : `update of the card in #${nameOf(to)}`;
    case "chat.postEphemeral":
      return `answer that only ${nameOf(String(sent.user))} sees`;
    case "response_url":
      return sent.replace_original === true ? "private answer updated" : "private answer";
    case "views.open":
      return "form opened";
    case "views.update":
      return "form updated";
    case "views.publish":
      return "Home tab updated";
    default:
      return undefined;
  }
}

function runLine({ at, actionId, actionName, acted, skipped }: Run): ActivityLine {
  const names = [...new Set(skipped.map(({ exclusionName }) => exclusionName))].join(", ");
  const excluded = skipped.map(({ resourceId }) => resourceId).join(", ");
  const ran = skipped.length > 0 ? `ran without ${excluded} (excluded by ${names})` : "ran";
  const outcome = acted.length === 0 && skipped.length > 0 ? `skipped, excluded by ${names}` : ran;
  const details = skipped.length > 0 ? JSON.stringify({ acted, skipped }, null, 2) : "";
  return line("run", `run ${actionId} ${at}`, at, actionName, { outcome, details });
}

type Row = PanelTable["rows"][number];
type TimeFormat = (moment: string | number | null | undefined) => string;

export function serviceTables({ service, clock }: Sandbox, formatTime: TimeFormat): readonly PanelTable[] {
  const { account } = service;
  return [
    exclusionTable(account, clock.now(), formatTime),
    actionTable(account, clock.now(), formatTime),
    table("Users", ["User", "E-mail", "Status", "MFA", "Policies"], account.users, (user) => ({
      cells: [user.username, user.emailAddress, user.status, user.mfaType, names(user.managedPolicies)],
      isFaded: user.status !== "enabled",
    })),
    table("Projects", ["Project", "Status", "Changed"], account.projects, (project) => ({
      cells: [project.name, project.status, formatTime(project.lastModifiedDate)],
    })),
    table("Credentials", ["Credential", "Type", "Status"], account.credentials, (credential) => ({
      cells: [credential.name, credential.credentialType, credential.status],
    })),
    table("Policies", ["Policy"], account.managedPolicies, ({ name }) => ({ cells: [name] })),
    table("Plans", ["Plan", "Type", "Project", "Enabled"], account.plans, (plan) => ({
      cells: [plan.name, plan.planType, plan.projectId, plan.isEnabled ? "yes" : "no"],
      isFaded: !plan.isEnabled,
    })),
    table("Selectors", ["Selector", "Plan", "Resources", "State"], account.selectors, (selector) => ({
      cells: [selector.name, selector.planId, selector.resourceType, selector.state],
      isFaded: selector.state !== "active",
    })),
  ];
}

function table<T extends object>(
  name: string,
  columns: readonly string[],
  items: ReadonlyMap<string, T>,
  row: (item: T) => { readonly cells: readonly string[]; readonly isFaded?: boolean },
): PanelTable {
  const rows = [...items].map(([id, item]): Row => {
    const { cells, isFaded = false } = row(item);
    return { id, cells, isFaded, details: JSON.stringify(withoutSecrets(item), null, 2) };
  });
  return { name, columns, rows };
}

function exclusionTable({ exclusions }: Account, at: number, formatTime: TimeFormat): PanelTable {
  const columns = ["Exclusion", "Resources", "Keeps from", "Until", "State"];
  const newestFirst = new Map([...exclusions].reverse());
  return table("Exclusions", columns, newestFirst, (exclusion) => ({
    cells: [
      exclusion.name,
      exclusion.resourceIds.join(", "),
      exclusion.processes.join(", "),
      formatTime(exclusion.expiryDate),
      stateOf(exclusion, at),
    ],
    isFaded: !isInForce(exclusion, at),
  }));
}

function stateOf(exclusion: ActionExclusion, at: number): string {
  if (!exclusion.isEnabled) return "off";
  return isInForce(exclusion, at) ? "in force" : exclusionStatus(exclusion, at);
}

function actionTable({ actions }: Account, at: number, formatTime: TimeFormat): PanelTable {
  const nextOf = (action: Action) => (action.isEnabled ? nextRunAt(action.schedule, at) : null);
  const last = Number.POSITIVE_INFINITY;
  const sorted = [...actions].sort(([, one], [, other]) => (nextOf(one) ?? last) - (nextOf(other) ?? last));
  return table("Actions", ["Action", "Project", "Next run", "Last run"], new Map(sorted), (action) => ({
    cells: [
      action.name,
      action.projectId,
      formatTime(nextOf(action)) || "none",
      formatTime(action.lastExecution?.startDate) || "never",
    ],
    isFaded: !action.isEnabled,
  }));
}

const cache = new WeakMap<Action["schedule"], { readonly after: number; readonly at: number | null }>();

/** The next run after a moment. Cached until that run, because it is slow to compute and read on every update. */
function nextRunAt(schedule: Action["schedule"], after: number): number | null {
  const cached = cache.get(schedule);
  if (cached && cached.after <= after && (cached.at === null || after < cached.at)) return cached.at;
  const next = nextExecutionDate(schedule, after);
  const at = next === null ? null : Date.parse(next);
  cache.set(schedule, { after, at });
  return at;
}

function names(things: readonly { readonly name?: string | null | undefined }[]): string {
  return things.map(({ name }) => name ?? "").join(", ");
}

/** Masks every field whose name suggests a key or a password. */
function withoutSecrets(thing: unknown): unknown {
  if (Array.isArray(thing)) return thing.map(withoutSecrets);
  if (typeof thing !== "object" || thing === null) return thing;
  return Object.fromEntries(
    Object.entries(thing).map(([name, value]) => [name, isSecret(name) ? "•••" : withoutSecrets(value)]),
  );
}

function isSecret(name: string): boolean {
  return /secret|private_?key|password|token/i.test(name);
}

/** Formats ISO text or epoch milliseconds briefly in a zone; an absent value becomes empty. */
export function createTimeFormat(zone: string): TimeFormat {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  return (moment) => (moment === null || moment === undefined || moment === "" ? "" : format.format(new Date(moment)));
}

const lookAheadMs = 7 * 24 * 3_600_000;
const minuteMs = 60_000;
const maxStops = 4;

/** Half an hour, as in the example config. */
const warnedMs = 30 * minuteMs;

/** Suggested times to jump to: when a warning comes, the ends of exclusions, and the runs that an exclusion affects. */
export function clockStops(sandbox: Sandbox): ClockShown["stops"] {
  const { service, clock } = sandbox;
  const at = clock.now();
  const inForce = exclusionsInForce(sandbox);
  const ends = inForce.flatMap(({ name, expiryDate }) => {
    const end = Date.parse(expiryDate);
    return end - at > lookAheadMs ? [] : [{ at: end, text: `“${name}” ends` }];
  });
  const last = Math.max(at, ...ends.map((end) => end.at));
  const { exclusions, actions } = service.account;
  const affected = [...actions].filter(([, action]) => inForce.some((exclusion) => affects(exclusion, action)));
  const skipped = runsBetween({ exclusions, actions: new Map(affected) }, at, last)
    .filter((run) => run.skipped.length > 0)
    .map(({ at: due, actionName, acted }) => ({
      at: due,
      text: `“${actionName}” is due and ${acted.length === 0 ? "will be skipped" : "will leave out excluded resources"}`,
    }));
  const staging = [...actions].filter(([, action]) => stopsStaging(action));
  const warnings = runsBetween({ exclusions, actions: new Map(staging) }, at + warnedMs, at + lookAheadMs)
    .filter(({ acted }) => acted.length > 0)
    .slice(0, 1)
    .map(({ at: due, actionName }) => ({ at: due - warnedMs, text: `a warning that “${actionName}” comes up` }));
  return [...warnings, ...ends.slice(0, maxStops), ...skipped.slice(0, maxStops)]
    .sort((one, other) => one.at - other.at)
    .map((stop) => ({ ...stop, at: Math.ceil(stop.at / minuteMs) * minuteMs }));
}

const stopsStaging = ({ actionType, tags }: Action): boolean =>
  actionType === "amazon-stop-ec2-instances" && tags.includes("staging");
