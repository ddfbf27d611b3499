import { distance } from "fastest-levenshtein";
import { type Accounts, accountSaid, inAccount } from "../service/account-ids.ts";
import { couldBeId, resourceKeys } from "../service/resources.ts";
import type { Directory, Entity, EntityKind, ResourceGroup } from "./directory.ts";
import { resourcesInWord } from "./resources.ts";

/** What a typed text names. `several`: more than one fits, so none is chosen. */
type NameReading<K extends EntityKind = EntityKind> =
  | { readonly kind: "found"; readonly entity: Entity<K> }
  | { readonly kind: "several"; readonly entities: readonly Entity<K>[] }
  | {
      readonly kind: "none";
      /** The most similar first. */
      readonly nearest: readonly Entity<K>[];
      /** Whether the text could be an id that the directory has not seen. */
      readonly couldBeId: boolean;
    };

/** The entities that a text names in another way than by name: all that fit, and those that nearly do. */
interface NamedOtherwise<K extends EntityKind = EntityKind> {
  readonly fits: readonly Entity<K>[];
  readonly near: readonly Entity<K>[];
}

type Selection<K extends EntityKind> = (entities: readonly Entity<K>[]) => Promise<readonly Entity<K>[]>;

export interface NamingRules<K extends EntityKind> {
  /** Keeps those whose names the requester may see. An entity that the text names exactly is found without it. */
  readonly nameable?: Selection<K>;
  /** Narrows several that fit to those that the requester can use. */
  readonly usable?: Selection<K>;
  /** Further accounts of the service, whose names may stand before an id. */
  readonly accounts?: Accounts;
  /** Tried after exact names. */
  readonly otherwise?: (text: string) => Promise<NamedOtherwise<K>>;
}

/** How many entities are compared; with more matches a prefix counts as ambiguous. */
const maxCompared = 300;
const maxNearest = 4;

/**
 * Finds the entity by exact id, exact name or e-mail address, then by a prefix of its name or of a word in it. Never chooses between
 * several.
 */
export async function resolveName<K extends EntityKind>(
  kind: K,
  typed: string,
  directory: Pick<Directory, "get" | "match" | "search">,
  { nameable = all, usable = all, otherwise, accounts }: NamingRules<K> = {},
): Promise<NameReading<K>> {
  const text = typed.trim();
  const oneOf = async (entities: readonly Entity<K>[]): Promise<NameReading<K> | undefined> => {
    const kept = entities.length > 1 ? await usable(await nameable(entities)) : entities;
    const [entity, ...others] = kept;
    if (entity === undefined) return undefined;
    return others.length === 0 ? { kind: "found", entity } : { kind: "several", entities: kept };
  };
  const exact = await oneOf(await directory.match(kind, text));
  if (exact) return exact;
  const ended = await directory.get(kind, text);
  if (ended) return { kind: "found", entity: ended };
  const other = await otherwise?.(text);
  const named = other && (await oneOf(other.fits));
  if (named) return named;
  const containing = await directory.search(kind, text, maxCompared);
  const seen = await nameable(containing);
  const started = seen.filter(({ name }) => isStart(text, name));
  // There may be more that start with it, but were not compared.
  if (started.length > 0 && containing.length === maxCompared) return { kind: "several", entities: started };
  const found = await oneOf(started);
  if (found) return found;
  const near = await nameable(other?.near ?? []);
  const alike = await nearest(kind, text, seen, directory, nameable);
  return {
    kind: "none",
    nearest: unique([...near, ...alike]).slice(0, maxNearest),
    couldBeId: couldBeId(text, accounts),
  };
}

const all = async <E>(entities: readonly E[]): Promise<readonly E[]> => entities;

/** Whether the name, or a word in it, starts with this text of two letters or more. */
function isStart(text: string, name: string | null): boolean {
  if (name === null || !/^[\p{L}\p{N}]{2}/u.test(text)) return false;
  const [start, whole] = [text.toLowerCase(), name.toLowerCase()];
  for (let at = whole.indexOf(start); at !== -1; at = whole.indexOf(start, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(whole[at - 1] ?? "")) return true;
  return false;
}

/** Those that contain the text, and those with a name that is nearly it. */
async function nearest<K extends EntityKind>(
  kind: K,
  text: string,
  containing: readonly Entity<K>[],
  directory: Pick<Directory, "search">,
  nameable: Selection<K>,
): Promise<readonly Entity<K>[]> {
  // The domain of an address tells nothing.
  const sought = (text.split("@")[0] || text).toLowerCase();
  if (sought.length > maxComparedLength) return [];
  const middle = Math.ceil(sought.length / 2);
  // A text with one wrong letter has a right half.
  const parts = ["", sought.slice(0, middle), sought.slice(middle)];
  const others = await Promise.all(parts.map((part) => directory.search(kind, part, maxCompared)));
  const similar = (await nameable(unique(others.flat())))
    .map((entity) => ({ entity, differences: differences(sought, entity) }))
    .filter(({ differences }) => differences <= Math.ceil(sought.length / 3))
    .sort((one, other) => one.differences - other.differences);
  const holding = containing.filter((entity) => keysOf(entity).some((key) => key.includes(sought)));
  return [...similar.map(({ entity }) => entity), ...holding];
}

/** A longer text is like no name, and comparing it would be slow. */
const maxComparedLength = 100;

/** How many letters differ from the name, a word in it, or the e-mail address, whichever is nearest. At least half of the letters must agree. */
function differences(text: string, entity: Entity): number {
  const words = (entity.name ?? "").toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const [, ...names] = keysOf(entity);
  const keys = [...names, ...words].filter((key) => key.length <= maxComparedLength);
  const counts = keys.map((key) => ({ count: distance(text, key), shorter: Math.min(text.length, key.length) }));
  return Math.min(...counts.flatMap(({ count, shorter }) => (2 * count <= shorter ? [count] : [])));
}

/** The id, the name and the e-mail address without its domain, in lower case. */
function keysOf({ id, name, email }: Entity): readonly string[] {
  return [id, name ?? "", email?.split("@")[0] ?? ""].map((key) => key.toLowerCase());
}

function unique<K extends EntityKind>(entities: readonly Entity<K>[]): readonly Entity<K>[] {
  return [...new Map(entities.map((entity) => [entity.id, entity])).values()];
}

interface CoverSources {
  readonly accounts: Accounts;
  /** The imported machines of this name, by their ids. */
  readonly machines: readonly string[];
  readonly directory: Pick<Directory, "liveExclusions">;
  readonly groups: Readonly<Record<string, ResourceGroup>>;
  readonly now: number;
}

/** The live exclusions of a resource group, or of a resource by its id. Those of a part of the group are only near. */
export async function exclusionsCovering(
  text: string,
  { directory, groups, accounts, machines, now }: CoverSources,
): Promise<NamedOtherwise<"exclusion">> {
  const group = Object.entries(groups).find(([name]) => name.toLowerCase() === text.toLowerCase())?.[1];
  const inText = [...resourcesInWord(text, accounts).map(({ id }) => id), ...machines];
  const held = inText.length > 0 ? inText : [text];
  const elsewhere = accountSaid(text, accounts) ? [] : Object.keys(accounts);
  const sets = [
    ...(group ? [group.ids] : []),
    held,
    ...elsewhere.map((account) => held.map((id) => inAccount(account, id))),
  ];
  const covering = await Promise.all(
    sets.map(async (ids) => {
      const live = await directory.liveExclusions(now, ids.flatMap(resourceKeys));
      return live.map((exclusion) => ({ exclusion, isWhole: coversAll(exclusion, ids) }));
    }),
  );
  const [whole, part] = [true, false].map((isWhole) =>
    covering
      .flat()
      .filter((each) => each.isWhole === isWhole)
      .map(({ exclusion }) => exclusion),
  );
  return { fits: unique(whole ?? []), near: unique(part ?? []) };
}

function coversAll({ body }: Entity<"exclusion">, ids: readonly string[]): boolean {
  const keys = new Set((body.resourceIds ?? []).flatMap((id) => resourceKeys(id)));
  return ids.every((id) => resourceKeys(id).some((key) => keys.has(key)));
}
