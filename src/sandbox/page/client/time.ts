import { useEffect, useState } from "preact/hooks";

/** Times in the viewer's zone. */
export function timeOfDay(at: number, zone: string): string {
  return format(at, zone, { hour: "2-digit", minute: "2-digit" });
}

export function dayAndTime(at: number, zone: string): string {
  return format(at, zone, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

export function dayOf(at: number, zone: string): string {
  return format(at, zone, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
}

function format(at: number, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone }).format(at);
}

/** The sandbox's time, updated every second. */
export function useNow(aheadMs: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now + aheadMs;
}
