import { join } from "node:path";
import type { Contender } from "./contenders.ts";
import { type Figures, type Place, runRound } from "./round.ts";
import { comparison } from "./table.ts";

export interface Pair {
  readonly script: Contender;
  readonly curfew: Contender;
}

export interface ComparisonOptions {
  readonly rounds: number;
  /** The only contender to run. */
  readonly only?: string | undefined;
  readonly say: (text: string) => unknown;
}

/** Compares Curfew with the afternoon script in alternating rounds. Prints a table per round, and one of the medians at the end. */
export async function runComparison(pair: Pair, place: Place, { rounds, only, say }: ComparisonOptions): Promise<void> {
  const results: Record<keyof Pair, Figures[]> = { script: [], curfew: [] };
  for (let round = 1; round <= rounds; round++) {
    const here = { ...place, folder: join(place.folder, String(round)) };
    if (only !== "curfew") results.script.push(await runRound(pair.script, here));
    if (only !== "script") results.curfew.push(await runRound(pair.curfew, here));
    say(`round ${round} of ${rounds}\n${comparison(results.script.slice(-1), results.curfew.slice(-1))}\n`);
  }
  say(`medians of ${rounds} rounds\n${comparison(results.script, results.curfew)}`);
}
