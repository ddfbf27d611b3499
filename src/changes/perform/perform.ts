import { z } from "zod";
import { isProblem, type Problem } from "../../commands/answer.ts";
import { entities, withoutKeys } from "../../directory/read-service.ts";
import type { Logger } from "../../observability/log.ts";
import { logWithReference } from "../../observability/log.ts";
import type { ServiceClient } from "../../service/client.ts";
import { createRedact, type OwnErrorCode, summariseCause } from "../../service/service-error.ts";
import { type Change, isCreation, type ServiceChange, type Settlement } from "../change.ts";

interface PerformPorts {
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
export function unknownId({ subjectKind }: Pick<Change, "subjectKind">): string {
  const reminded = subjectKind === "exclusion" ? ", nobody is reminded" : "";
  return `Its id is not known: it is not listed${reminded}, and it can be changed only in the service.`;
}

/** The key files (CURFEW_SECRETS_DIR), in one folder for each credential. A reason never holds any of their content. */
export interface SecretFiles {
  /** The JSON in the file of this plain name in the credential's folder. */
  read(
    credentialId: string,
    name: string,
  ): Promise<
    { readonly kind: "read"; readonly content: unknown } | { readonly kind: "unreadable"; readonly reason: string }
  >;
}

/** A request as it is sent, and its secrets, which must not appear anywhere else. */
interface Resolved {
  readonly request: object;
  readonly secrets: readonly string[];
}

const text = z.string().min(1);

/**
 * The fields of each key object, and which of them are secret. Amazon's names follow API.md, "Observed", Google's follow
 * its own key file.
 */
const keys = {
  amazonIamAccessKey: {
    shape: z.object({ accessKeyId: text, secretAccessKey: text }),
    needs: "accessKeyId and secretAccessKey",
    secret: ["accessKeyId", "secretAccessKey"],
  },
  googleServiceAccountKey: {
    shape: z.looseObject({ client_email: text, private_key: text }),
    needs: "client_email and private_key, as in the file that Google gives",
    secret: ["private_key", "private_key_id"],
  },
} as const;

const placeholder = z.strictObject({ secretFile: z.string() });
const aboutCredential = z.object({ id: z.string() });

/** Replaces the names of key files in a request by their content. A recorded request only ever holds the names. Never throws. */
export async function resolveSecrets(request: object, files: SecretFiles): Promise<Resolved | Problem> {
  const resolved: Record<string, unknown> = { ...request };
  const secrets: string[] = [];
  for (const [field, { shape, needs, secret }] of Object.entries(keys)) {
    const named = placeholder.safeParse(resolved[field]);
    if (!named.success) continue;
    const name = named.data.secretFile;
    const file = await files.read(aboutCredential.safeParse(request).data?.id ?? "", name);
    if (file.kind === "unreadable") return problem(`The key file “${name}” cannot be used: ${file.reason}.`);
    const key = shape.safeParse(file.content);
    if (!key.success) return problem(`The key file “${name}” cannot be used: it needs ${needs}.`);
    resolved[field] = key.data;
    secrets.push(...secretsIn(key.data, secret));
  }
  return { request: resolved, secrets };
}

function secretsIn(key: object, names: readonly string[]): readonly string[] {
  const values = new Map<string, unknown>(Object.entries(key));
  return names.map((name) => values.get(name)).filter((value) => typeof value === "string");
}

function problem(why: string): Problem {
  return {
    field: "keyFile",
    problem: `${why} Nothing was changed. Ask the people who run Curfew: they look after the key files.`,
  };
}
