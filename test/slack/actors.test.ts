import { describe, expect, test } from "vitest";
import { createActors } from "../../src/slack/people/actors.ts";
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
  readonly groups?: Readonly<Record<string, SlackAnswer>>;
}

function startActors({ user = member, groups = {} }: Scene = {}) {
  const clock = { now: noon };
  const scene = { user, groups: { ...groups } };
  const { client, calls } = createFakeSlack(({ method, args }) => {
    if (method === "users.info") return { ok: true, user: scene.user };
    return scene.groups[args.usergroup ?? ""] ?? { ok: false, error: "no_such_subteam" };
  });
  const actors = createActors({
    client,
    teamId: "T1",
    groupIds: () => Object.keys(scene.groups),
    elapsedMs: () => clock.now,
    log: quietLog,
  });
  return { actors, calls, clock, scene };
}

const membersOf = (...users: string[]) => ({ ok: true, users });

test("reads a person and their groups from Slack", async () => {
  const { actors } = startActors({ groups: { S1: membersOf("U1", "U2"), S2: membersOf("U2"), S3: membersOf("U1") } });
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
    ["who has not joined yet", { is_invited_user: true }, "guest"],
    ["who is a bot", { is_bot: true }, "bot"],
    ["who is an app's user", { is_app_user: true }, "bot"],
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

describe("a group that cannot be read", () => {
  test.each([
    ["is unknown", { ok: false, error: "no_such_subteam" }],
    ["may not be read", { ok: false, error: "missing_scope" }],
    ["has no list", { ok: true }],
    ["comes too slowly", new Response("", { status: 429, headers: { "retry-after": "30" } })],
    ["comes from a broken Slack", new Response("<html>", { status: 503 })],
  ])("gives nobody its role when it %s; the other groups count", async (_how, answer) => {
    const { actors } = startActors({ groups: { S1: answer, S2: membersOf("U1") } });
    expect((await actors.actor("U1")).groupIds).toEqual(["S2"]);
  });

  test("is read again at the next request", async () => {
    const { actors, scene } = startActors({ groups: { S1: { ok: false, error: "internal_error" } } });
    expect((await actors.actor("U1")).groupIds).toEqual([]);
    scene.groups.S1 = membersOf("U1");
    expect((await actors.actor("U1")).groupIds).toEqual(["S1"]);
  });
});

describe("an answer from Slack", () => {
  test("is cached for 30 seconds for a read", async () => {
    const { actors, calls, clock, scene } = startActors({ groups: { S1: membersOf("U1") } });
    await Promise.all([actors.actor("U1"), actors.actor("U1"), actors.emailOf("U1")]);
    expect(calls).toHaveLength(2);
    scene.user = { ...member, deleted: true };
    scene.groups.S1 = membersOf();
    clock.now = noon + 29_999;
    expect(await actors.actor("U1")).toMatchObject({ membership: "member", groupIds: ["S1"] });
    clock.now = noon + 30_000;
    expect(await actors.actor("U1")).toMatchObject({ membership: "deleted", groupIds: [] });
    expect(calls).toHaveLength(4);
  });

  test("is cached for 5 seconds for a change; only groups that give roles are read again", async () => {
    const { actors, calls, clock, scene } = startActors({ groups: { S1: membersOf("U1"), S2: membersOf("U2") } });
    await actors.actor("U1");
    clock.now = noon + 4999;
    expect(await actors.actor("U1", "change")).toMatchObject({ membership: "member", groupIds: ["S1"] });
    expect(calls).toHaveLength(3);
    scene.user = { ...member, deleted: true };
    scene.groups.S1 = membersOf();
    clock.now = noon + 5000;
    expect(await actors.actor("U1", "change")).toMatchObject({ membership: "deleted", groupIds: [] });
    expect(calls.slice(3).map(({ args }) => args.usergroup ?? args.user)).toEqual(["U1", "S1"]);
  });

  test("serves a change for 30 seconds while Slack limits the rate, but not after other errors", async () => {
    const limited = () => new Response("", { status: 429, headers: { "retry-after": "30" } });
    const groupsAt = async (at: number, answer: SlackAnswer) => {
      const { actors, clock, scene } = startActors({ groups: { S1: membersOf("U1") } });
      await actors.actor("U1");
      scene.groups.S1 = answer;
      clock.now = noon + at;
      return (await actors.actor("U1", "change")).groupIds;
    };
    expect(await groupsAt(29_999, limited())).toEqual(["S1"]);
    expect(await groupsAt(30_000, limited())).toEqual([]);
    expect(await groupsAt(5000, { ok: false, error: "internal_error" })).toEqual([]);
  });

  test("is not cached when the user could not be read", async () => {
    const { actors, scene } = startActors({ user: { id: 5 } });
    await expect(actors.actor("U1")).rejects.toThrow();
    scene.user = member;
    expect((await actors.actor("U1")).name).toBe("alice");
  });
});

test.each(["users_not_found", "user_not_visible"])(
  "finds nobody by e-mail address when Slack answers %s",
  async (error) => {
    const { client } = createFakeSlack(() => ({ ok: false, error }));
    const actors = createActors({ client, teamId: "T1", groupIds: () => [], elapsedMs: () => noon, log: quietLog });
    expect(await actors.withEmail("alice@example.com")).toBeUndefined();
  },
);

test.each(["internal_error", "missing_scope"])(
  "throws, for a later retry, when the look-up by e-mail address answers %s",
  async (error) => {
    const { client } = createFakeSlack(() => ({ ok: false, error }));
    const actors = createActors({ client, teamId: "T1", groupIds: () => [], elapsedMs: () => noon, log: quietLog });
    await expect(actors.withEmail("alice@example.com")).rejects.toThrow(error);
  },
);
