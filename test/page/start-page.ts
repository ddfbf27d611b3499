import { type Clock, createClock } from "../../src/sandbox/clock.ts";
import { startControl } from "../../src/sandbox/control/start-control.ts";
import { createPage } from "../../src/sandbox/page/create-page.ts";
import type { ActAnswer, PageAct, PanelAct } from "../../src/sandbox/page/wire.ts";
import { sandboxOf } from "../sandbox/sandbox-of.ts";
import { type Curfew, type CurfewOptions, startCurfew } from "../support/start-curfew.ts";

export interface RunningPage {
  readonly curfew: Curfew;
  readonly clock: Clock;
  readonly url: string;
  act(as: string, act: PageAct): Promise<ActAnswer>;
  panel(act: PanelAct): Promise<ActAnswer>;
  stop(): Promise<void>;
}

/** The whole bot with the page in front of it; its client comes from `folder`. */
export async function startPage(folder = "nowhere", options: CurfewOptions = {}): Promise<RunningPage> {
  const clock = createClock(options.now ?? Date.now);
  const curfew = await startCurfew({ ...options, now: clock.now });
  clock.onStep(async () => {
    curfew.app.wake();
    await curfew.app.idle();
  });
  const sandbox = sandboxOf(curfew, clock);
  const control = await startControl(sandbox, 0, createPage(sandbox, folder));
  const post = async (path: string, body: unknown): Promise<ActAnswer> => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${control.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const said: ActAnswer = JSON.parse(await answer.text());
    return said;
  };
  return {
    curfew,
    clock,
    url: control.url,
    act: (as, act) => post("/api/act", { as, act }),
    panel: (act) => post("/api/panel", act),
    stop: async () => {
      await control.close();
      await curfew.stop();
    },
  };
}
