// A process that reads a calendar and prints its days off: node calendar-process.js <first day> <last day> <most ms> < calendar.ics
import { text } from "node:stream/consumers";
import { runInNewContext } from "node:vm";
import { daysOffIn } from "./days-off.ts";

const [first = "", last = "", mostMs] = process.argv.slice(2);
const calendar = await text(process.stdin);
process.stdout.write(JSON.stringify(answer()));

/** An error of the parser holds lines of the calendar, so its text goes nowhere. */
function answer(): { readonly days: unknown } | { readonly failed: string } {
  try {
    // With its own time limit, it also ends when nobody is left to stop it.
    const days = runInNewContext(
      "days()",
      { days: () => daysOffIn(calendar, { first, last }) },
      { timeout: Number(mostMs) },
    );
    return { days };
  } catch (error) {
    return { failed: Object(error).code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ? "slow" : "unreadable" };
  }
}
