import { lateOutcome } from "../announce.ts";
import { type Change, isServiceChange, type Verification } from "../change.ts";
import { NotPerformingError, record } from "../perform/record-outcome.ts";
import type { Pipeline } from "../ports.ts";
import { isSeries, seriesSettlement } from "./series.ts";

/** Settles a series whose outcome was unknown, when that of its steps is known. Gives it as it is then. */
export async function settleUnknownSeries(
  { store, settings, directory, now, wake }: Pick<Pipeline, "store" | "settings" | "directory" | "now" | "wake">,
  seriesId: string,
  { verified, readerId }: { readonly verified?: Verification | undefined; readonly readerId?: string | undefined },
): Promise<Change | undefined> {
  const series = await store.find(seriesId);
  if (series?.state !== "unknown" || !isServiceChange(series) || !isSeries(series)) return series;
  const settlement = await seriesSettlement(directory, series, now());
  if (settlement.state === "unknown") return series;
  const asUnknown: typeof store = { ...store, settle: store.settleUnknown };
  const notices = readerId === series.actor.userId ? [] : lateOutcome(series);
  try {
    await record(asUnknown, settings(), series, { ...settlement, ...(verified ? { verified } : {}) }, notices);
    wake();
  } catch (error) {
    // Somebody else has settled it.
    if (!(error instanceof NotPerformingError)) throw error;
  }
  return store.find(seriesId);
}
