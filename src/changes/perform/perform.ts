import { isProblem } from "../../commands/answer.ts";
import { entities, withoutKeys } from "../../directory/entities-in-answer.ts";
import type { Logger } from "../../observability/log.ts";
import { logWithReference } from "../../observability/log-with-reference.ts";
import type { ServiceClient } from "../../service/client.ts";
import { createRedact } from "../../service/redact.ts";
import { type OwnErrorCode, summariseCause } from "../../service/service-error.ts";
import { resolveSecrets, type SecretFiles } from "../authorize/resolve-secrets.ts";
import { type Change, isCreation, type ServiceChange, type Settlement } from "../change.ts";

export interface PerformPorts {
  readonly service: ServiceClient;
  readonly secretFiles: SecretFiles;
  readonly now: () => number;
  readonly log: Pick<Logger, "error">;
}

/**
 * Alters the service: one call, whose outcome becomes the change's settlement. Never throws. For a change whose outcome is unknown,
 * the call is a repeat, and what it finds holds for both.
 */
export async function perform(ports: PerformPorts, change: ServiceChange): Promise<Settlement> {
  const result = await send(ports, change);
  const common = { subjectId: change.subjectId, isSubjectGone: false, error: null, note: null, settledAt: ports.now() };
  switch (result.kind) {
    case "succeeded": {
      const answer = withoutKeys(result.answer ?? null);
      const subjectId = subjectOf(change, answer);
      const isLost = subjectId === null && isCreation(change);
      const note = [result.note ?? [], isLost ? unknownId(change) : []].flat().join(" ") || null;
      return { ...common, state: "succeeded", answer, subjectId, note };
    }
    case "failed":
    case "unknown": {
      const { code, message, status } = result.error;
      const isSubjectGone = result.kind === "failed" && status === 404 && isAbout(change, code);
      const isRefused = status !== undefined && status !== 429;
      const isUnreached = result.kind === "failed" && !isRefused && isPassing(code);
      return { ...common, state: result.kind, answer: null, isSubjectGone, isUnreached, error: { code, message } };
    }
  }
}

/** Whether a failed call may succeed later: it was not sent, or the service limited its rate. */
export function isPassing(errorCode: string): boolean {
  return passing.includes(errorCode);
}

const passing: readonly string[] = [
  "Unreachable",
  "TimedOut",
  "Cancelled",
  "ServiceSlow",
  "TooManyRequests",
] satisfies readonly OwnErrorCode[];

/**
 * Whether a `…NotFound` is about the change's own subject (`ActionExclusionNotFound`), not about another entity that it
 * names.
 */
export function isAbout({ subjectKind }: Change, errorCode: string): boolean {
  return errorCode.toLowerCase().endsWith(`${subjectKind}notfound`);
}

/** Reads the secrets only now, so that the recorded change holds none. */
async function send({ service, secretFiles, log }: PerformPorts, change: ServiceChange) {
  const { operation, request, actor, state } = change;
  const resolved = await resolveSecrets(request, secretFiles);
  if (isProblem(resolved)) {
    return { kind: "failed", error: { code: "SecretFile", message: resolved.problem, status: undefined } } as const;
  }
  const { secrets } = resolved;
  return service
    .send(operation, resolved.request, { secrets, requesterId: actor.userId, isAfterUnknown: state === "unknown" })
    .catch((error: unknown) => unexpected(log, change, summariseCause(error, createRedact(secrets))));
}

/** The client does not throw. If it does anyway, it is not known what reached the service. */
function unexpected(log: PerformPorts["log"], { id: changeId }: ServiceChange, error: Error | undefined) {
  const reference = logWithReference(log, error, "a call of the service threw", { changeId });
  const message = `Something went wrong in Curfew during the call of the service (${reference}).`;
  return { kind: "unknown", error: { code: "Unexpected", message, status: undefined } } as const;
}

/** The id of a created entity is first known from the answer. */
function subjectOf(change: ServiceChange, answer: unknown): string | null {
  if (!isCreation(change)) return change.subjectId;
  return entities(change.subjectKind, answer)?.id ?? null;
}

/** The note for a creation whose answer has no id. */
export function unknownId({ subjectKind }: ServiceChange): string {
  const reminded = subjectKind === "exclusion" ? ", nobody is reminded of its end" : "";
  return `Curfew does not know the id of this ${subjectKind}: it is not listed here${reminded}, and it cannot be changed or undone from here. Look in the service.`;
}
