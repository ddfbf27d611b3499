import { describe, expect, test } from "vitest";
import type { FillContext } from "../../src/commands/command.ts";
import { dayOf } from "../../src/commands/exclusion/kept-until.ts";
import { groupsOfAction, nextRunOf, type Things } from "../../src/commands/exclusion/next-run.ts";
import { aContext, someSettings } from "../changes/build.ts";
import { anActor } from "../permissions/build.ts";
import { aFillContext, aGroup } from "./fill-context.ts";

/** It is Friday noon in the embedded service. */
const at = (time: string, day = 20) => Date.parse(`2026-11-${day}T${time}:00Z`);
const groups = {
  staging: aGroup(["i-1", "i-2"], ["Staging"]),
  builders: aGroup(["i-1"], ["a-00000009"]),
  none: aGroup(["i-3"], []),
  stale: aGroup(["i-4"], ["a-00000099"]),
  untold: aGroup(["i-5"]),
  saved: aGroup(["i-6"], undefined, { isSaved: true }),
  starting: aGroup(["i-7"], ["a-00000001"]),
  web: aGroup(["i-8"], ["Stop web on demand"], { project: "p-prod" }),
};

const next = async (things: Things, facts: Partial<FillContext> = {}, edits = {}) =>
  nextRunOf(things, { ...(await aFillContext(groups, edits)), ...facts });

describe("the next run", () => {
  test("of a group is the soonest stop of the actions that it names, of its project and kind", async () => {
    const action = expect.objectContaining({ name: "Stop staging at 19:00" });
    expect(await next({ group: groups.staging })).toEqual({ at: at("19:00"), action });
    const edits = { "Stop staging at 19:00": { isEnabled: false } };
    expect(await next({ group: groups.staging }, {}, edits)).toMatchObject({ at: at("13:00", 21) });
  });

  test("of resources is the soonest of every group that holds them all", async () => {
    expect(await next({ resourceIds: ["i-1", "i-2"] })).toMatchObject({ at: at("19:00") });
    expect(await next({ resourceIds: ["i-1"] })).toMatchObject({ at: at("19:00") });
    const edits = { "Stop staging at 19:00": { isEnabled: false } };
    expect(await next({ resourceIds: ["i-1"] }, {}, edits)).toMatchObject({ at: at("22:00") });
  });

  test("of an action is its own, also of one that starts", async () => {
    expect(await next({ actionId: "a-00000010" })).toMatchObject({ at: at("13:00"), action: { name: "Start QA" } });
  });

  test("is undefined where none is due", async () => {
    const named = [groups.none, groups.starting, groups.web].map((group) => ({ group }));
    for (const things of [...named, { actionId: "a-00000013" }]) expect(await next(things)).toBeUndefined();
  });

  test.each([
    [{ group: groups.untold }, /stop “untold”: those who run .* under “resourceGroups\.untold\.actions”\.$/],
    [{ group: groups.saved }, /stop “saved”: /],
    [{ resourceIds: ["i-5"] }, /stop “untold”: /],
    [{ resourceIds: ["i-1", "i-9"] }, /stop i-1, i-9: no resource group of them lists its actions\.$/],
    [{}, /stop its resources: /],
    [{ group: groups.stale }, /^The service lists none of the actions that this group names\./],
    [{ actionId: "a-99" }, /^Curfew does not know the action a-99\. “action list” shows/],
  ])("is a problem where Curfew does not know which actions these are: %o", async (things, says) => {
    expect(await next(things)).toEqual({ problem: expect.stringMatching(says) });
  });

  test("shows no action that its reader may not see", async () => {
    const may: FillContext["may"] = (_operation, { projectId }) => projectId === "p-prod";
    expect(await next({ actionId: "a-00000002" }, { may })).toHaveProperty("problem");
    expect(await next({ actionId: "a-00000012" }, { may })).toMatchObject({ at: at("10:00", 21) });
    expect(await next({ group: groups.staging }, { may })).toHaveProperty("problem");
  });
});

describe("the groups of an action", () => {
  test("are found by its id, its name in any case or its tag", async () => {
    const context = await aFillContext(groups);
    const groupsOf = async (reference: string) => {
      const found = await groupsOfAction(reference, context);
      return "problem" in found ? found : found.map(([name]) => name);
    };
    expect(await groupsOf("a-00000001")).toEqual(["staging", "starting"]);
    expect(await groupsOf("STOP staging at 19:00")).toEqual(["staging"]);
    expect(await groupsOf("build")).toEqual(["builders"]);
    // Of another kind of resource, of no group, of another project, and unknown.
    for (const none of ["Stop staging databases", "Stop QA", "qa", "a-99", ""])
      expect(await groupsOf(none)).toEqual([]);
  });
});

describe("the team's day", () => {
  const day = { dayStarts: "08:00", dayEnds: "18:00" };
  const settings = { ...someSettings(), channels: { C0OPS: { zone: "Asia/Tokyo" }, C0DEV: { project: "p-dev" } } };
  const actor = anActor({ timeZone: "Europe/Berlin" });
  const dayIn = (channelId: string | null) => dayOf(aContext({ actor, channelId, settings }));

  test("is in the channel's zone, and else in the requester's", () => {
    expect(dayIn("C0OPS")).toEqual({ zone: "Europe/Berlin", dayZone: "Asia/Tokyo", ...day });
    for (const channelId of ["C0DEV", "C0RANDOM", null])
      expect(dayIn(channelId)).toEqual({ zone: "Europe/Berlin", dayZone: "Europe/Berlin", ...day });
  });
});
