import { isProblem } from "../../commands/answer.ts";
import type { FillContext } from "../../commands/command.ts";
import { readFor } from "../../directory/read-service.ts";
import { canBeApproved } from "../../permissions/approval-rules.ts";
import type { ApprovalRule } from "../../permissions/policy.ts";
import { adminRoles } from "../../permissions/roles-held.ts";
import type { Asked, ChangePorts } from "../ports.ts";
import { type Authorization, type Denied, decideChange } from "./decide-change.ts";
import { resolveSecrets } from "./resolve-secrets.ts";
import { rightsOf } from "./rights-of.ts";

/**
 * Decides whether a change is permitted and possible. Builds the service's request and checks that its key files are
 * readable.
 */
export async function authorize(
  { read, secretFiles, settings }: Pick<ChangePorts, "read" | "secretFiles" | "settings">,
  { command, input, context, isAsking }: Asked,
): Promise<Authorization> {
  const prepared = (await command.prepare?.(input, { ...context, read: readFor(read, context.actor.userId) })) ?? input;
  const authorized = await decideChange(settings().policy, command, prepared, context, isAsking);
  if (authorized.kind !== "authorized") return authorized;
  const resolved = await resolveSecrets(authorized.request, secretFiles);
  return isProblem(resolved) ? { kind: "invalid", problem: resolved } : authorized;
}

/** The same for a new request. Refuses it when it needs an approval that nobody could give. */
export async function authorizeNew(
  ports: Pick<ChangePorts, "read" | "secretFiles" | "settings" | "actorOf">,
  ask: Asked,
): Promise<Authorization> {
  const authorized = await authorize(ports, ask);
  if (authorized.kind !== "authorized") return authorized;
  const already = await ask.command.already?.(authorized.input, {
    ...withRights(ports, ask),
    needsApproval: authorized.approval !== undefined,
  });
  if (already) return { kind: "invalid", problem: already };
  if (!authorized.approval) return authorized;
  const { approval } = authorized;
  return canBeApproved(ports.settings().policy, approval, ask.context.actor.userId)
    ? authorized
    : { kind: "refused", decision: nobodyElse(approval) };
}

function withRights(
  { read, settings, actorOf }: Pick<ChangePorts, "read" | "settings" | "actorOf">,
  { context }: Pick<Asked, "context">,
): FillContext {
  const { actor, channelId } = context;
  const onlyAdmin = async () => {
    const [id, ...others] = new Set(adminRoles(settings().policy).flatMap(({ members }) => [...members]));
    if (id === undefined || others.length > 0 || id.startsWith("S")) return undefined;
    return (await actorOf(id).catch(() => undefined))?.email;
  };
  return { ...context, read: readFor(read, actor.userId), may: rightsOf(settings(), actor, channelId), onlyAdmin };
}

function nobodyElse({ rule, approvers, count }: ApprovalRule): Denied {
  const few = count === 1 ? "nobody but who asks" : `too few people beside who asks: ${count} are needed`;
  const reason = `This needs the approval of ${approvers.join(" or ")}, which is held by ${few}. The people who run Curfew can name more approvers.`;
  return { kind: "denied", reason, rule, couldDo: [] };
}
