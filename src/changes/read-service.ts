import type { ReadOperation } from "../commands/command.ts";
import type { ServiceClient } from "../service/client.ts";
import type { OperationAnswer, OperationInput } from "../service/operations.ts";
import type { ServiceResult } from "../service/service-result.ts";
import { learnFrom } from "./learn.ts";
import type { KnownStore } from "./ports.ts";

export type ReadService = <O extends ReadOperation>(
  operation: O,
  input: OperationInput<O>,
) => Promise<ServiceResult<OperationAnswer<O>>>;

/** The list of actions is fetched whole (it has no paging), so it is kept for a little while. */
const listMaxAgeMs = 10_000;

/** Reads the service, remembers what its answers tell of things, and spares it a list that was fetched a moment ago. */
export function createReadService(
  service: ServiceClient,
  known: Pick<KnownStore, "remember">,
  now: () => number,
): ReadService {
  let list:
    | { readonly at: number; readonly result: Promise<ServiceResult<OperationAnswer<"ListActions">>> }
    | undefined;
  const read: ReadService = async (operation, input) => {
    const result = await service.call(operation, input);
    if (result.kind === "succeeded") await known.remember(learnFrom(operation, result.answer));
    return result;
  };
  const listActions = () => {
    if (list && now() - list.at < listMaxAgeMs) return list.result;
    const fetched = { at: now(), result: read("ListActions", {}) };
    list = fetched;
    const forget = () => {
      if (list === fetched) list = undefined;
    };
    fetched.result.then((result) => result.kind === "succeeded" || forget(), forget);
    return fetched.result;
  };
  return (operation, input) =>
    operation === "ListActions" ? (listActions() as ReturnType<typeof read<typeof operation>>) : read(operation, input);
}
