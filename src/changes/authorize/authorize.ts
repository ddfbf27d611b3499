import { isProblem } from "../../commands/answer.ts";
import type { FillContext } from "../../commands/command.ts";
import { whatIsRequired } from "../../commands/required-fields.ts";
import { readFor } from "../../directory/read-service.ts";
import { actsOf, type EarlierChange } from "../../permissions/account-care.ts";
import { isGroupId } from "../../permissions/actor.ts";
import { adminRoles } from "../../permissions/policy.ts";
import { formerAddresses } from "../account-owner.ts";
import { whyTooFew } from "../approvals/who-may-approve.ts";
import { type Change, isServiceChange } from "../change.ts";
import type { ExclusionRecords } from "../hours/kept-running.ts";
import { holdsOf } from "../hours/time-held.ts";
import { resolveSecrets } from "../perform/perform.ts";
import type { Asked, ChangePorts, ChangeStore } from "../ports.ts";
import { authorizeSeries } from "../steps/authorize-steps.ts";
import { requestInParts } from "../steps/parts.ts";
import { type Authorization, type Deciding, type Denied, decideChange, rightsOf } from "./decide-change.ts";
import { newChange } from "./new-change.ts";

type AuthorizePorts = Pick<ChangePorts, "read" | "secretFiles" | "settings"> & {
  readonly store: Pick<ChangeStore, "recentAbout" | "list"> & ExclusionRecords;
};

/**
 * Decides whether a change is permitted and possible. Builds the service's request, and checks that it says what the config requires
 * and that its key files are readable.
 */
export async function authorize(
  ports: AuthorizePorts,
  ask: Asked,
  known: Pick<Deciding, "holds" | "heldMs" | "before"> = {},
): Promise<Authorization> {
  const { command, input, context, isAsking, undoes, said } = ask;
  const { read, secretFiles, settings, store } = ports;
  const prepared = (await command.prepare?.(input, { ...context, read: readFor(read, context.actor.userId) })) ?? input;
  const { policy } = settings();
  const since = context.now - (policy.identity?.coolOffMs ?? 0);
  const past = {
    earlierOf: async (userId: string) => (await store.recentAbout("user", userId, since)).map(asEarlier),
    addressesOf: (userId: string) => formerAddresses(userId, context.now, store),
  };
  // Others are asked to allow one thing, perhaps several times, and not different ones.
  const isOfDifferent = command.series !== undefined && !command.series.isTimed;
  const options = { isAsking: isAsking && !isOfDifferent, past, records: store, ...known };
  const authorized = await decideChange(policy, command, prepared, context, options);
  if (authorized.kind === "refused" && isOfDifferent) return withoutAsking(authorized.decision);
  if (authorized.kind !== "authorized") return authorized;
  const undo = undoes === undefined ? undefined : { change: undoes, ...said };
  const lacking = whatIsRequired(command, input, settings(), undo);
  if (lacking) return { kind: "invalid", problem: lacking };
  if (command.series) return authorizeSeries(ask, authorized, settings(), (step) => authorize(ports, step, known));
  const resolved = await resolveSecrets(authorized.request, secretFiles);
  if (isProblem(resolved)) return { kind: "invalid", problem: resolved };
  return { ...authorized, request: requestInParts(command, authorized) };
}

const withoutAsking = (decision: Denied): Authorization => ({
  kind: "refused",
  decision: { ...decision, mayAsk: undefined },
});

/** The same for a new request. Refuses it when it needs an approval that nobody could give. */
export async function authorizeNew(
  ports: AuthorizePorts &
    Pick<ChangePorts, "people" | "actorOf" | "withEmail" | "directory" | "log" | "now"> & {
      readonly store: Pick<ChangeStore, "openOf">;
    },
  ask: Asked,
): Promise<Authorization> {
  const { actor, now, settings } = ask.context;
  const since = now - 2 * settings.exclusions.maxLengthMs;
  const holds = holdsOf(ports.store, actor.userId, { since, except: ask.command.replaces?.(ask.input) });
  const authorized = await authorize(ports, ask, { holds });
  if (authorized.kind === "refused" && authorized.decision.mayAsk && !ask.isAsking) {
    const asking = await authorizeNew(ports, { ...ask, isAsking: true });
    return asking.kind === "refused" ? withoutAsking(authorized.decision) : authorized;
  }
  if (authorized.kind !== "authorized") return authorized;
  const already = await ask.command.already?.(authorized.input, {
    ...withRights(ports, ask),
    needsApproval: authorized.approval !== undefined,
  });
  if (already) return { kind: "invalid", problem: already };
  const { approval } = authorized;
  if (!approval) return authorized;
  const draft = newChange(ask, authorized, ports.settings(), { id: "", idempotencyKey: "", requestedAt: ports.now() });
  const tooFew = await whyTooFew(ports, draft, approval, ask.context.actor);
  return tooFew ? { kind: "refused", decision: tooFew } : authorized;
}

function withRights(
  { read, settings, actorOf }: Pick<ChangePorts, "read" | "settings" | "actorOf">,
  { context }: Pick<Asked, "context">,
): FillContext {
  const { actor, channelId } = context;
  const onlyAdmin = async () => {
    const [id, ...others] = new Set(adminRoles(settings().policy).flatMap(({ members }) => [...members]));
    if (id === undefined || others.length > 0 || isGroupId(id)) return undefined;
    return (await actorOf(id).catch(() => undefined))?.email;
  };
  return { ...context, read: readFor(read, actor.userId), may: rightsOf(settings(), actor, channelId), onlyAdmin };
}

/** What the rules that protect accounts look at in an earlier change. */
function asEarlier(change: Change): EarlierChange {
  const { actor, decisions, requestedAt, settledAt } = change;
  return {
    acts: isServiceChange(change) ? actsOf(change.operation, change.request) : [],
    at: settledAt ?? requestedAt,
    requester: { userId: actor.userId, name: actor.name },
    approvers: decisions
      .filter(({ verdict }) => verdict === "approved")
      .map(({ approverId, approverName }) => ({ userId: approverId, name: approverName })),
  };
}
