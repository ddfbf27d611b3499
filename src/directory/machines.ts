import type { Machine } from "../config/settings.ts";
import { splitId } from "../service/account-ids.ts";
import { resourceKeys } from "../service/resources.ts";

export type { Machine };

type Machines = readonly Machine[];
const indexes = new WeakMap<Machines, ReadonlyMap<string, Machines>>();

/** Those with exactly this id or name, ignoring case, in any account; an ARN is also found by the name at its end. */
export function machinesNamed(machines: Machines, word: string): Machines {
  if (machines.length === 0) return machines;
  const index = indexes.get(machines) ?? indexOf(machines);
  indexes.set(machines, index);
  return [...new Set(resourceKeys(word).flatMap((key) => index.get(key) ?? []))];
}

const keysOf = ({ id, name }: Machine): ReadonlySet<string> =>
  new Set([...resourceKeys(id), ...resourceKeys(splitId(id)[1]), ...(name ? [name.toLowerCase()] : [])]);

function indexOf(machines: Machines): ReadonlyMap<string, Machines> {
  const index = new Map<string, Machines>();
  for (const machine of machines)
    for (const key of keysOf(machine)) index.set(key, [...(index.get(key) ?? []), machine]);
  return index;
}
