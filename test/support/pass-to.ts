import type { Clock } from "./clock.ts";
import type { Curfew, Instance } from "./start-curfew.ts";

/** Advances time to a moment, and waits until what is due by then is done and sent. */
export async function passTo(
  curfew: Curfew,
  clock: Clock,
  moment: string,
  instances: readonly Instance[] = [curfew],
): Promise<void> {
  for (const { app } of instances) await app.idle();
  setClock(clock, moment);
  await Promise.all(instances.map(({ app }) => app.idle()));
}

/** The same without waiting. */
export function setClock(clock: Clock, moment: string): void {
  clock.advance(Date.parse(moment) - clock.now());
}
