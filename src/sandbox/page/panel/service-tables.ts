import type { Sandbox } from "../../sandbox.ts";
import type { Account, Action, ActionExclusion } from "../../service/account.ts";
import { exclusionStatus } from "../../service/handlers/exclusions.ts";
import { isInForce } from "../../service/runs-between.ts";
import type { PanelTable } from "../wire.ts";
import { nextRunAt } from "./next-run-at.ts";

type Row = PanelTable["rows"][number];
/** How a moment is written for the viewer. */
type Written = (moment: string | number | null | undefined) => string;

/** What the embedded service holds now. */
export function serviceTables({ service, clock }: Sandbox, written: Written): readonly PanelTable[] {
  const { account } = service;
  return [
    exclusionTable(account, clock.now(), written),
    actionTable(account, clock.now(), written),
    table("Users", ["User", "E-mail", "Status", "MFA", "Policies"], account.users, (user) => ({
      cells: [user.username, user.emailAddress, user.status, user.mfaType, names(user.managedPolicies)],
      isFaded: user.status !== "enabled",
    })),
    table("Projects", ["Project", "Status", "Changed"], account.projects, (project) => ({
      cells: [project.name, project.status, written(project.lastModifiedDate)],
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
  things: ReadonlyMap<string, T>,
  row: (thing: T) => { readonly cells: readonly string[]; readonly isFaded?: boolean },
): PanelTable {
  const rows = [...things].map(([id, thing]): Row => {
    const { cells, isFaded = false } = row(thing);
    return { id, cells, isFaded, details: JSON.stringify(withoutSecrets(thing), null, 2) };
  });
  return { name, columns, rows };
}

function exclusionTable({ exclusions }: Account, at: number, written: Written): PanelTable {
  const columns = ["Exclusion", "Resources", "Keeps from", "Until", "State"];
  const newestFirst = new Map([...exclusions].reverse());
  return table("Exclusions", columns, newestFirst, (exclusion) => ({
    cells: [
      exclusion.name,
      exclusion.resourceIds.join(", "),
      exclusion.processes.join(", "),
      written(exclusion.expiryDate),
      stateOf(exclusion, at),
    ],
    isFaded: !isInForce(exclusion, at),
  }));
}

function stateOf(exclusion: ActionExclusion, at: number): string {
  if (!exclusion.isEnabled) return "off";
  return isInForce(exclusion, at) ? "in force" : exclusionStatus(exclusion, at);
}

function actionTable({ actions }: Account, at: number, written: Written): PanelTable {
  const nextOf = (action: Action) => (action.isEnabled ? nextRunAt(action.schedule, at) : null);
  const last = Number.POSITIVE_INFINITY;
  const sorted = [...actions].sort(([, one], [, other]) => (nextOf(one) ?? last) - (nextOf(other) ?? last));
  return table("Actions", ["Action", "Project", "Next run", "Last run"], new Map(sorted), (action) => ({
    cells: [
      action.name,
      action.projectId,
      written(nextOf(action)) || "none",
      written(action.lastExecution?.startDate) || "never",
    ],
    isFaded: !action.isEnabled,
  }));
}

function names(things: readonly { readonly name?: string | null | undefined }[]): string {
  return things.map(({ name }) => name ?? "").join(", ");
}

/** Whatever looks like a key or a password is not shown, here as nowhere else. */
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
