import type { Sandbox } from "../../sandbox.ts";
import type { Account, Action, ActionExclusion } from "../../service/account.ts";
import { exclusionStatus } from "../../service/handlers.ts";
import { isInForce, nextExecutionDate } from "../../service/runs.ts";
import type { PanelTable } from "../wire.ts";

type Row = PanelTable["rows"][number];
/** Formats a moment for the viewer. */
type TimeFormat = (moment: string | number | null | undefined) => string;

/** The current data of the embedded service. */
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
export function withoutSecrets(thing: unknown): unknown {
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
