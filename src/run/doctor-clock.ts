import { type Finding, findingsOf } from "../finding.ts";
import type { ClockReading } from "../slack/checks/check-client.ts";

/** Slack's requests are refused beyond 300 s (platform.md §1.1): a clock this wrong will be beyond it one day. */
const failsMs = 60_000;
const warnsMs = 5_000;
/** A `Date` header has whole seconds. */
const resolutionMs = 1000;

/** This machine's clock against another's. */
export function clockFinding(whose: string, reading: ClockReading | undefined): Finding {
  const { ok, warning, failed, notChecked } = findingsOf(`clock (${whose})`);
  if (reading === undefined) return notChecked("no answer told the time");
  const aheadMs = aheadBy(reading);
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const what = `this machine's clock is ${seconds} s ${aheadMs > 0 ? "ahead" : "behind"}`;
  const whatToDo = "Let this machine keep its time by NTP. Slack's requests are refused when it is 300 s off.";
  if (Math.abs(aheadMs) > failsMs) return failed(what, whatToDo);
  return Math.abs(aheadMs) > warnsMs ? warning(what, whatToDo) : ok("the same time, as far as can be seen");
}

/** By how much at least: 0 when the other's time can lie between the question and the answer. */
function aheadBy({ sentAt, receivedAt, saidAt }: ClockReading): number {
  if (sentAt > saidAt + resolutionMs) return sentAt - (saidAt + resolutionMs);
  return receivedAt < saidAt ? receivedAt - saidAt : 0;
}
