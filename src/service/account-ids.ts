/**
 * An id of an account other than the main one has the account's name before it, as in `eu/p-dev`. The service's own ids have no slash
 * (`couldBeId`), so every id says its account, and no two accounts share one.
 */

/** The account that the process's own variables name. Its ids have no prefix. */
export const mainAccount = "main";

/**
 * `projects/…` begins the names of Google's machines, a variable that ends in `_FILE` names a file, and “in the” says no account.
 */
export const accountName =
  /^(?!(?:projects|main|the|an|my|our|your|it|this|that|all)$)(?!(?:.*-)?file$)[a-z][a-z0-9-]{0,18}[a-z0-9]$/;

const qualified = /^((?!projects\/)[a-z][a-z0-9-]{0,18}[a-z0-9])\/(.+)$/s;

/** The account that an id names, and the id within it. */
export function splitId(id: string): readonly [account: string, bare: string] {
  const [, account, bare] = (id.includes("/") && qualified.exec(id)) || [];
  return account === undefined || bare === undefined ? [mainAccount, id] : [account, bare];
}

export const accountOf = (id: string): string => splitId(id)[0];

/** Why an id is of no account that is known. */
export function unknownAccount(id: string, accounts: Accounts): string | undefined {
  const account = accountOf(id);
  if (account === mainAccount || Object.hasOwn(accounts, account)) return undefined;
  return `${id} is in the account ${account}, which “accounts” does not have`;
}

export const inAccount = (account: string, id: string): string => (account === mainAccount ? id : `${account}/${id}`);

/** Ids without an account are of the account of a thing that they go with, such as their project. */
export const inAccountOf = (thing: string, ids: readonly string[]): readonly string[] =>
  ids.map((id) => (accountOf(id) === mainAccount ? inAccount(accountOf(thing), id) : id));

/** The names of further accounts of the service. */
export type Accounts = Readonly<Record<string, unknown>>;

/** The account in “in eu”, or after other words, and the words without it. Undefined where they name none. */
export function accountIn(
  text: string,
  accounts: Accounts,
): { readonly account: string; readonly rest: string } | undefined {
  if (Object.keys(accounts).length === 0) return undefined;
  const [, rest = "", account = ""] =
    /^(.*?)\s*\bin (?:the )?(?:account )?(\S+?)(?: account)?$/is.exec(text.trim()) ?? [];
  const name = account.toLowerCase();
  return name === mainAccount || Object.hasOwn(accounts, name) ? { account: name, rest } : undefined;
}

/** What is typed with the name of an account before it: "eu/bob". Undefined for anything else. */
export function accountSaid(text: string, accounts: Accounts): readonly [account: string, rest: string] | undefined {
  const at = text.indexOf("/");
  const account = text.slice(0, Math.max(at, 0)).toLowerCase();
  if (account !== mainAccount && !Object.hasOwn(accounts, account)) return undefined;
  return Object.keys(accounts).length > 0 ? [account, text.slice(at + 1)] : undefined;
}

/** The id that is known of what was typed with an account: “main/p-1” is `p-1`. */
export function canonicalId(text: string, accounts: Accounts): string {
  const said = accountSaid(text, accounts);
  return said ? inAccount(...said) : text;
}
