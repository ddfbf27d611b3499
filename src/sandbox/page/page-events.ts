import type { Sandbox } from "../sandbox.ts";
import { seedPerson } from "../sandbox.ts";
import { activityOf } from "./panel/activity.ts";
import { clockStops } from "./panel/clock-stops.ts";
import { guideProgress } from "./panel/guide-progress.ts";
import { createTimeFormat, serviceTables } from "./panel/service-tables.ts";
import { switchesOf } from "./panel/switches.ts";
import { appShown, conversationsOf, homeOf, peopleShown, viewerInPage, viewsOf } from "./viewer-state.ts";
import { type PageEvent, type PageParts, partNames } from "./wire.ts";

export interface SentEvent {
  readonly name: PageEvent;
  /** A later event replaces an earlier one with the same key. */
  readonly key: string;
  readonly data: unknown;
}

/** The complete state of one viewer's page. The guide comes last, because the client waits for it before it renders. */
export function pageEvents(sandbox: Sandbox, handle: string): readonly SentEvent[] {
  const parts = partsFor(sandbox, handle);
  return [
    ...conversationsOf(sandbox, handle).map((data) => ({
      name: "conversation" as const,
      key: `conversation ${data.where}`,
      data,
    })),
    ...partNames.map((name) => ({ name, key: name, data: parts[name] })),
  ];
}

function partsFor(sandbox: Sandbox, handle: string): PageParts {
  const { workspace, service, clock } = sandbox;
  const people = peopleShown(sandbox);
  const { id } = seedPerson(sandbox, handle);
  const viewer = people.find((person) => person.id === id);
  if (viewer === undefined) throw new Error(`${handle} has no Slack client; act as another person.`);
  return {
    app: appShown(sandbox),
    people,
    viewer,
    places: workspace.as(id).conversations(),
    views: viewsOf(sandbox, handle),
    home: homeOf(sandbox, handle),
    tables: serviceTables(sandbox, createTimeFormat(viewer.zone)),
    activity: activityOf(sandbox, viewerInPage(sandbox, handle)),
    service: { baseUrl: service.baseUrl, apiKey: service.apiKey },
    clock: { aheadMs: clock.aheadMs, stops: clockStops(sandbox) },
    switches: switchesOf(sandbox),
    guide: guideProgress(sandbox),
  };
}
