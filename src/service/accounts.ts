import { within } from "../time/within.ts";
import { type Accounts, inAccount, mainAccount, splitId } from "./account-ids.ts";
import type { ServiceResult } from "./call-outcome.ts";
import type { SendOptions, ServiceClient } from "./client.ts";
import { type OperationName, operations } from "./operations.ts";
import { resourceKinds } from "./resources.ts";
import { createServiceError } from "./service-error.ts";

/** The fields that hold ids, in requests and answers. */
const idFields: ReadonlySet<string> = new Set([
  ...Object.values(resourceKinds).map(({ idField }) => idField),
  ...["id", "credentialIds", "resourceIds"],
]);

/** A request or an answer in which every id is replaced. */
function withIds(value: unknown, replace: (id: string) => string, field = ""): unknown {
  if (typeof value === "string") return idFields.has(field) ? replace(value) : value;
  if (Array.isArray(value)) return value.map((each) => withIds(each, replace, field));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withIds(part, replace, name)]));
}

/** A request as one account takes it, and the accounts that it names. */
function withoutAccounts(input: object, isKnown: (account: string) => boolean) {
  const named = new Set<string>();
  const bare = withIds(input, (id) => {
    const [account, rest] = splitId(id);
    // People's own names may have a slash.
    named.add(isKnown(account) ? account : mainAccount);
    return isKnown(account) ? rest : id;
  });
  return { bare, named: [...named] };
}

/** The accounts that a request names; only one can be asked. */
export const accountsNamed = (request: object, accounts: Accounts): readonly string[] =>
  withoutAccounts(request, (account) => account === mainAccount || Object.hasOwn(accounts, account)).named;

/** How long a list waits for one account, in ms: where its last list is known, and where not. */
const listWaits = { known: 1000, unknown: 3000 };

/**
 * A client for all accounts by their names, the main one among them. A list is of all of them: for an account that does not answer
 * soon, its last known list, and the result names it as `missing`. A request that names several accounts is refused, and nothing is sent.
 */
export function createAccountsClient(clients: ReadonlyMap<string, ServiceClient>, waits = listWaits): ServiceClient {
  const lastLists = new Map<string, readonly unknown[]>();
  const send = async (
    operation: OperationName,
    input: object,
    options?: SendOptions,
  ): Promise<ServiceResult<unknown>> => {
    if ("isList" in operations[operation]) return listAll(operation, options);
    const { bare, named } = withoutAccounts(input, (account) => clients.has(account));
    const [account = mainAccount, ...others] = named;
    const client = clients.get(account);
    if (others.length > 0 || !client) return refused(operation);
    const result = await client.send(operation, bare as object, options);
    return result.kind === "succeeded" ? { ...result, answer: ofAccount(account, result.answer) } : result;
  };
  const list = async (account: string, client: ServiceClient, operation: OperationName, options?: SendOptions) => {
    const result = await client.send(operation, {}, options);
    const answer = result.kind === "succeeded" ? ofAccount(account, result.answer ?? []) : undefined;
    if (Array.isArray(answer)) lastLists.set(account, answer);
    return result;
  };
  const listAll = async (operation: OperationName, options?: SendOptions): Promise<ServiceResult<unknown>> => {
    const names = [...clients.keys()];
    const underWay = [...clients].map(([account, client]) => list(account, client, operation, options));
    const answered = await Promise.all(
      underWay.map((result, index) => within(lastLists.has(names[index] ?? "") ? waits.known : waits.unknown, result)),
    );
    const missing = names.filter((_name, index) => answered[index]?.kind !== "succeeded");
    // With nothing at all, the first answer says why.
    const first = missing.length === names.length ? await Promise.race(underWay) : undefined;
    if (first && first.kind !== "succeeded") return first;
    const answer = names.flatMap((account) => lastLists.get(account) ?? []);
    return { kind: "succeeded", answer, ...(missing.length > 0 ? { missing } : {}) };
  };
  return {
    call: send as ServiceClient["call"],
    send,
    close: async () => {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}

/** An answer of an account, with the account in its ids. */
export const ofAccount = <T>(account: string, answer: T): T =>
  account === mainAccount ? answer : (withIds(answer, (id) => inAccount(account, id)) as T);

function refused(operation: OperationName): ServiceResult<never> {
  const message = "The request names things of several accounts of the service.";
  const { method, path } = operations[operation];
  const error = createServiceError({ operation, method, path }, { code: "InvalidRequest", message }, (text) => text);
  return { kind: "failed", error };
}
