import { parseDuration } from "../time/duration.ts";
import type { Sandbox } from "./sandbox.ts";

/** Moves the clock by a length such as `2h`; throws when it is none. Gives the time it is then, as ISO text. */
export async function wait({ clock }: Sandbox, words: string): Promise<string> {
  const length = parseDuration(words);
  if (length.kind !== "duration") throw new Error(length.reason);
  await clock.moveTo(clock.now() + length.ms);
  return new Date(clock.now()).toISOString();
}
