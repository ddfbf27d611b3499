import { isDeepStrictEqual } from "node:util";
import type { CommandContext } from "../../commands/command.ts";
import { exclusionCreate } from "../../commands/exclusion/exclusion.ts";
import { groupTarget } from "../../commands/exclusion/resource-context.ts";
import type { GroupChanged, SavedGroups } from "../../commands/query-ports.ts";
import type { KeptGroup, ResourceGroup } from "../../directory/directory.ts";
import type { Logger } from "../../observability/log.ts";
import { decide } from "../../permissions/decide.ts";
import type { Change } from "../change.ts";
import type { NewOutboxMessage } from "../outbox-message.ts";
import type { ChangeSettings, GroupStore } from "../ports.ts";

export interface SavedGroupPorts {
  readonly groups: GroupStore;
  readonly settings: () => ChangeSettings;
  readonly newId: () => string;
  readonly log: Pick<Logger, "info">;
}

/** The resource groups saved from Slack. Changes of them are recorded in the history and announced to the admins' channel. */
export function createSavedGroups(ports: SavedGroupPorts, context: CommandContext): SavedGroups {
  return {
    find: (name) => ports.groups.findGroup(name.toLowerCase()),
    isOfConfig: (name) =>
      Object.keys(ports.settings().resourceGroups).some((each) => each.toLowerCase() === name.toLowerCase()),
    save: (name, group) => change(ports, context, name.toLowerCase(), group),
    remove: (name) => change(ports, context, name.toLowerCase(), undefined),
  };
}

async function change(
  { groups, settings, newId, log }: SavedGroupPorts,
  context: CommandContext,
  name: string,
  group: ResourceGroup | undefined,
): Promise<GroupChanged> {
  const { admins } = settings();
  let changeId: string | undefined;
  const former = await groups.changeGroup(name, group, (before) => {
    if (isDeepStrictEqual(before, group)) return undefined;
    changeId = newId();
    const recorded = recordOf(changeId, { name, before, group }, settings(), context);
    const outbox: readonly NewOutboxMessage[] = admins
      ? [{ changeId, kind: "card", to: admins.channel, underChangeId: null }]
      : [];
    return { change: recorded, outbox, receiptId: context.receiptId };
  });
  if (changeId === undefined) return { former, changeId };
  log.info(
    { actorId: context.actor.userId, changeId, command: wordsFor(group), group: name, ...(group ?? former) },
    "a resource group was changed",
  );
  return { former, changeId };
}

const wordsFor = (group: ResourceGroup | undefined): string => (group ? "group save" : "group delete");

interface Replaced {
  readonly name: string;
  readonly before: KeptGroup | undefined;
  readonly group: ResourceGroup | undefined;
}

function recordOf(
  id: string,
  { name, before, group }: Replaced,
  { policy }: ChangeSettings,
  { actor, channelId, now, idempotencyKey = `group:${id}` }: CommandContext,
): Change {
  const { teamId, userId, name: actorName, timeZone } = actor;
  const body = (each: KeptGroup) => ({ group: name, ...each });
  const actions = group?.actions ? { actions: group.actions } : {};
  return {
    id,
    idempotencyKey,
    words: wordsFor(group),
    operation: group ? "SaveResourceGroup" : "DeleteResourceGroup",
    state: "succeeded",
    input: group ? { name, resourceIds: group.ids, type: group.type, project: group.project, ...actions } : { name },
    request: group ? body(group) : { group: name },
    before: before ? body(before) : null,
    answer: null,
    subjectKind: "group",
    subjectId: name,
    actor: { teamId, userId, name: actorName, timeZone },
    channelId,
    reason: null,
    undoes: null,
    ...rightOf({ policy }, [before, group], { actor, channelId }),
    approval: null,
    decisions: [],
    notices: [],
    error: null,
    note: null,
    verified: null,
    requestedAt: now,
    settledAt: now,
  };
}

/**
 * The rule that permits changing the group: it needs the right to exclude its resources, before and after. Throws if they
 * may not.
 */
function rightOf(
  { policy }: Pick<ChangeSettings, "policy">,
  named: readonly (KeptGroup | undefined)[],
  { actor, channelId }: Pick<CommandContext, "actor" | "channelId">,
): Pick<Change, "role" | "rule"> {
  const decisions = named
    .filter((group) => group !== undefined)
    .map((group) => {
      const facts = { ...groupTarget(group), hours: [] };
      return decide(policy, { actor, operation: exclusionCreate.operation, channelId, ...facts });
    });
  const last = decisions.at(-1);
  if (last?.kind !== "allowed" || decisions.some(({ kind }) => kind === "denied"))
    throw new Error(`${actor.userId} changed a resource group and may not`);
  return { role: last.role, rule: last.rule };
}
