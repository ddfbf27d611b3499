import type { Machine } from "../config/settings.ts";
import { splitId } from "../service/account-ids.ts";
import { resourceKeys } from "../service/resources.ts";
import { oncePer } from "../time/once-per.ts";

export type { Machine };

type Machines = readonly Machine[];

/** Those with exactly this id or name, ignoring case, in any account; an ARN is also found by the name at its end. */
export function machinesNamed(machines: Machines, word: string): Machines {
  if (machines.length === 0) return machines;
  return [...new Set(resourceKeys(word).flatMap((key) => indexOf(machines).get(key) ?? []))];
}

const keysOf = ({ id, name }: Machine): ReadonlySet<string> =>
  new Set([...resourceKeys(id), ...resourceKeys(splitId(id)[1]), ...(name ? [name.toLowerCase()] : [])]);

const indexOf = oncePer((machines: Machines) => {
  const index = new Map<string, Machines>();
  for (const machine of machines)
    for (const key of keysOf(machine)) index.set(key, [...(index.get(key) ?? []), machine]);
  return index;
});
