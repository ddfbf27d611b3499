import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { compareSettings } from "../../src/config/compare-settings.ts";
import { parseSettings } from "../../src/config/read-settings.ts";
import { everySetting, settingPaths, withSetting } from "../support/every-setting.ts";

/** A value for each key that gives somebody more than the example does. */
const looser: Readonly<Record<string, unknown>> = {
  "permissions.roles.helpdesk.members.0": "U09EVE",
  "permissions.roles.helpdesk.allow.0": "DeleteCredential",
  "permissions.roles.engineer.where.channels.0": "C0ELSE",
  "permissions.roles.engineer.where.accounts.0": "eu",
  "permissions.roles.engineer.where.projects.0": "p-prod",
  "permissions.roles.engineer.where.groups.0": "other",
  "permissions.roles.engineer.where.resourceTypes.0": "azure-virtual-machine",
  "permissions.roles.engineer.where.own": false,
  "permissions.roles.engineer.where.maxExclusion": "25h",
  "permissions.roles.engineer.where.weeklyHours": 41,
  "permissions.roles.engineer.mayAsk.operations.0": "ModifyUser",
  "permissions.roles.engineer.mayAsk.approvers.0": "helpdesk",
  "approvals.1.operations.0": "DeleteCredential",
  "approvals.0.approvers.0": "helpdesk",
  "approvals.0.count": 1,
  "approvals.1.expires": "5h",
  "approvals.1.channel": "C0ELSE",
  "approvals.0.when.longerThan": "9h",
  "approvals.0.when.accounts.0": "eu",
  "approvals.0.when.projects.0": "p-prod",
  "approvals.0.when.groups.0": "other",
  "approvals.0.when.resourceTypes.0": "azure-virtual-machine",
  "require.0.operations.0": "ModifyUser",
  "require.0.reason": false,
  "require.0.ticket": "^[A-Z]{2}-[0-9]+$",
  ticketUrl: "https://elsewhere.example.com/{ticket}",
  "consoleUrl.action": "https://elsewhere.example.com/{id}",
  "budgets.0.accounts.0": "eu",
  "budgets.0.projects.0": "p-prod",
  "budgets.0.groups.0": "other",
  "budgets.0.weeklyHours": 41,
  "budgets.0.then": "warn",
  "budgets.1.approvers.0": "helpdesk",
  "budgets.1.count": 1,
  "budgets.1.expires": "5h",
  "budgets.1.channel": "C0ELSE",
  "identity.coolOff": 0,
  "identity.approvers.0": "engineer",
  "announce.1.operations.0": "ModifyCredential",
  "announce.1.channel": "C0ELSE",
  "announce.1.accounts.0": "eu",
  "announce.1.projects.0": "p-prod",
  "announce.1.groups.0": "other",
  "exclusions.default": "5h",
  "exclusions.longest": "15d",
  "exclusions.dayStarts": "09:00",
  "exclusions.dayEnds": "19:00",
  "accounts.eu.url": "https://elsewhere.example.com",
  "accounts.eu.was": "https://elsewhere.example.com",
  "channels.C0OPS.project": "p-prod",
  "channels.C0OPS.zone": "Europe/London",
  "watch.every": "1h",
  "warnings.0.accounts.0": "eu",
  "warnings.0.projects.0": "p-prod",
  "warnings.0.groups.0": "other",
  "warnings.0.processes.0": "start",
  "warnings.0.channel": "C0ELSE",
  "digest.0.channel": "C0ELSE",
  "digest.0.accounts.0": "eu",
  "digest.0.projects.0": "p-prod",
  "digest.0.groups.0": "other",
  "limits.perPersonPerMinute": 31,
  "admins.channel": "C0ELSE",
  "retention.history": "399d",
  "retention.transient": "29d",
  "service.stopTime": "ofDay",
  "resourceGroups.staging.type": "azure-virtual-machine",
  "resourceGroups.staging.project": "p-prod",
  "resourceGroups.staging.ids.0": "i-0b1",
  "resourceGroups.staging.match": "stg-*",
  "resourceGroups.staging.imported": true,
  "resourceGroups.staging.actions.0": "a-00000009",
  "calendars.0.name": "other",
  "calendars.0.file": "./other.ics",
  "calendars.1.private": true,
  "calendars.1.url": "https://elsewhere.example.com/freeze.ics",
  "callers.0.name": "other-bot",
  "callers.0.tokenSha256": "a".repeat(64),
  "callers.0.role": "admin",
  "callers.0.channel": "C0ELSE",
  "callers.0.zone": "Europe/London",
  "workflows.steps.0": "find",
  "workflows.actAs": "admin",
  "workflows.approvers.0": "helpdesk",
  "workflows.channel": "C0ELSE",
  "workflows.zone": "Europe/London",
  "teams.0": "T0ELSE",
  "directory.users.0.id": "u-00000009",
  "directory.users.0.name": "eve",
  "directory.users.0.email": "eve@example.com",
  "directory.users.0.mfaType": "none",
  "directory.projects.0.id": "p-other",
  "directory.projects.0.name": "Other",
  "directory.credentials.0.id": "cred-00000009",
  "directory.credentials.0.name": "Other",
  "directory.credentials.0.project": "p-prod",
  "directory.credentials.0.cloudProviderSubTypeId": "google-standard",
  "directory.policies.0.id": "mp-00000009",
  "directory.policies.0.name": "Other",
  "directory.plans.0.id": "plan-00000009",
  "directory.plans.0.name": "Other",
  "directory.plans.0.project": "p-prod",
  "directory.selectors.0.id": "sel-00000009",
  "directory.selectors.0.name": "Other",
  "directory.selectors.0.plan": "plan-00000002",
};

/** Keys that give nobody anything, whatever their value. */
const harmless: Readonly<Record<string, readonly [value: unknown, why: string]>> = {
  "exclusions.warn": ["20m", "the time of a reminder"],
  "warnings.0.before": ["20m", "the time of a warning"],
  "warnings.0.quiet": ["21:00-07:00", "the time of a warning"],
  "digest.0.day": ["tue", "the time of a digest"],
  "digest.0.at": ["10:00", "the time of a digest"],
  "lists.unused.0": ["p-dev", "a list counts where it is named"],
};

const base = settingsIn(parse(everySetting));

test.each(Object.entries(looser))("%s is not loosened without a question", (key, value) => {
  expect(compareSettings(changed(key, value), base).loosens).not.toEqual([]);
});

test.each(Object.entries(harmless))("%s is changed without a question", (key, [value]) => {
  const next = changed(key, value);
  expect(compareSettings(next, base).loosens).toEqual([]);
  expect(compareSettings(base, next).loosens).toEqual([]);
});

test("identity is not added without a question: before it, what nobody could undo on their own account is refused", () => {
  const without = settingsIn({ ...parse(everySetting), identity: undefined });
  expect(compareSettings(base, without).loosens).toEqual([
    "identity is { coolOff: 1 d, approvers: admin, helpdesk }, instead of none.",
  ]);
});

test("what is deleted sooner, or at all, needs a question; what is kept longer needs none", () => {
  const forEver = settingsIn({ ...parse(everySetting), retention: undefined });
  expect(compareSettings(base, forEver).loosens).toEqual(["retention.history is 400 d, instead of for ever."]);
  expect(compareSettings(forEver, base)).toEqual({ loosens: [], tightens: ["retention.history"] });
  expect(() => changed("retention.history", "1d")).toThrow(/retention.history: .*must be 90d or more/);
});

test("every key of curfew.yaml is one of them", () => {
  const general = (key: string) =>
    key
      .replaceAll(/\.\d+(?=\.|$)/g, "[]")
      .replace(/^(permissions\.roles|channels|consoleUrl|resourceGroups|lists|accounts)\.\w+/, "$1.*");
  const named = new Set([...Object.keys(looser), ...Object.keys(harmless)].map(general));
  expect([...named].toSorted()).toEqual(settingPaths().toSorted());
});

const changed = (key: string, value: unknown) => settingsIn(withSetting(parse(everySetting), key.split("."), value));

function settingsIn(content: unknown) {
  const read = parseSettings(stringify(content), "curfew.yaml");
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  return read.settings;
}
