import { vi } from "vitest";
import type { RecordedRequest } from "../../src/sandbox/service/start-sandbox-service.ts";
import type { Asked } from "./asked.ts";
import { waitMs } from "./patience.ts";
import type { Scene } from "./scene.ts";

/** A moment to kill the process at. */
export interface Moment {
  readonly title: string;
  /** Has changes asked for, and resolves when it is time. What it holds up is let go when `killed` resolves. */
  come(scene: Scene, people: number, killed: Promise<void>, random: () => number): Promise<unknown>;
}

const operation = "CreateActionExclusion";
const patience = { timeout: waitMs, interval: 20 };

/** In the order that a change comes to them. */
export const moments = {
  beforeTheRecord: {
    title: "before they are recorded",
    come: async ({ workspace, ask }, people, killed) => {
      workspace.faults.failNext("users.info", { until: killed, times: people });
      await ask(people);
    },
  },
  beforeTheCall: {
    title: "before the call",
    come: async (scene, people) => {
      scene.gate.set("held");
      await askAndRecord(scene, people);
    },
  },
  duringTheCall: {
    title: "during the call",
    come: async (scene, people, killed, random) => {
      const { service } = scene;
      const before = service.requests.length;
      service.faults.next({ kind: "latency", ms: 0, operation, times: upTo(people - 10, random) });
      for (let held = 0; held < people; held++) {
        // Some of those that arrive are acted on although whoever sent them is dead by then.
        service.faults.next({ kind: "held", operation, until: killed, acts: random() < 0.5 ? "before" : "after" });
      }
      await askAndRecord(scene, people);
      await vi.waitUntil(() => service.requests.slice(before).filter((each) => !isServed(each)).length >= 8, patience);
    },
  },
  afterTheAnswer: {
    title: "after the answer",
    come: async (scene, people, _killed, random) => {
      const answered = () =>
        scene.service.requests.filter((each) => each.operation === operation && isServed(each)).length;
      const enough = answered() + upTo(people - 1, random);
      scene.gate.set("held");
      await askAndRecord(scene, people);
      scene.gate.set("open");
      await vi.waitUntil(() => answered() >= enough, { ...patience, interval: 1 });
    },
  },
  beforeTheAnnouncement: {
    title: "before the announcement",
    come: async (scene, people, killed) => {
      // The requesters have not been told either.
      scene.workspace.faults.failNext("response_url", { reset: true, until: killed, times: people });
      scene.workspace.faults.failNext("chat.postMessage", { reset: true, times: Number.POSITIVE_INFINITY });
      await askAndRecord(scene, people);
      await vi.waitUntil(async () => (await scene.count("performing")) === 0, patience);
    },
  },
  afterThePost: {
    title: "after a post, before that is recorded",
    come: async (scene, people, killed, random) => {
      const { workspace, clock } = scene;
      const posts = () => workspace.channel("ops").messages.length;
      // A card: the summary of them all is the first post, or the second where one card was quicker, and nobody counts summaries.
      const passing = 1 + upTo(people - 3, random);
      const enough = posts() + passing + 1;
      workspace.faults.failNext("chat.postMessage", { delayMs: 0, times: passing });
      workspace.faults.failNext("chat.postMessage", { until: killed, times: people });
      await askAndRecord(scene, people);
      await vi.waitUntil(async () => (await scene.count("performing")) === 0, patience);
      // One post a second, by a clock that need not be waited for.
      const nextPost = () => {
        if (posts() < enough) clock.advance(1000);
        return posts() >= enough;
      };
      await vi.waitUntil(nextPost, { ...patience, interval: 50 });
    },
  },
  any: {
    title: "at any moment",
    come: async ({ workspace, ask }, people, _killed, random) => {
      // Each change makes two calls to Slack, and its card comes later: who asks, and what became of it.
      const enough = workspace.calls.length + upTo(2 * people, random);
      void ask(people);
      await workspace.waitFor(() => workspace.calls.length >= enough, { what: "so many calls", timeoutMs: waitMs });
    },
  },
} as const satisfies Record<string, Moment>;

/** Resolves when all are recorded. */
export async function askAndRecord(scene: Scene, people: number): Promise<readonly Asked[]> {
  const asked = await scene.ask(people);
  const triggers = asked.map(({ triggerId }) => `command:${triggerId}`);
  const recorded = scene.db.selectFrom("change").select("id").where("idempotency_key", "in", triggers);
  await vi.waitUntil(async () => (await recorded.execute()).length === people, patience);
  return asked;
}

const isServed = ({ status }: RecordedRequest): boolean => status !== undefined;

/** At least one: a fault is never for no request. */
function upTo(most: number, random: () => number): number {
  return 1 + Math.floor(random() * most);
}
