import { vi } from "vitest";
import type { RecordedRequest } from "../../src/sandbox/service/start-sandbox-service.ts";
import type { CrashRequest } from "./ask.ts";
import type { Scene } from "./scene.ts";
import { waitMs } from "./wait-ms.ts";

/** A moment to kill the process. */
export interface Moment {
  readonly title: string;
  /** Requests changes and resolves at the moment. What it holds up continues when `killed` resolves. */
  reach(scene: Scene, people: number, killed: Promise<void>, random: () => number): Promise<unknown>;
}

const operation = "CreateActionExclusion";
const polling = { timeout: waitMs, interval: 20 };

/** In the order in which a change reaches them. */
export const moments = {
  beforeTheChange: {
    title: "received, and before the change is recorded",
    reach: async ({ workspace, ask }, people, killed) => {
      workspace.faults.failNext("users.info", { until: killed, times: people });
      await ask(people);
    },
  },
  beforeTheCall: {
    title: "before the call",
    reach: async (scene, people) => {
      scene.gate.set("held");
      await askAndRecord(scene, people);
    },
  },
  duringTheCall: {
    title: "during the call",
    reach: async (scene, people, killed, random) => {
      const { service } = scene;
      const before = service.requests.length;
      service.faults.next({ kind: "latency", ms: 0, operation, times: upTo(people - 10, random) });
      for (let held = 0; held < people; held++) {
        // The service acts on some of them although their sender is dead by then.
        service.faults.next({ kind: "held", operation, until: killed, acts: random() < 0.5 ? "before" : "after" });
      }
      await askAndRecord(scene, people);
      await vi.waitUntil(() => service.requests.slice(before).filter((each) => !isServed(each)).length >= 8, polling);
    },
  },
  afterTheAnswer: {
    title: "after the answer",
    reach: async (scene, people, _killed, random) => {
      const answered = () =>
        scene.service.requests.filter((each) => each.operation === operation && isServed(each)).length;
      const enough = answered() + upTo(people - 1, random);
      scene.gate.set("held");
      await askAndRecord(scene, people);
      scene.gate.set("open");
      await vi.waitUntil(() => answered() >= enough, { ...polling, interval: 1 });
    },
  },
  beforeTheAnnouncement: {
    title: "before the announcement",
    reach: async (scene, people, killed) => {
      // The requesters are not notified yet either.
      scene.workspace.faults.failNext("response_url", { reset: true, until: killed, times: people });
      scene.workspace.faults.failNext("chat.postMessage", { reset: true, times: Number.POSITIVE_INFINITY });
      await askAndRecord(scene, people);
      await vi.waitUntil(async () => (await scene.count("performing")) === 0, polling);
    },
  },
  afterThePost: {
    title: "after a post, before its record",
    reach: async (scene, people, killed, random) => {
      const { workspace, clock } = scene;
      const posts = () => workspace.channel("ops").messages.length;
      // Ends on a card: the summary is the first post, or the second after a quick card, and summaries are not counted.
      const passing = 1 + upTo(people - 3, random);
      const enough = posts() + passing + 1;
      workspace.faults.failNext("chat.postMessage", { delayMs: 0, times: passing });
      workspace.faults.failNext("chat.postMessage", { until: killed, times: people });
      await askAndRecord(scene, people);
      await vi.waitUntil(async () => (await scene.count("performing")) === 0, polling);
      // One post a second, by the test's clock.
      const nextPost = () => {
        if (posts() < enough) clock.advance(1000);
        return posts() >= enough;
      };
      await vi.waitUntil(nextPost, { ...polling, interval: 50 });
    },
  },
  any: {
    title: "at any moment",
    reach: async ({ workspace, ask }, people, _killed, random) => {
      // Each change makes a Slack call before its card: who asks.
      const enough = workspace.calls.length + upTo(people, random);
      void ask(people);
      await workspace.waitFor(() => workspace.calls.length >= enough, { what: "so many calls", timeoutMs: waitMs });
    },
  },
} as const satisfies Record<string, Moment>;

/** Resolves when all are recorded. */
export async function askAndRecord(scene: Scene, people: number): Promise<readonly CrashRequest[]> {
  const requests = await scene.ask(people);
  const triggers = requests.map(({ triggerId }) => `command:${triggerId}`);
  const recorded = scene.db.selectFrom("change").select("id").where("idempotency_key", "in", triggers);
  await vi.waitUntil(async () => (await recorded.execute()).length === people, polling);
  return requests;
}

const isServed = ({ status }: RecordedRequest): boolean => status !== undefined;

/** At least one: a fault applies to at least one request. */
function upTo(most: number, random: () => number): number {
  return 1 + Math.floor(random() * most);
}
