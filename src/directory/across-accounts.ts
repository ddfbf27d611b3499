import { type Accounts, accountOf, accountSaid, inAccount, mainAccount, splitId } from "../service/account-ids.ts";
import type { Entity, PlacedDirectory } from "./directory.ts";
import type { ResourcePlace } from "./resources.ts";

/**
 * A directory in which people name things as they know them: an id without its account means the thing of any account, and a name after
 * an account's (“eu/bob”) only that of this account.
 */
export function acrossAccounts(directory: PlacedDirectory, accounts: Accounts): PlacedDirectory {
  const named = async <E extends Entity>(
    text: string,
    find: (text: string) => Promise<readonly E[]>,
  ): Promise<readonly E[]> => {
    const others = Object.keys(accounts);
    const said = accountSaid(text, accounts);
    if (said) {
      const [account, rest] = said;
      const found = [...(await find(inAccount(account, rest))), ...(await find(rest))];
      return unique(found.filter(({ id }) => accountOf(id) === account));
    }
    const each = await Promise.all([text, ...others.map((account) => inAccount(account, text))].map(find));
    return unique(each.flat());
  };
  return {
    ...directory,
    match: (kind, text) => named(text, (each) => directory.match(kind, each)),
    named: (text) => named(text, directory.named),
  };
}

const unique = <E extends Entity>(entities: readonly E[]): readonly E[] => [
  ...new Map(entities.map((entity) => [`${entity.kind} ${entity.id}`, entity])).values(),
];

/**
 * For each machine that was typed without an account, its ids in the accounts where one like it is known, by a group or an exclusion
 * that the requester may know of. Those known nowhere are left out.
 */
export async function machinesKnown(
  ids: readonly string[],
  { placesOf }: Pick<PlacedDirectory, "placesOf">,
  accounts: Accounts,
  mayKnow: (place: ResourcePlace) => boolean,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const all = [mainAccount, ...Object.keys(accounts)];
  const bare = all.length > 1 ? ids.filter((id) => accountOf(id) === mainAccount) : [];
  if (bare.length === 0) return new Map();
  const places = await placesOf(bare.flatMap((id) => all.map((account) => inAccount(account, id))));
  const known = new Set(places.filter((place) => place.source !== "form" && mayKnow(place)).map(({ id }) => id));
  const found = bare.map(
    (id) => [id, all.map((account) => inAccount(account, id)).filter((each) => known.has(each))] as const,
  );
  return new Map(found.filter(([, each]) => each.length > 0));
}

export const inSeveralAccounts = (said: string, ids: readonly string[]): string =>
  `“${said}” is in several accounts. Say which one: ${ids.map((id) => splitId(id).join("/")).join(" or ")}.`;
