import { expect, test } from "vitest";
import { warningEffects } from "../../src/watch/warnings.ts";
import type { WatchSources } from "../../src/watch/watch-store.ts";
import type { WatchedAction } from "../../src/watch/watched-action.ts";

const now = Date.parse("2026-11-23T18:00:00Z");
const notAsked = async () => Promise.reject(new Error("not needed"));

const watched = (id: string, nextAt: number): WatchedAction => ({
  id,
  nextAt,
  ...{ lastAt: null, missingSince: null },
  facts: {
    ...{ name: id, projectId: "p-dev", actionType: "amazon-stop-ec2-instances", isEnabled: true, schedule: null },
    ...{ tags: [], comments: null, lastModifiedBy: null, lastModifiedDate: null },
  },
});

test("of ten thousand actions only those that come up cost anything", async () => {
  const all = Array.from({ length: 10_000 }, (_, index) => watched(`a-${index}`, now + 3_600_000));
  const asked: string[] = [];
  const store: WatchSources = {
    openBulletins: async () => {
      asked.push("openBulletins");
      return [];
    },
    ownWarnings: async () => {
      asked.push("ownWarnings");
      return [];
    },
    ...{ bulletinsSince: notAsked, groups: notAsked, liveExclusions: notAsked },
  };
  const entry = { processes: new Set(["stop"] as const), beforeMs: 1_800_000, channel: "C0OPS" };
  const settings = { watch: { everyMs: 60_000 }, announce: [], warnings: [entry], resourceGroups: {} };
  const poll = { now, actions: [], watched: new Map(all.map((action) => [action.id, action])) };
  const effects = await warningEffects(poll, { store, settings: () => settings, zoneOf: notAsked });
  expect(effects).toEqual({ bulletins: [], redrawn: [], isWarned: false });
  expect(asked).toEqual(["openBulletins", "ownWarnings"]);
});
