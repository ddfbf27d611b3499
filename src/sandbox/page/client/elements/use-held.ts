import { useEffect, useState } from "preact/hooks";

/** What an element holds: what was just chosen, until the server tells anew. `look` is what was told, as text. */
export function useHeld<T>(told: T, look: string): readonly [T, (held: T | undefined) => void] {
  const [held, setHeld] = useState<T | undefined>();
  useEffect(() => setHeld(undefined), [look]);
  return [held ?? told, setHeld];
}
