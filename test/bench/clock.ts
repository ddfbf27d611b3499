/** Milliseconds of the machine's monotonic clock, which are comparable between processes. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
