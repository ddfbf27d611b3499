import { isProblem } from "../commands/answer.ts";
import { type ApprovalRule, canBeApproved } from "../permissions/approval.ts";
import { type Authorisation, authorise, type Denied } from "./authorise.ts";
import type { Ask, ChangePorts } from "./changes.ts";
import { readFor } from "./read-service.ts";
import { resolveSecrets } from "./resolve-secrets.ts";

/** Whether it may and can be done: in the service's own terms, and with every key file it names at hand. */
export async function admit(
  { read, secretFiles, settings }: Pick<ChangePorts, "read" | "secretFiles" | "settings">,
  { command, input, context }: Pick<Ask, "command" | "input" | "context">,
): Promise<Authorisation> {
  const prepared = (await command.prepare?.(input, { ...context, read: readFor(read, context.actor.userId) })) ?? input;
  const authorised = await authorise(settings().policy, command, prepared, context);
  if (authorised.kind !== "authorised") return authorised;
  const resolved = await resolveSecrets(authorised.request, secretFiles);
  return isProblem(resolved) ? { kind: "invalid", problem: resolved } : authorised;
}

/** The same for one that is asked for now: it must not need an approval that nobody could give. */
export async function admitAsked(
  ports: Pick<ChangePorts, "read" | "secretFiles" | "settings">,
  ask: Pick<Ask, "command" | "input" | "context">,
): Promise<Authorisation> {
  const admitted = await admit(ports, ask);
  if (admitted.kind !== "authorised" || !admitted.approval) return admitted;
  const { approval } = admitted;
  return canBeApproved(ports.settings().policy, approval, ask.context.actor.userId)
    ? admitted
    : { kind: "refused", decision: nobodyElse(approval) };
}

/** To ask would be to wait for nothing. */
function nobodyElse({ rule, approvers, count }: ApprovalRule): Denied {
  const few = count === 1 ? "nobody but who asks" : `too few people beside who asks: ${count} are needed`;
  const reason = `This needs the approval of ${approvers.join(" or ")}, which is held by ${few}.`;
  return { kind: "denied", reason, rule, couldDo: [] };
}
