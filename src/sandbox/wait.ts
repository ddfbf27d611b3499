import { parseDuration } from "../time/duration.ts";
import type { Sandbox } from "./sandbox.ts";

/** Moves the clock forward by a duration such as `2h` and returns the new time as ISO text. Throws on an invalid duration. */
export async function wait({ clock }: Sandbox, words: string): Promise<string> {
  const length = parseDuration(words);
  if (length.kind !== "duration") throw new Error(length.reason);
  await clock.moveTo(clock.now() + length.ms);
  return new Date(clock.now()).toISOString();
}
