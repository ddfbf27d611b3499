/** Milliseconds of the machine's one monotonic clock: moments taken in different processes can be compared. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
