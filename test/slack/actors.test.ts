import { describe, expect, test } from "vitest";
import { ZodError } from "zod";
import { createActors } from "../../src/slack/people/actors.ts";
import { SlackSilentError } from "../../src/slack/people/look-up.ts";
import { noon, quietLog } from "../changes/build.ts";
import { createFakeSlack, type SlackAnswer } from "./fake-slack.ts";

const member = {
  id: "U1",
  team_id: "T1",
  real_name: "Alice Engineer",
  tz: "Europe/Berlin",
  profile: { display_name: "alice", real_name: "Alice Engineer", email: "alice@example.com" },
};

interface Scene {
  readonly user?: object;
  readonly groups?: SlackAnswer;
  readonly named?: readonly string[];
}

function startActors({ user = member, groups = groupsOf({}), named = [] }: Scene = {}) {
  const clock = { now: noon };
  const scene = { user, groups };
  const { client, calls } = createFakeSlack(({ method }) =>
    method === "users.info" ? { ok: true, user: scene.user } : scene.groups,
  );
  const actors = createActors({
    client,
    teamId: () => "T1",
    groupIds: () => ["S1", "S2", "S3"],
    isNamed: (userId) => named.includes(userId),
    elapsedMs: () => clock.now,
    log: quietLog,
  });
  return { actors, calls, clock, scene };
}

function groupsOf(members: Readonly<Record<string, readonly string[]>>) {
  return { ok: true, usergroups: Object.entries(members).map(([id, users]) => ({ id, users })) };
}

test("reads a person and their groups from Slack", async () => {
  const { actors } = startActors({ groups: groupsOf({ S1: ["U1", "U2"], S2: ["U2"], S3: ["U1"] }) });
  expect(await actors.actor("U1")).toEqual({
    teamId: "T1",
    userId: "U1",
    name: "alice",
    email: "alice@example.com",
    timeZone: "Europe/Berlin",
    membership: "member",
    groupIds: ["S1", "S3"],
  });
  expect(await actors.emailOf("U1")).toBe("alice@example.com");
});

test("falls back to the real name, then to the id", async () => {
  const nameOf = async (user: object) => (await startActors({ user }).actors.actor("U1")).name;
  expect(await nameOf({ ...member, profile: { ...member.profile, display_name: "" } })).toBe("Alice Engineer");
  expect(await nameOf({ id: "U1", team_id: "T1", real_name: "Alice" })).toBe("Alice");
  expect(await nameOf({ id: "U1", team_id: "T1" })).toBe("U1");
});

test("uses UTC for a missing or unknown time zone", async () => {
  const zoneOf = async (tz: string | undefined) =>
    (await startActors({ user: { ...member, tz } }).actors.actor("U1")).timeZone;
  expect(await zoneOf(undefined)).toBe("UTC");
  expect(await zoneOf("Mars/Olympus_Mons")).toBe("UTC");
  expect(await zoneOf("")).toBe("UTC");
  expect(await zoneOf("Europe/Kyiv")).toBe("Europe/Kyiv");
});

describe("the membership of somebody", () => {
  test.each([
    ["of this workspace", {}, "member"],
    ["who is a guest", { is_restricted: true }, "guest"],
    ["who is a guest of one channel", { is_restricted: true, is_ultra_restricted: true }, "guest"],
    ["who is a guest of one channel, though it says only that", { is_ultra_restricted: true }, "guest"],
    ["who was invited, which may mean long ago", { is_invited_user: true }, "member"],
    ["who is a bot", { is_bot: true }, "bot"],
    ["who has authorized this app", { is_app_user: true }, "member"],
    ["who is a workflow's bot", { is_workflow_bot: true }, "bot"],
    ["who is a connector's bot", { is_connector_bot: true }, "bot"],
    ["who is Slackbot", { id: "USLACKBOT" }, "bot"],
    ["who has left", { deleted: true }, "deleted"],
    ["who was a guest and has left", { deleted: true, is_restricted: true }, "deleted"],
    ["of another workspace", { team_id: "T2" }, "external"],
    ["of another workspace who is in a channel here", { team_id: "T2", is_stranger: false }, "external"],
    ["who shares no channel", { is_stranger: true }, "external"],
    ["of no workspace", { team_id: undefined }, "external"],
    ["of another workspace and a guest", { team_id: "T2", is_restricted: true }, "external"],
    ["of the same organization here", { team_id: "T2", enterprise_user: { teams: ["T2", "T1"] } }, "member"],
    ["of the same organization elsewhere", { team_id: "T2", enterprise_user: { teams: ["T2"] } }, "external"],
    ["whose organization names no workspaces", { team_id: "T2", enterprise_user: {} }, "external"],
  ])("%s", async (_who, facts, membership) => {
    const { actors } = startActors({ user: { ...member, ...facts } });
    expect((await actors.actor("U1")).membership).toBe(membership);
  });
});

const limited = () => new Response("", { status: 429, headers: { "retry-after": "30" } });

describe("the user groups", () => {
  test.each([
    ["the plan has none", { ok: false, error: "plan_upgrade_required" }],
    ["the scope is missing", { ok: false, error: "missing_scope" }],
    ["the list is missing", { ok: true }],
    ["the list is null", { ok: true, usergroups: null }],
    ["a group names nobody", { ok: true, usergroups: [{ id: "S1" }, { id: "S2", users: null }, { id: null }] }],
  ])("give nobody a role when %s", async (_why, groups) => {
    expect((await startActors({ groups }).actors.actor("U1")).groupIds).toEqual([]);
  });

  test.each([
    ["limits the rate", limited],
    ["is in trouble", () => ({ ok: false, error: "internal_error" })],
    ["is down", () => new Response("<html>", { status: 503 })],
  ])("that were never read are no missing right while Slack %s", async (_how, groups) => {
    const { actors, scene } = startActors({ groups: groups(), named: ["U2"] });
    await expect(actors.actor("U1")).rejects.toThrow(SlackSilentError);
    await expect(actors.idsIn("S1")).rejects.toThrow(SlackSilentError);
    scene.groups = groups();
    // Who is named may act without any group.
    expect((await actors.actor("U2")).groupIds).toEqual([]);
    scene.groups = groupsOf({ S1: ["U1"] });
    expect((await actors.actor("U1")).groupIds).toEqual(["S1"]);
  });

  test("are read by one call, with any number of groups and people", async () => {
    const { actors, calls } = startActors({ groups: groupsOf({ S1: ["U1"], S2: ["U1"], S3: ["U2"] }) });
    await Promise.all([actors.actor("U1"), actors.actor("U2"), actors.idsIn("S1"), actors.actor("U1", "change")]);
    expect(calls.filter(({ method }) => method !== "users.info")).toEqual([
      { method: "usergroups.list", args: { include_users: "true" } },
    ]);
  });
});

describe("an answer from Slack", () => {
  test.each(["read", "exclusion"] as const)("is used for a minute for: %s", async (purpose) => {
    const { actors, calls, clock, scene } = startActors({ groups: groupsOf({ S1: ["U1"] }) });
    await Promise.all([actors.actor("U1"), actors.actor("U1", purpose), actors.emailOf("U1")]);
    expect(calls).toHaveLength(2);
    clock.now = noon + 29_999;
    await actors.actor("U1", purpose);
    expect(calls).toHaveLength(2);
    scene.user = { ...member, deleted: true };
    scene.groups = groupsOf({});
    clock.now = noon + 59_999;
    expect(await actors.actor("U1", purpose)).toMatchObject({ membership: "member", groupIds: ["S1"] });
    // It was read again beside that request.
    expect(calls).toHaveLength(4);
    await actors.refresh();
    expect(calls).toHaveLength(4);
    expect(await actors.actor("U1", purpose)).toMatchObject({ membership: "deleted", groupIds: [] });
  });

  test("is used at once while it is read again, and when that fails", async () => {
    const { actors, calls, clock, scene } = startActors({ groups: groupsOf({ S1: ["U1"] }) });
    await actors.actor("U1", "exclusion");
    scene.groups = { ok: false, error: "internal_error" };
    for (const seconds of [30, 45, 59]) {
      clock.now = noon + seconds * 1000;
      const [first, second] = await Promise.all([actors.actor("U1", "exclusion"), actors.actor("U1", "exclusion")]);
      expect([first?.groupIds, second?.groupIds]).toEqual([["S1"], ["S1"]]);
      await actors.refresh();
    }
    // A failure is not repeated by each request.
    expect(calls.filter(({ method }) => method === "usergroups.list")).toHaveLength(2);
  });

  test.each(["read", "exclusion"] as const)("is not used after a minute for: %s", async (purpose) => {
    const { actors, clock, scene } = startActors({ groups: groupsOf({ S1: ["U1"] }) });
    await actors.actor("U1", purpose);
    scene.user = { ...member, deleted: true };
    scene.groups = groupsOf({});
    clock.now = noon + 60_000;
    expect(await actors.actor("U1", purpose)).toMatchObject({ membership: "deleted", groupIds: [] });
  });

  test("is not used once Slack said that it changed, not even one that was on its way", async () => {
    const { actors, scene } = startActors({ groups: groupsOf({ S1: ["U1"] }) });
    await actors.actor("U1");
    scene.groups = groupsOf({});
    actors.changed("S1");
    expect(await actors.actor("U1", "exclusion")).toMatchObject({ membership: "member", groupIds: [] });
    actors.changed("U1");
    const onItsWay = actors.actor("U1");
    scene.user = { ...member, deleted: true };
    actors.changed("U1");
    await onItsWay;
    expect(await actors.actor("U1", "exclusion")).toMatchObject({ membership: "deleted" });
    expect(actors.known("U1")).toMatchObject({ membership: "deleted" });
  });

  test("is read again in the background for whoever was active within ten minutes", async () => {
    const { actors, calls, clock } = startActors({ groups: groupsOf({ S1: ["U1"] }) });
    await actors.actor("U1", "exclusion");
    clock.now = noon + 35_000;
    await actors.refresh();
    expect(calls).toHaveLength(4);
    clock.now = noon + 60_000;
    await actors.actor("U1", "exclusion");
    await actors.refresh();
    const read = calls.length;
    clock.now = noon + 60_000 + 600_001;
    await actors.refresh();
    expect(calls).toHaveLength(read);
  });

  test("is cached for 5 seconds for a change", async () => {
    const { actors, calls, clock, scene } = startActors({ groups: groupsOf({ S1: ["U1"], S2: ["U2"] }) });
    await actors.actor("U1");
    clock.now = noon + 4999;
    expect(await actors.actor("U1", "change")).toMatchObject({ membership: "member", groupIds: ["S1"] });
    expect(calls).toHaveLength(2);
    scene.user = { ...member, deleted: true };
    scene.groups = groupsOf({});
    clock.now = noon + 5000;
    expect(await actors.actor("U1", "change")).toMatchObject({ membership: "deleted", groupIds: [] });
    expect(calls).toHaveLength(4);
  });

  test.each([
    ["limits the rate", limited],
    ["is in trouble", () => ({ ok: false, error: "internal_error" })],
    ["is down", () => new Response("<html>", { status: 503 })],
  ])("serves changes for a minute, and reads for five, while Slack %s", async (_how, answer) => {
    const groupsAt = async (at: number, purpose: "read" | "change") => {
      const { actors, clock, scene } = startActors({ groups: groupsOf({ S1: ["U1"] }) });
      await actors.actor("U1");
      scene.groups = answer();
      clock.now = noon + at;
      await actors.emailOf("U1");
      return (await actors.actor("U1", purpose)).groupIds;
    };
    expect(await groupsAt(59_999, "change")).toEqual(["S1"]);
    await expect(groupsAt(60_000, "change")).rejects.toThrow(SlackSilentError);
    expect(await groupsAt(299_999, "read")).toEqual(["S1"]);
    await expect(groupsAt(300_000, "read")).rejects.toThrow(SlackSilentError);
  });

  test("is not cached when the user could not be read", async () => {
    const { actors, scene } = startActors({ user: { id: 5 } });
    await expect(actors.actor("U1")).rejects.toThrow(ZodError);
    scene.user = member;
    expect((await actors.actor("U1")).name).toBe("alice");
  });
});

/** The people of a Slack that answers every call with this error. */
function whereSlackSays(error: string) {
  const { client } = createFakeSlack(() => ({ ok: false, error }));
  return createActors({ client, teamId: () => "T1", groupIds: () => [], elapsedMs: () => noon, log: quietLog });
}

test.each(["users_not_found", "user_not_visible"])(
  "finds nobody by e-mail address when Slack answers %s",
  async (error) => {
    expect(await whereSlackSays(error).withEmail("alice@example.com")).toBeUndefined();
  },
);

test.each(["internal_error", "missing_scope"])(
  "throws, for a later retry, when the look-up by e-mail address answers %s",
  async (error) => {
    await expect(whereSlackSays(error).withEmail("alice@example.com")).rejects.toThrow(error);
  },
);
