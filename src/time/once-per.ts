/** Reads once for each object, and remembers the answer for as long as the object lives. */
export function oncePer<K extends object, V>(read: (object: K) => V): (object: K) => V {
  const known = new WeakMap<K, readonly [V]>();
  return (object) => {
    const found = known.get(object) ?? ([read(object)] as const);
    known.set(object, found);
    return found[0];
  };
}
