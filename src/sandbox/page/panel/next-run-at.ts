import type { Schedule } from "../../../service/resources.ts";
import { nextExecutionDate } from "../../service/next-execution-date.ts";

interface Found {
  readonly after: number;
  readonly at: number | null;
}

const found = new WeakMap<Schedule, Found>();

/** When a schedule runs next after a moment. Remembered until then, since it takes long to find and is looked at all the time. */
export function nextRunAt(schedule: Schedule, after: number): number | null {
  const known = found.get(schedule);
  if (known && known.after <= after && (known.at === null || after < known.at)) return known.at;
  const next = nextExecutionDate(schedule, after);
  const at = next === null ? null : Date.parse(next);
  found.set(schedule, { after, at });
  return at;
}
