import { within } from "../time/within.ts";
import { type Accounts, inAccount, mainAccount, splitId } from "./account-ids.ts";
import type { Absence, ServiceResult } from "./call-outcome.ts";
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
    // People's own names may have a slash. An id with “main/” is none that any rule knows: nobody is asked for it.
    const isMain = account === mainAccount || !isKnown(account);
    named.add(isMain ? (id.startsWith(`${mainAccount}/`) ? `${mainAccount}/` : mainAccount) : account);
    return isMain ? id : rest;
  });
  return { bare, named: [...named] };
}

/** The accounts that a request names; only one can be asked. */
export const accountsNamed = (request: object, accounts: Accounts): readonly string[] =>
  withoutAccounts(request, (account) => account === mainAccount || Object.hasOwn(accounts, account)).named;

/** How long a list waits for one account that has answered before, in ms. */
const patienceMs = 1500;

interface AccountsOptions {
  /** What each account listed before this start. */
  readonly lists: ReadonlyMap<string, readonly object[]>;
  readonly waitMs?: number;
}

/**
 * A client for all accounts by their names, the main one among them. A list is of all of them: for an account that does not answer
 * soon, its last known list, and the result names it as `missing`. `whole` waits for each. A request that names several accounts is
 * refused, and nothing is sent.
 */
export function createAccountsClient(
  clients: ReadonlyMap<string, ServiceClient>,
  { lists: before, waitMs = patienceMs }: AccountsOptions,
): ServiceClient & { readonly whole: ServiceClient } {
  const names = [...clients.keys()];
  const lists = new Map(before);
  const underWay = new Map<string, Promise<ServiceResult<unknown>>>();
  let merged: { readonly parts: readonly unknown[]; readonly all: readonly object[] } = { parts: [], all: [] };
  /** One call at a time, so that no older list takes the place of a newer one. */
  const list = (account: string, client: ServiceClient, operation: OperationName, options?: SendOptions) => {
    const asked = async () => {
      const result = await client.send(operation, {}, options);
      if (result.kind === "succeeded") lists.set(account, listOf(account, result.answer));
      underWay.delete(account);
      return result;
    };
    const result = underWay.get(account) ?? asked();
    underWay.set(account, result);
    return result;
  };
  const listAll = async (operation: OperationName, isWhole: boolean, options?: SendOptions) => {
    const asked = [...clients].map(([account, client]) => ({
      account,
      result: list(account, client, operation, options),
    }));
    const answered = await Promise.all(
      asked.map(({ account, result }) => (isWhole || !lists.has(account) ? result : within(waitMs, result))),
    );
    const missing = new Map<string, Absence>();
    for (const [index, result] of answered.entries()) {
      const account = names[index] ?? mainAccount;
      const code = result?.kind === "succeeded" ? undefined : result?.error.code;
      if (result?.kind !== "succeeded") missing.set(account, { code, isUnknown: !lists.has(account) });
    }
    const [first] = answered;
    if (lists.size === 0 && first && first.kind !== "succeeded") return first;
    const parts = names.map((account) => lists.get(account));
    // The same list as long as nothing is new: what is made of it is kept by it.
    if (parts.some((part, index) => part !== merged.parts[index]))
      merged = { parts, all: parts.flatMap((part) => part ?? []) };
    return { kind: "succeeded", answer: merged.all, ...(missing.size > 0 ? { missing } : {}) } as const;
  };
  const clientOf = (isWhole: boolean): ServiceClient => {
    const send = async (operation: OperationName, input: object, options?: SendOptions) => {
      if ("isList" in operations[operation]) return listAll(operation, isWhole, options);
      const { bare, named } = withoutAccounts(input, (account) => clients.has(account));
      const [account = mainAccount, ...others] = named;
      const client = clients.get(account);
      if (others.length > 0 || !client) return refused(operation);
      const result = await client.send(operation, bare as object, options);
      return result.kind === "succeeded" ? { ...result, answer: ofAccount(account, result.answer) } : result;
    };
    const close = async () => void (await Promise.all([...clients.values()].map((client) => client.close())));
    return { call: send as ServiceClient["call"], send, close };
  };
  return { ...clientOf(false), whole: clientOf(true) };
}

const listed = new WeakMap<object, readonly object[]>();

/** A list of an account, with the account in the ids of its entries; the same for the same answer. */
function listOf(account: string, answer: unknown): readonly object[] {
  if (!Array.isArray(answer)) return [];
  if (account === mainAccount) return answer;
  const known = listed.get(answer) ?? answer.map((entry: object) => ({ ...entry, ...idsIn(entry, account) }));
  listed.set(answer, known);
  return known;
}

/** Only the entry's own ids, since there may be thousands of entries. */
const idsIn = (entry: object, account: string): object =>
  Object.fromEntries(
    Object.entries(entry).flatMap(([name, id]) =>
      typeof id === "string" && idFields.has(name) ? [[name, inAccount(account, id)]] : [],
    ),
  );

/** An answer of an account, with the account in its ids. */
export const ofAccount = <T>(account: string, answer: T): T =>
  account === mainAccount ? answer : (withIds(answer, (id) => inAccount(account, id)) as T);

function refused(operation: OperationName): ServiceResult<never> {
  const message = "The request names things of several accounts of the service.";
  const { method, path } = operations[operation];
  const error = createServiceError({ operation, method, path }, { code: "InvalidRequest", message }, (text) => text);
  return { kind: "failed", error };
}
