import { z } from "zod";
import type { Logger } from "../observability/log.ts";
import type { ServiceResult } from "../service/call-outcome.ts";
import type { ServiceClient } from "../service/client.ts";
import {
  browseOperation,
  type Operation,
  type OperationAnswer,
  type OperationInput,
  type OperationName,
  operations,
  type ReadOperation,
} from "../service/operations.ts";
import { giveWay } from "../time/slices.ts";
import { within } from "../time/within.ts";
import { type DirectoryStore, type EntityKind, entityKind, type NewEntity } from "./directory.ts";

export type ReadService = <O extends ReadOperation>(
  operation: O,
  input: OperationInput<O>,
  /** The Slack user whom the read is for. */
  requesterId?: string,
) => Promise<ServiceResult<OperationAnswer<O>>>;

const maxRememberMs = 500;

/** The list of actions has no paging, so it is cached for a short time. */
const listMaxAgeMs = 10_000;

/** The config may have stopped to name what was noted. */
const notedAgainMs = 3_600_000;

/** Binds reads to one requester. */
export const readFor =
  (read: ReadService, requesterId: string): ReadService =>
  (operation, input) =>
    read(operation, input, requesterId);

/** Reads the service, remembers the entities in its answers, and caches the list of actions. */
export function createReadService(
  service: ServiceClient,
  directory: Pick<DirectoryStore, "remember">,
  elapsedMs: () => number,
  log?: Pick<Logger, "warn">,
  /** Called with each list of actions that the service answers. */
  onListed?: (actions: OperationAnswer<typeof browseOperation>) => void,
): ReadService {
  let cached:
    | { readonly at: number; readonly result: Promise<ServiceResult<OperationAnswer<typeof browseOperation>>> }
    | undefined;
  let noted: { readonly at: number; readonly ids: ReadonlySet<string> } | undefined;
  /** Of what is only remembered if it is not known yet, a list says the same every time. */
  const rememberNew = async (entities: readonly NewEntity[]): Promise<void> => {
    if (noted && elapsedMs() - noted.at >= notedAgainMs) noted = undefined;
    const known = noted?.ids ?? new Set<string>();
    const others = entities.filter(({ weak, kind, id }) => !weak || !known.has(`${kind} ${id}`));
    if (others.length === 0) return;
    await directory.remember(others);
    const weak = entities.filter((each) => each.weak).map(({ kind, id }) => `${kind} ${id}`);
    if (weak.length > 0) noted = { at: noted?.at ?? elapsedMs(), ids: new Set([...known, ...weak]) };
  };
  const read: ReadService = async (operation, input, requesterId) => {
    // A list may ask for many at the same moment.
    await giveWay();
    const result = await service.call(operation, input, { requesterId });
    if (result.kind === "succeeded") {
      const remembered = rememberNew(entitiesIn(operation, result.answer)).catch((error: unknown) =>
        log?.warn({ err: error }, "could not store the entities of an answer in the directory; check the database"),
      );
      // A slow or failing database must not hold back the answer.
      await within(maxRememberMs, remembered);
    }
    return result;
  };
  const listActions = (requesterId: string | undefined) => {
    if (cached && elapsedMs() - cached.at < listMaxAgeMs) return cached.result;
    const fetched = { at: elapsedMs(), result: read(browseOperation, {}, requesterId) };
    cached = fetched;
    const forget = () => {
      if (cached === fetched) cached = undefined;
    };
    fetched.result.then(
      (result) => (result.kind === "succeeded" ? result.answer && onListed?.(result.answer) : forget()),
      forget,
    );
    return fetched.result;
  };
  return (operation, input, requesterId) =>
    operation === browseOperation
      ? (listActions(requesterId) as ReturnType<typeof read<typeof operation>>)
      : read(operation, input, requesterId);
}

/** The entities in an answer of the service. `ownerId`: the creator, for a creation through Curfew. */
export function entitiesIn(operation: OperationName, answer: unknown, ownerId?: string): readonly NewEntity[] {
  const { answers: kind }: Operation = operations[operation];
  // Actions are not remembered, since the service lists them all; only their projects are.
  if (kind === "action") return projectsOf(answer);
  const entity = kind && entities(kind, answer);
  return entity ? [{ ...entity, ...(ownerId ? { ownerId } : {}) }] : [];
}

/** The entity of a body; undefined if the body has no id. */
export function entities<K extends EntityKind>(kind: K, body: unknown): NewEntity | undefined {
  const read = entityKind(kind).schema.safeParse(withoutKeys(body));
  if (!read.success) return undefined;
  const id: unknown = new Map<string, unknown>(Object.entries(read.data)).get(entityKind(kind).idField);
  return typeof id === "string" ? { kind, id, body: read.data } : undefined;
}

/** Reads only this field, since there may be many actions. */
const inProjects = z.object({ projectId: z.string().nullish() }).array();

/** The projects of listed actions, by id alone. */
function projectsOf(answer: unknown): readonly NewEntity[] {
  const actions = inProjects.safeParse(Array.isArray(answer) ? answer : [answer]);
  const ids = new Set((actions.data ?? []).flatMap(({ projectId }) => (projectId ? [projectId] : [])));
  return [...ids].map((projectId) => ({ kind: "project", id: projectId, body: { projectId }, weak: true }));
}

const keyFields: ReadonlySet<string> = new Set(["amazoniamaccesskey", "googleserviceaccountkey"]);

/** An answer without the objects that carry keys, at any depth: they are neither kept nor shown (API.md, "Left open"). */
export function withoutKeys(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutKeys);
  if (typeof answer !== "object" || answer === null) return answer;
  const kept = Object.entries(answer).filter(([name]) => !keyFields.has(name.toLowerCase()));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutKeys(value)]));
}
