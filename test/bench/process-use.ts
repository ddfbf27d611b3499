import { readFileSync } from "node:fs";

/** Linux's clock ticks per second. `getconf CLK_TCK` has been 100 everywhere for decades. */
const ticksPerSecond = 100;
const mebi = 1024 * 1024;

export interface Use {
  readonly processorSeconds: number;
  readonly residentMib: number;
}

/** A process's resource use so far, over all its threads. */
export function useOf(pid: number): Use {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name, in brackets, may contain spaces, so count the fields after its end.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system, pages] = [fields[11], fields[12], fields[21]].map(Number);
  return {
    processorSeconds: ((user ?? 0) + (system ?? 0)) / ticksPerSecond,
    residentMib: ((pages ?? 0) * 4096) / mebi,
  };
}

/** Samples a process until stopped. Then returns the median and maximum of its memory. */
export function watchMemory(pid: number): () => { readonly median: number; readonly most: number } {
  const seen: number[] = [];
  const look = () => void seen.push(useOf(pid).residentMib);
  look();
  const timer = setInterval(look, 50);
  return () => {
    clearInterval(timer);
    look();
    const sorted = seen.sort((one, other) => one - other);
    return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, most: sorted.at(-1) ?? 0 };
  };
}
