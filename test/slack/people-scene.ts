import { WebClient } from "@slack/web-api";
import { onTestFinished } from "vitest";
import { createLogger } from "../../src/observability/log.ts";
import { defaultSeed, type SeedPerson, type WorkspaceSeed } from "../../src/sandbox/workspace/default-seed.ts";
import { webClientOptions } from "../../src/slack/connection/slack-connection.ts";
import { type Actors, createActors } from "../../src/slack/people/actors.ts";
import type { SharedList } from "../../src/slack/people/shared-list.ts";
import { noon, quietLog } from "../changes/build.ts";
import { tinyManifest } from "../sandbox/workspace/tiny-manifest.ts";
import { startWorkspace } from "../support/start-workspace.ts";

/** "U1000" and so on. */
export const idsOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `U${1000 + index}`);

const employees = (count: number): readonly SeedPerson[] =>
  idsOf(count).map((id) => ({ id, handle: id.toLowerCase(), realName: id, email: `${id}@example.com`, tz: "UTC" }));

export interface InstanceOptions {
  readonly list?: SharedList | undefined;
  readonly token?: string;
  /** The workspaces whose members count. */
  readonly teams?: ReadonlySet<string> | undefined;
}

const both: ReadonlySet<string> = new Set(["T0CURFEW", "T0SISTER"]);

/** A workspace with Slack's rate limits and this many people, and instances that look them up. All clocks are the test's. */
export async function manyPeople(count: number, seed: Partial<WorkspaceSeed> = {}) {
  const clock = { now: noon };
  const people = [...defaultSeed.people, ...employees(count)];
  const workspace = await startWorkspace({
    manifest: tinyManifest,
    seed: { ...defaultSeed, people, ...seed },
    ...{ rateLimits: "slack", now: () => clock.now },
  });
  onTestFinished(() => workspace.close());
  const logged: string[] = [];
  const log = createLogger({ level: "warn", destination: { write: (line: string) => void logged.push(line) } });
  const startInstance = ({ list, token = "xoxb-1", ...of }: InstanceOptions = {}): Actors =>
    createActors({
      client: new WebClient(workspace.botToken, webClientOptions({ apiUrl: workspace.apiUrl, log: quietLog })),
      teamId: () => seed.enterprise?.id ?? defaultSeed.team.id,
      teams: () => ("teams" in of ? of.teams : seed.enterprise && both),
      groupIds: () => [],
      shared: list && { list, secret: () => token },
      elapsedMs: () => clock.now,
      log,
    });
  const counted = (method: string) => workspace.calls.filter((call) => call.method === method).length;
  return {
    ...{ clock, workspace, logged, startInstance, counted },
    /** They become active one after the other, within this time; the instance looks every 5 s whether to read something again. */
    pass: async (actors: Actors, ids: readonly string[], ms: number) => {
      let refreshedAt = clock.now;
      for (const id of ids) {
        await actors.actor(id, "exclusion");
        clock.now += ms / ids.length;
        for (; clock.now - refreshedAt >= 5000; refreshedAt += 5000) await actors.refresh();
      }
    },
  };
}
