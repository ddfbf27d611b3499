import type { DirectoryStore } from "../changes/ports.ts";
import type { ReadOperation } from "../commands/command.ts";
import type { Logger } from "../observability/log.ts";
import type { ServiceClient } from "../service/client.ts";
import type { OperationAnswer, OperationInput } from "../service/operations.ts";
import type { ServiceResult } from "../service/settle.ts";
import { within } from "../time/within.ts";
import { entitiesIn } from "./entities-in-answer.ts";

export type ReadService = <O extends ReadOperation>(
  operation: O,
  input: OperationInput<O>,
  /** The Slack user for whom it is read. */
  requesterId?: string,
) => Promise<ServiceResult<OperationAnswer<O>>>;

const longestRememberMs = 500;

/** The list of actions is fetched whole (it has no paging), so it is kept for a little while. */
const listMaxAgeMs = 10_000;

/** The same for one person, on whose account each read goes. */
export const readFor =
  (read: ReadService, requesterId: string): ReadService =>
  (operation, input) =>
    read(operation, input, requesterId);

/** Reads the service, remembers what its answers tell of things, and spares it a list that was fetched a moment ago. */
export function createReadService(
  service: ServiceClient,
  directory: Pick<DirectoryStore, "remember">,
  elapsedMs: () => number,
  log?: Pick<Logger, "warn">,
): ReadService {
  let list:
    | { readonly at: number; readonly result: Promise<ServiceResult<OperationAnswer<"ListActions">>> }
    | undefined;
  const read: ReadService = async (operation, input, requesterId) => {
    const result = await service.call(operation, input, { requesterId });
    if (result.kind === "succeeded") {
      const remembered = directory
        .remember(entitiesIn(operation, result.answer))
        .catch((error: unknown) => log?.warn({ err: error }, "what the service answered could not be remembered"));
      // What was read can be shown all the same when the database does not take it.
      await within(longestRememberMs, remembered);
    }
    return result;
  };
  const listActions = (requesterId: string | undefined) => {
    if (list && elapsedMs() - list.at < listMaxAgeMs) return list.result;
    const fetched = { at: elapsedMs(), result: read("ListActions", {}, requesterId) };
    list = fetched;
    const forget = () => {
      if (list === fetched) list = undefined;
    };
    fetched.result.then((result) => result.kind === "succeeded" || forget(), forget);
    return fetched.result;
  };
  return (operation, input, requesterId) =>
    operation === "ListActions"
      ? (listActions(requesterId) as ReturnType<typeof read<typeof operation>>)
      : read(operation, input, requesterId);
}
