import { createClock } from "../../src/sandbox/clock.ts";
import { servePage } from "../../src/sandbox/page/create-page.ts";
import type { ActAnswer, PageAct, PanelAct } from "../../src/sandbox/page/wire.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { recordWrites } from "../../src/sandbox/start-sandbox.ts";
import { defaultSeed } from "../../src/sandbox/workspace/default-seed.ts";
import { sandboxOf } from "../sandbox/sandbox-of.ts";
import { type RecordingApp, startRecording } from "../sandbox/workspace/recording-app.ts";
import { type Curfew, type CurfewOptions, startCurfew, wholeExample } from "../support/start-curfew.ts";

export interface ServedPage {
  readonly url: string;
  readonly sandbox: Sandbox;
  act(as: string, act: PageAct): Promise<ActAnswer>;
  panel(act: PanelAct): Promise<ActAnswer>;
  stop(): Promise<void>;
}

export interface RunningPage extends ServedPage {
  readonly curfew: Curfew;
}

/** The whole bot with the page. `folder` contains the built client. */
export async function startPage(folder = "nowhere", options: CurfewOptions = {}): Promise<RunningPage> {
  const clock = createClock(options.now ?? Date.now);
  const { writes, onWrite } = recordWrites(clock.now);
  const overrides = { ...options.overrides, onWrite };
  const curfew = await startCurfew({ config: wholeExample, ...options, overrides, now: clock.now });
  clock.onStep(async () => {
    await curfew.app.watch();
    await curfew.app.idle();
  });
  const served = await serve(sandboxOf(curfew, clock, writes), folder, () => curfew.stop());
  return { ...served, curfew };
}

/** The page with an app that only records requests, for features that Curfew does not use. */
export async function startRecordingPage(folder = "nowhere"): Promise<ServedPage & { readonly app: RecordingApp }> {
  const clock = createClock(Date.now);
  const app = await startRecording({ now: clock.now, rateLimits: "off" });
  const service = await startSandboxService({ now: clock.now });
  const { workspace } = app;
  const sandbox = { workspace, service, seed: defaultSeed, clock, writes: [], idle: async () => undefined };
  const served = await serve(sandbox, folder, async () => {
    await app.stop();
    await service.close();
  });
  return { ...served, app };
}

async function serve(sandbox: Sandbox, folder: string, stop: () => Promise<void>): Promise<ServedPage> {
  const page = await servePage(sandbox, 0, folder);
  const post = async (path: string, body: unknown): Promise<ActAnswer> => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${page.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const parsed: ActAnswer = JSON.parse(await answer.text());
    return parsed;
  };
  return {
    url: page.url,
    sandbox,
    act: (as, act) => post("/api/act", { as, act }),
    panel: (act) => post("/api/panel", act),
    stop: async () => {
      await page.close();
      await stop();
    },
  };
}
