import type { ServerResponse } from "node:http";
import { type Sandbox, seedPerson } from "../sandbox.ts";
import { createSignal } from "../signal.ts";
import { streamEvents } from "./event-stream.ts";
import { type PanelAct, pageAct, panelAct } from "./page-act.ts";
import { pageEvents } from "./page-events.ts";
import { switchService, switchSlack } from "./panel/switches.ts";
import { performPageAct } from "./perform-page-act.ts";
import type { ActAnswer } from "./wire.ts";

interface PageCall {
  readonly query: URLSearchParams;
  readonly response: ServerResponse;
  /** Parsed JSON; undefined when the body is empty. */
  readonly body: unknown;
}

export type PageRoute = (call: PageCall) => Promise<void>;

/** The page's API, by method and path. A route throws when a name in the request is unknown. */
export function pageRoutes(sandbox: Sandbox): ReadonlyMap<string, PageRoute> {
  const { workspace, service, clock } = sandbox;
  const panel = createSignal();
  const sources = [workspace.onChange, service.onChange, clock.onStep, panel.listen];
  const onChange = (listener: () => void) => {
    const stops = sources.map((listen) => listen(listener));
    return () => {
      for (const stop of stops) stop();
    };
  };
  return new Map<string, PageRoute>([
    [
      "GET /api/events",
      async ({ query, response }) => {
        const { handle } = seedPerson(sandbox, query.get("as") ?? "");
        streamEvents(response, { events: () => pageEvents(sandbox, handle), onChange });
      },
    ],
    [
      "POST /api/act",
      async ({ response, body }) => {
        const { as, act } = pageAct.parse(body);
        const { handle } = seedPerson(sandbox, as);
        send(response, await performPageAct(sandbox, handle, act).catch(rejectedAct));
      },
    ],
    [
      "POST /api/panel",
      async ({ response, body }) => {
        await performPanelAct(sandbox, panelAct.parse(body));
        panel.changed();
        send(response, { ok: true });
      },
    ],
  ]);
}

async function performPanelAct({ workspace, service, clock }: Sandbox, act: PanelAct): Promise<void> {
  switch (act.kind) {
    case "clock":
      return clock.moveTo(act.to);
    case "service":
      return switchService(service, act.fault);
    case "slack":
      return switchSlack(workspace, act.fault);
    default:
      return act satisfies never;
  }
}

/** The client shows why it rejects an act. */
function rejectedAct(error: unknown): ActAnswer {
  return { ok: false, error: error instanceof Error ? error.message : String(error) };
}

function send(response: ServerResponse, answer: ActAnswer): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
}
