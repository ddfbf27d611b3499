import { describe, expect, it } from "vitest";
import { createReadService, type ReadService } from "../../src/directory/read-service.ts";
import type { ServiceClient } from "../../src/service/client.ts";
import type { Action } from "../../src/service/resources.ts";
import { createWatcher, type WatcherOptions } from "../../src/watch/watcher.ts";
import { minuteMs, noon, quietLog } from "../changes/build.ts";
import { claimSome } from "../store/next-due.ts";
import { openTestStore } from "../store/open-test-store.ts";

const settings = () => ({
  watch: { everyMs: minuteMs },
  warnings: [],
  resourceGroups: {},
  announce: [
    { channel: "C0OPS", isElsewhere: true },
    { channel: "C0SEC", isElsewhere: false },
  ],
});

const anAction = (number: number, facts: Partial<Action> = {}): Action => ({
  actionId: `a-${number}`,
  name: `Stop ${number}`,
  projectId: `p-${number % 10}`,
  actionType: "amazon-stop-ec2-instances",
  isEnabled: true,
  lastModifiedBy: "u-1",
  lastModifiedDate: "2026-01-01T00:00:00Z",
  nextExecutionDate: new Date(noon + 60 * minuteMs).toISOString(),
  schedule: { scheduleType: "daily", timeOfDay: "13:00", timeZoneId: "UTC", parameters: { days: ["friday"] } },
  tags: ["office"],
  ...facts,
});

const many = Array.from({ length: 10_000 }, (_, number) => anAction(number));

/** A watcher on a real database and a list that a test can change; each poll is a minute later. */
async function watching(listed: readonly Action[], options: Partial<WatcherOptions> = {}) {
  const written: string[] = [];
  let read = 0;
  let at = noon;
  let list = listed;
  const store = await openTestStore(undefined, {
    now: () => at,
    onQuery: (statement) => {
      if (statement === "select") read++;
      else written.push(statement);
    },
  });
  let requests = 0;
  const call = async () => {
    requests++;
    return { kind: "succeeded", answer: list };
  };
  // The watcher calls one operation, and the answer is of that operation.
  const service = { call } as unknown as ServiceClient;
  const readService: ReadService = createReadService(service, store, () => at);
  const watcher = createWatcher({
    ...{ store, read: readService, settings, now: () => at, log: quietLog },
    zoneOf: async () => "UTC",
    schedule: () => () => undefined,
    ...options,
  });
  return {
    store,
    watcher,
    poll: async (next: readonly Action[] = list) => {
      at += minuteMs;
      list = next;
      written.length = 0;
      read = 0;
      requests = 0;
      await watcher.poll();
      return { written: written.length, read, requests };
    },
    said: async () => {
      const messages = await claimSome(store, at + minuteMs, 1, { gapMs: 0, burst: { moreThan: 99, withinMs: 1 } }, 10);
      return Promise.all(messages.map(async ({ changeId, to }) => ({ to, bulletin: await store.bulletin(changeId) })));
    },
  };
}

describe("10,000 actions", () => {
  it("take one request for each poll, and nothing is read or written where nothing changed", async () => {
    const { poll, store, said } = await watching(many);
    const first = await poll();
    expect(first.requests).toBe(1);
    expect(first.written).toBeLessThan(300);
    expect(await store.watchedActions()).toHaveLength(many.length);
    expect(await poll()).toEqual({ written: 0, read: expect.any(Number), requests: 1 });
    // The same list, parsed again.
    const same = await poll(many.map((action) => ({ ...action, tags: [...(action.tags ?? [])] })));
    expect(same).toEqual({ written: 0, read: expect.any(Number), requests: 1 });
    expect(same.read).toBeLessThan(3);
    expect(await said()).toEqual([]);
  });

  it("or fewer, of which each is changed, lead to one message, and one of which is due to one row", async () => {
    const some = many.slice(0, 1000);
    const { poll, said } = await watching(some);
    await poll();
    const due = some.map((action) => (action.actionId === "a-7" ? { ...action, nextExecutionDate: null } : action));
    expect((await poll(due)).written).toBeLessThan(6);
    await poll(some.map((action) => ({ ...action, name: `${action.name} late` })));
    const [message, ...others] = await said();
    expect(others).toEqual([]);
    expect(message?.to).toBe("C0OPS");
    expect(message?.bulletin?.content.kind).toBe("elsewhere");
  });

  it("lead to a message of its own for a channel of some projects", async () => {
    const announce = [
      { channel: "C0OPS", isElsewhere: true, projects: new Set(["p-1"]) },
      { channel: "C0SEC", isElsewhere: true, projects: new Set(["p-2", "p-3"]) },
      { channel: "C0ALL", isElsewhere: true },
      { channel: "C0NONE", isElsewhere: true, projects: new Set(["p-9"]) },
    ];
    const some = [1, 2, 4].map((number) => anAction(number));
    const unplaced = anAction(5, { projectId: undefined });
    const { poll, said } = await watching([...some, unplaced], { settings: () => ({ ...settings(), announce }) });
    await poll();
    await poll([...some, unplaced].map((action) => ({ ...action, name: `${action.name} late` })));
    const heard = (await said()).map(({ to, bulletin }) => {
      const content = bulletin?.content;
      return [to, content?.kind === "elsewhere" ? content.actions.map(({ actionId }) => actionId) : []] as const;
    });
    expect(Object.fromEntries(heard)).toEqual({
      ...{ C0OPS: ["a-1"], C0SEC: ["a-2"], C0ALL: ["a-1", "a-2", "a-4", "a-5"] },
    });
  });

  it("go to every channel of some projects where the project is unknown and no channel is for all, and moved to both", async () => {
    const announce = [
      { channel: "C0OPS", isElsewhere: true, projects: new Set(["p-1"]) },
      { channel: "C0SEC", isElsewhere: true, projects: new Set(["p-2"]) },
      { channel: "C0DEV", isElsewhere: true, projects: new Set(["p-3"]) },
    ];
    const channelsAfter = async (before: Action, after: Action) => {
      const { poll, said } = await watching([before], { settings: () => ({ ...settings(), announce }) });
      await poll();
      await poll([after]);
      return (await said()).map(({ to }) => to).toSorted();
    };
    expect(await channelsAfter(anAction(1), anAction(1, { projectId: "p-2" }))).toEqual(["C0OPS", "C0SEC"]);
    const unplaced = anAction(5, { projectId: undefined });
    expect(await channelsAfter(unplaced, { ...unplaced, name: "Late" })).toEqual(["C0DEV", "C0OPS", "C0SEC"]);
  });
});

describe("when it was due last", () => {
  const lastOf = async (polls: readonly (readonly [minutes: number, facts: Partial<Action>])[]) => {
    const { poll, store } = await watching([]);
    for (const [minutes, facts] of polls) {
      for (let minute = 1; minute < minutes; minute++) await poll();
      await poll([anAction(0), anAction(1, facts)]);
    }
    const found = (await store.watchedActions()).find(({ id }) => id === "a-1")?.lastAt;
    return found === null || found === undefined ? null : new Date(found).toISOString();
  };
  const at = (minutes: number) => ({ nextExecutionDate: new Date(noon + minutes * minuteMs).toISOString() });

  it("is not known before it was seen", async () => {
    expect(await lastOf([[1, at(60)]])).toBeNull();
  });

  it("is the run that has passed", async () => {
    expect(
      await lastOf([
        [1, at(3)],
        [4, at(1440)],
      ]),
    ).toBe("2026-11-20T12:03:00.000Z");
  });

  it("is not a run that was moved to a later time", async () => {
    expect(
      await lastOf([
        [1, at(10)],
        [1, at(20)],
      ]),
    ).toBeNull();
  });

  it("is not a run that somebody switched off or moved before it came", async () => {
    const lastModifiedDate = "2026-11-20T12:02:30Z";
    expect(
      await lastOf([
        [1, at(3)],
        [4, { nextExecutionDate: null, isEnabled: false, lastModifiedDate }],
      ]),
    ).toBeNull();
  });

  it("is a run that the service's clock took for past a little earlier", async () => {
    expect(
      await lastOf([
        [1, at(2.2)],
        [1, at(1440)],
      ]),
    ).toBe("2026-11-20T12:02:12.000Z");
  });
});

it("plans the next poll by a pause, so that setting the clock does not delay it", async () => {
  const pauses: number[] = [];
  const { watcher } = await watching(many.slice(0, 1), {
    schedule: (_run, delayMs) => {
      pauses.push(delayMs);
      return () => undefined;
    },
  });
  watcher.start();
  await watcher.poll();
  await watcher.stop();
  expect(pauses).toEqual([minuteMs, minuteMs]);
});

it("reports each poll that the service answered", async () => {
  const polled: number[] = [];
  const { poll } = await watching(many.slice(0, 1), { onPoll: (at) => polled.push(at) });
  await poll();
  await poll();
  expect(polled).toEqual([noon + minuteMs, noon + 2 * minuteMs]);
});
