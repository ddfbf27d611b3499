import type { Change } from "../change.ts";
import type { Pipeline } from "../ports.ts";
import { isTimedSeries } from "../steps/series.ts";

/** An occurrence of a series begins, and the series is withdrawn, one after the other: what is withdrawn never begins. */
export const withSeriesLock = <T>(
  { withLock }: Pick<Pipeline, "withLock">,
  change: Pick<Change, "id" | "words" | "subjectKind">,
  work: () => Promise<T>,
): Promise<T> => (isTimedSeries(change) ? withLock(change.subjectKind, `series ${change.id}`, work) : work());
