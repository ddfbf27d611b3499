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
async function machinesKnown(
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

/** What was typed, with the ids that it means. */
type Typed = ReadonlyMap<string, readonly string[]>;

/**
 * The ids of what was typed with their accounts, or why that is open. A machine that was typed without one is where it is known; one that
 * is known nowhere is `at` home. Where people said the place, it decides between several.
 */
export async function inTheirAccounts(
  typed: Typed,
  directory: Pick<PlacedDirectory, "placesOf">,
  accounts: Accounts,
  mayKnow: (place: ResourcePlace) => boolean,
  { at = mainAccount, isSaid = false }: { readonly at?: string; readonly isSaid?: boolean } = {},
): Promise<Typed | { readonly problem: string }> {
  const open = [...typed].filter(([word]) => !accountSaid(word, accounts)).flatMap(([, ids]) => ids);
  const known = await machinesKnown(open, directory, accounts, mayKnow);
  const placed = new Map<string, readonly string[]>();
  for (const [word, ids] of typed) {
    const isOpen = !accountSaid(word, accounts);
    const each = ids.map((id) => {
      const all = isOpen && accountOf(id) === mainAccount ? (known.get(id) ?? [inAccount(at, id)]) : [id];
      const there = isSaid ? all.filter((one) => accountOf(one) === at) : [];
      return there.length > 0 ? there : all;
    });
    const several = each.find((some) => some.length > 1);
    if (several) return { problem: inSeveralAccounts(word, several) };
    placed.set(word, each.flat());
  }
  return placed;
}

const inSeveralAccounts = (said: string, ids: readonly string[]): string =>
  `“${said}” is in several accounts. Say which one: ${ids.map((id) => splitId(id).join("/")).join(" or ")}.`;
