import { readFileSync } from "node:fs";
import type { Approval, ApproverDecision, ServiceChange, Settlement } from "../../src/changes/change.ts";
import type { GroupStore, People } from "../../src/changes/ports.ts";
import type { CommandContext } from "../../src/commands/command.ts";
import { parseSettings } from "../../src/config/read-settings.ts";
import { createPlacesOf } from "../../src/directory/action-directory.ts";
import type { Directory, PlacedDirectory } from "../../src/directory/directory.ts";
import { createLogger, type Logger } from "../../src/observability/log.ts";
import type { ActionExclusion } from "../../src/service/resources.ts";
import { createMemoryDirectory } from "../commands/memory-directory.ts";
import { anActor } from "../permissions/build.ts";

/** A Friday. */
export const noon = Date.parse("2026-11-20T12:00:00.000Z");
export const hourMs = 3_600_000;
export const minuteMs = 60_000;

export const quietLog: Logger = createLogger({ level: "silent" });

/** The settings of the example file, or of the given text. */
export function someSettings(text = readFileSync("manifest/curfew.example.yaml", "utf8")) {
  const read = parseSettings(text, "curfew.yaml");
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  return read.settings;
}

export const anExclusion = (facts: Partial<ActionExclusion> = {}): ActionExclusion => ({
  actionExclusionId: "ae-1",
  projectId: "p-dev",
  name: "keep staging up",
  isEnabled: true,
  startDate: "2026-11-20T12:00:00Z",
  expiryDate: "2026-11-20T16:00:00Z",
  processes: ["stop-resource"],
  resourceType: "amazon-ec2-instance",
  resourceIdentificationMethod: "by-resource-id",
  resourceIds: ["i-0a1"],
  ...facts,
});

/** The request that `exclusion create` makes. */
export const exclusionRequest = {
  projectId: "p-dev",
  name: "keep staging up",
  isEnabled: true,
  expiryDate: "2026-11-20T16:00:00.000Z",
  resourceType: "amazon-ec2-instance",
  resourceIdentificationMethod: "by-resource-id",
  resourceIds: ["i-0a1"],
  processes: ["stop-resource"],
};

/** By default Alice's new exclusion, being performed. */
export const aChange = (facts: Partial<ServiceChange> = {}): ServiceChange => ({
  id: "chg-1",
  idempotencyKey: `command:${facts.id ?? "chg-1"}`,
  words: "exclusion create",
  operation: "CreateActionExclusion",
  state: "performing",
  input: {
    resourceIds: ["i-0a1"],
    type: "amazon-ec2-instance",
    project: "p-dev",
    process: "stop",
    until: noon + 4 * hourMs,
    // Many tests make several.
    another: true,
  },
  request: exclusionRequest,
  before: null,
  answer: null,
  subjectKind: "exclusion",
  subjectId: null,
  actor: { teamId: "T1", userId: "U01ALICE", name: "Alice", timeZone: "Europe/Berlin" },
  channelId: "C0OPS",
  reason: null,
  undoes: null,
  role: "engineer",
  rule: "permissions.roles.engineer.allow",
  approval: null,
  decisions: [],
  notices: [],
  error: null,
  note: null,
  verified: null,
  requestedAt: noon,
  settledAt: null,
  ...facts,
});

/** By default an approval by an admin, within four hours. */
export const anApproval = (facts: Partial<Approval> = {}): Approval => ({
  rule: "approvals.0",
  approvers: [{ role: "admin", members: ["U03CAROL"] }],
  count: 1,
  channelId: "C0SEC",
  expiresAt: noon + 4 * hourMs,
  effect: [],
  ...facts,
});

/** By default Alice's new exclusion, waiting for an admin's approval. */
export const aWaiting = (facts: Partial<ServiceChange> = {}): ServiceChange =>
  aChange({ state: "awaiting-approval", approval: anApproval(), ...facts });

/** By default Carol's approval, a minute later. */
export const aDecision = (facts: Partial<ApproverDecision> = {}): ApproverDecision => ({
  approverId: "U03CAROL",
  approverName: "Carol",
  verdict: "approved",
  note: null,
  at: noon + minuteMs,
  ...facts,
});

/** By default Alice's extension of the exclusion `ae-1`, being performed. */
export const anExtension = (facts: Partial<ServiceChange> = {}): ServiceChange =>
  aChange({
    words: "exclusion extend",
    operation: "ModifyActionExclusion",
    subjectId: "ae-1",
    before: anExclusion(),
    input: { exclusion: "ae-1", until: { forMs: hourMs } },
    request: { id: "ae-1", ...exclusionRequest, expiryDate: "2026-11-20T17:00:00.000Z" },
    ...facts,
  });

export const anEnd = (facts: Partial<ServiceChange> = {}): ServiceChange =>
  aChange({
    words: "exclusion end",
    operation: "DeleteActionExclusion",
    subjectId: "ae-1",
    before: anExclusion(),
    input: { exclusion: "ae-1" },
    request: { id: "ae-1" },
    ...facts,
  });

/** By default a success that created the exclusion `ae-1`. */
export const aSettlement = (facts: Partial<Settlement> = {}): Settlement => ({
  state: "succeeded",
  answer: anExclusion(),
  subjectId: "ae-1",
  isSubjectGone: false,
  error: null,
  note: null,
  settledAt: noon + 1000,
  ...facts,
});

/** Nobody but people with ids of their own; those in user groups cannot be read. */
export const peopleFrom = (find: People["find"]): People => ({
  idsIn: async (id) => {
    if (id.startsWith("S")) throw new Error("Slack does not say it now.");
    return [id];
  },
  find,
});

const exampleSettings = someSettings();

/** The directory of a store and of groups, by default those of the example file. */
export function directoryOn<S extends Directory & Pick<GroupStore, "groups">>(
  store: S,
  groups = exampleSettings.resourceGroups,
): S & PlacedDirectory {
  const configGroups = () => groups;
  const { groups: savedGroups, exclusionsNaming } = store;
  const machines = () => [];
  const placesOf = createPlacesOf({ configGroups, savedGroups, exclusionsNaming, machines });
  return { ...store, placesOf, machines };
}

export const aContext = (facts: Partial<CommandContext> = {}): CommandContext => ({
  actor: anActor(),
  channelId: "C0OPS",
  now: noon,
  directory: createMemoryDirectory(),
  settings: exampleSettings,
  ...facts,
});
