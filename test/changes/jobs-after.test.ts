import { expect, test } from "vitest";
import { jobsAfter } from "../../src/changes/announce.ts";
import {
  aChange,
  anEnd,
  anExclusion,
  anExtension,
  aSettlement,
  hourMs,
  minuteMs,
  noon,
  someSettings,
} from "./build.ts";

const settings = (warnMs = 30 * minuteMs) => ({ exclusions: { ...someSettings().exclusions, warnMs } });
const endingAt = (at: number, facts = {}) => anExclusion({ expiryDate: new Date(at).toISOString(), ...facts });

/** The due time of each job kind, in ms from noon, for an exclusion made at noon with this length. */
function jobsFor(lengthMs: number, warnMs?: number) {
  const settlement = aSettlement({ answer: endingAt(noon + lengthMs), settledAt: noon });
  const jobs = jobsAfter(aChange(), settlement, settings(warnMs));
  return Object.fromEntries(jobs.map(({ kind, dueAt }) => [kind, dueAt - noon]));
}

test("reminds of a short exclusion halfway, and of a very short one not at all", () => {
  const warning = (lengthMs: number, warnMs?: number) => jobsFor(lengthMs, warnMs)["exclusion-warning"];
  expect(warning(60 * minuteMs)).toBe(30 * minuteMs);
  expect(warning(40 * minuteMs)).toBe(20 * minuteMs);
  expect(warning(10 * minuteMs)).toBe(5 * minuteMs);
  expect(warning(10 * minuteMs - 250)).toBe(5 * minuteMs - 125);
  expect(warning(9 * minuteMs)).toBeUndefined();
  // A short notice from the config is used.
  expect(warning(hourMs, 2 * minuteMs)).toBe(58 * minuteMs);
  expect(warning(4 * minuteMs, 2 * minuteMs)).toBe(2 * minuteMs);
  expect(warning(3 * minuteMs, 2 * minuteMs)).toBeUndefined();
  expect(jobsFor(minuteMs)).toEqual({ "exclusion-end": minuteMs + 5000 });
});

test("uses the requested end when the answer could not be read", () => {
  const settlement = aSettlement({ answer: null, note: "unreadable" });
  const end = jobsAfter(anExtension(), settlement, settings()).find(({ kind }) => kind === "exclusion-end");
  expect(end?.dueAt).toBe(Date.parse("2026-11-20T17:00:05.000Z"));
});

test("schedules nothing unless a succeeded change certainly moved the end of an exclusion", () => {
  const before = anExclusion();
  const renamed = anExtension({ before, request: { id: "ae-1", name: "other", expiryDate: before.expiryDate } });
  const none = [
    jobsAfter(renamed, aSettlement({ answer: anExclusion({ name: "other" }) }), settings()),
    jobsAfter(anEnd(), aSettlement({ answer: null }), settings()),
    jobsAfter(aChange(), aSettlement({ state: "unknown", answer: null }), settings()),
    jobsAfter(aChange(), aSettlement({ state: "failed", answer: null }), settings()),
    jobsAfter(
      aChange({ words: "project rename", operation: "ModifyProject", subjectKind: "project" }),
      aSettlement({ answer: endingAt(noon) }),
      settings(),
    ),
    jobsAfter(aChange({ request: {} }), aSettlement({ answer: anExclusion({ expiryDate: "soon" }) }), settings()),
  ];
  expect(none).toEqual(none.map(() => []));
});
