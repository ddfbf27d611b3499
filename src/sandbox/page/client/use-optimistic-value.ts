import { useEffect, useState } from "preact/hooks";
import type { ActAnswer } from "../wire.ts";

interface Optimistic<T> {
  readonly value: T;
  readonly isPending: boolean;
}

/** Long enough for the server to send the accepted value, which then counts. */
const maxHoldMs = 1000;

/**
 * Shows a new choice immediately, until the server sends its own value. While the choice is on its way, a server value for an
 * earlier choice does not undo it.
 */
export function useOptimisticValue<T>(
  serverValue: T,
): readonly [T, (value: T, act: () => Promise<ActAnswer>) => Promise<void>] {
  const serialized = JSON.stringify(serverValue);
  const [optimistic, setOptimistic] = useState<Optimistic<T> | undefined>();
  useEffect(() => {
    setOptimistic((current) =>
      current?.isPending && JSON.stringify(current.value) !== serialized ? current : undefined,
    );
  }, [serialized]);
  const apply = async (value: T, act: () => Promise<ActAnswer>) => {
    const pending = { value, isPending: true };
    const accepted = { value, isPending: false };
    setOptimistic(pending);
    const answer = await act();
    setOptimistic((current) => (current !== pending ? current : answer.ok ? accepted : undefined));
    setTimeout(() => setOptimistic((current) => (current === accepted ? undefined : current)), maxHoldMs);
  };
  return [optimistic ? optimistic.value : serverValue, apply];
}
