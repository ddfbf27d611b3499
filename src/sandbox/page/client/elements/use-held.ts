import { useEffect, useState } from "preact/hooks";
import type { ActAnswer } from "../../wire.ts";

interface Held<T> {
  readonly value: T;
  readonly isUnderWay: boolean;
}

/** Long enough for the server to tell of what it has taken; what it holds then is what counts. */
const longestHeldMs = 1000;

/**
 * What an element holds: what was just chosen, until the server tells anew. What it tells meanwhile of an earlier choice does not undo
 * a later one that is still on its way to it.
 */
export function useHeld<T>(told: T): readonly [T, (value: T, act: () => Promise<ActAnswer>) => Promise<void>] {
  const look = JSON.stringify(told);
  const [held, setHeld] = useState<Held<T> | undefined>();
  useEffect(() => {
    setHeld((now) => (now?.isUnderWay && JSON.stringify(now.value) !== look ? now : undefined));
  }, [look]);
  const hold = async (value: T, act: () => Promise<ActAnswer>) => {
    const mine = { value, isUnderWay: true };
    const taken = { value, isUnderWay: false };
    setHeld(mine);
    const answer = await act();
    setHeld((now) => (now !== mine ? now : answer.ok ? taken : undefined));
    setTimeout(() => setHeld((now) => (now === taken ? undefined : now)), longestHeldMs);
  };
  return [held ? held.value : told, hold];
}
