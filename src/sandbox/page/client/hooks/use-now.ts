import { useEffect, useState } from "preact/hooks";

const tickMs = 1000;

/** The sandbox's time, updated every second. */
export function useNow(aheadMs: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now + aheadMs;
}
