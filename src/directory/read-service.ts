import type { Logger } from "../observability/log.ts";
import type { ServiceResult } from "../service/call-outcome.ts";
import type { ServiceClient } from "../service/client.ts";
import {
  browseOperation,
  type OperationAnswer,
  type OperationInput,
  type ReadOperation,
} from "../service/operations.ts";
import { giveWay } from "../time/slices.ts";
import { within } from "../time/within.ts";
import type { DirectoryStore, NewEntity } from "./directory.ts";
import { entitiesIn } from "./entities-in-answer.ts";

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
