import { median } from "./percentile.ts";
import type { Figures } from "./round.ts";

/** Only for measured figures. */
export const verdict = (isReached: boolean): string => (isReached ? "reached" : "NOT reached");

interface Row {
  readonly label: string;
  readonly figure: keyof Figures;
  readonly digits: number;
  /** The target for the ratio to the script, as a minimum or maximum. */
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
  /** The maximum for the figure itself. */
  readonly limit?: number;
}

const rows: readonly Row[] = [
  { label: "acknowledged per second", figure: "acknowledgedPerSecond", digits: 0 },
  { label: "full jobs per second", figure: "jobsPerSecond", digits: 0, target: { atLeast: 0.7 } },
  { label: "acknowledgement p50, ms", figure: "ackP50Ms", digits: 1 },
  { label: "acknowledgement p99, ms", figure: "ackP99Ms", digits: 1 },
  { label: "to visible result p50, ms", figure: "resultP50Ms", digits: 1 },
  { label: "to visible result p99, ms", figure: "resultP99Ms", digits: 1 },
  { label: "memory under load, MiB", figure: "loadedMib", digits: 0, target: { atMost: 1.2 } },
  { label: "processor s per 1,000 jobs", figure: "processorSecondsPer1000", digits: 2, target: { atMost: 1.4 } },
  { label: "start to ready, ms", figure: "readyMs", digits: 0, limit: 500 },
  { label: "idle memory, MiB", figure: "idleMib", digits: 0, limit: 110 },
];

/** The medians of both, and the median of the rounds' ratios. */
export function comparison(script: readonly Figures[], curfew: readonly Figures[]): string {
  const lines = rows.map(({ label, figure, digits, target, limit }) => {
    const of = (figures: readonly Figures[]) => median(figures.map((each) => each[figure]));
    const ratio = median(curfew.map((each, index) => each[figure] / (script[index]?.[figure] ?? Number.NaN)));
    const goal = target === undefined ? "" : "atLeast" in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
    const isMet =
      target === undefined
        ? of(curfew) <= (limit ?? 0)
        : "atLeast" in target
          ? ratio >= target.atLeast
          : ratio <= target.atMost;
    const isMeasured = !Number.isNaN(target === undefined ? of(curfew) : ratio);
    return [
      label,
      shown(of(script), digits),
      shown(of(curfew), digits),
      shown(ratio, 2),
      limit === undefined ? goal : `≤ ${limit}`,
      isMeasured && (target !== undefined || limit !== undefined) ? verdict(isMet) : "",
    ];
  });
  return aligned([["", "script", "Curfew", "ratio", "to reach", ""], ...lines]);
}

/** Leaves out figures that were not measured. */
function shown(value: number, digits: number): string {
  return Number.isNaN(value) ? "" : value.toFixed(digits);
}

/** Aligns columns: the first to the left, the others to the right. */
export function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const cell = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return `${lines.map((line) => line.map(cell).join("  ").trimEnd()).join("\n")}\n`;
}
