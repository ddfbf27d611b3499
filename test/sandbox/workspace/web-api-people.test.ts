import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultSeed } from "../../../src/sandbox/workspace/default-seed.ts";
import { startWorkspace, type Workspace } from "../../support/start-workspace.ts";
import { callSlack } from "./call-slack.ts";
import { manifestWithScopes, tinyManifest } from "./tiny-manifest.ts";

let workspace: Workspace;
beforeEach(async () => {
  workspace = await startWorkspace({ manifest: tinyManifest, now: () => Date.parse("2026-11-20T12:00:00Z") });
});
afterEach(() => workspace.close());

const without = (...scopes: readonly string[]) => ({
  ...manifestWithScopes(...scopes),
  settings: { ...tinyManifest.settings, event_subscriptions: {} },
});

describe("people", () => {
  it("have their zone, offset and kind", async () => {
    expect(await callSlack(workspace, "users.info", { user: "U04DAVE" })).toMatchObject({
      user: {
        id: "U04DAVE",
        team_id: "T0CURFEW",
        tz: "Asia/Kolkata",
        tz_offset: 19_800,
        is_restricted: false,
        is_bot: false,
      },
    });
    expect(await callSlack(workspace, "users.info", { user: "U02BOB" })).toMatchObject({
      user: { tz_offset: -18_000 },
    });
    expect(await callSlack(workspace, "users.info", { user: "U05GINA" })).toMatchObject({
      user: { is_restricted: true },
    });
    expect(await callSlack(workspace, "users.info", { user: "U06ERIN" })).toMatchObject({
      user: { team_id: "T0OTHER", is_stranger: false },
    });
    expect(await callSlack(workspace, "users.info", { user: "U08ROBOT" })).toMatchObject({ user: { is_bot: true } });
    expect(await callSlack(workspace, "users.info", { user: "U404" })).toMatchObject({ error: "user_not_found" });
  });

  it("have few fields when they are deactivated", async () => {
    const { user } = await callSlack(workspace, "users.info", { user: "U07FRED" });
    expect(user).toMatchObject({ deleted: true });
    expect(user).not.toHaveProperty("tz");
    expect(user).not.toHaveProperty("is_restricted");
  });

  it("show e-mail addresses only with the scope, and never of external people", async () => {
    expect(await callSlack(workspace, "users.info", { user: "U01ALICE" })).toMatchObject({
      user: { profile: { email: "alice@example.com" } },
    });
    const other = await startWorkspace({ manifest: without("users:read") });
    const { user } = await callSlack(other, "users.info", { user: "U01ALICE" });
    expect(user).not.toHaveProperty("profile.email");
    expect(await callSlack(other, "users.lookupByEmail", { email: "alice@example.com" })).toMatchObject({
      needed: "users:read.email",
    });
    await other.close();
  });

  it("are found by e-mail unless they are deactivated", async () => {
    expect(await callSlack(workspace, "users.lookupByEmail", { email: "BOB@example.com" })).toMatchObject({
      user: { id: "U02BOB" },
    });
    expect(await callSlack(workspace, "users.lookupByEmail", { email: "fred@example.com" })).toMatchObject({
      error: "users_not_found",
    });
  });

  it("are listed in pages, only from this workspace", async () => {
    const first = await callSlack(workspace, "users.list", { limit: 5 });
    expect(first.members).toHaveLength(5);
    const cursor = Object(first.response_metadata).next_cursor;
    const second = await callSlack(workspace, "users.list", { limit: 5, cursor });
    expect(second).toMatchObject({
      members: [{ id: "U07FRED" }, { id: "U08ROBOT" }, { id: "UCURFEW" }],
      response_metadata: { next_cursor: "" },
    });
    expect(await callSlack(workspace, "users.list", { cursor: "what" })).toMatchObject({ error: "invalid_cursor" });
    expect(await callSlack(workspace, "users.list", { limit: 1001 })).toMatchObject({ error: "invalid_limit" });
  });

  it("are listed as they are: deactivated, guests, and nobody of elsewhere", async () => {
    const { members } = await callSlack(workspace, "users.list", { limit: 999, team_id: "T0IGNORED" });
    expect(members).toMatchObject([
      { id: "U01ALICE", deleted: false, profile: { email: "alice@example.com" } },
      { id: "U02BOB" },
      { id: "U03CAROL", is_admin: true },
      { id: "U04DAVE" },
      { id: "U05GINA", is_restricted: true },
      { id: "U07FRED", deleted: true },
      { id: "U08ROBOT", is_bot: true },
      { id: "UCURFEW" },
    ]);
    // Erin has a place in the list of whoever is in a channel here, and not in the answer.
    const pages = [await callSlack(workspace, "users.list", { limit: 6 })];
    expect(pages[0]?.members).toHaveLength(5);
    expect(Object(pages[0]?.response_metadata).next_cursor).not.toBe("");
  });

  it("of a large workspace are listed only with a limit, twenty times a minute", async () => {
    const many = Array.from({ length: 1001 }, (_, at) => ({ id: `U${at}`, handle: `p${at}`, realName: `P ${at}` }));
    const large = await startWorkspace({
      manifest: tinyManifest,
      rateLimits: "slack",
      seed: { ...defaultSeed, people: [...defaultSeed.people, ...many] },
    });
    expect(await callSlack(large, "users.list", {})).toMatchObject({ error: "limit_required" });
    for (let calls = 1; calls < 20; calls++)
      expect(await callSlack(large, "users.list", { limit: 10 })).toMatchObject({ ok: true });
    expect(await callSlack(large, "users.list", { limit: 10 })).toMatchObject({ error: "ratelimited" });
    await large.close();
  });

  it("of an organization are listed for each workspace", async () => {
    const person = (id: string, ...teams: string[]) => ({ id, handle: id, realName: id, teams });
    const org = await startWorkspace({
      manifest: tinyManifest,
      seed: {
        ...defaultSeed,
        enterprise: { id: "E0ORG", name: "Example", isOrgWide: true },
        people: [person("W1", "T0CURFEW"), person("W2", "T0CURFEW", "T0SISTER"), person("W3", "T0SISTER")],
        ...{ channels: [], userGroups: [] },
      },
    });
    const idsIn = async (team_id: string) => {
      const { members } = await callSlack(org, "users.list", { limit: 999, team_id });
      return Array.isArray(members) ? members.map(({ id }) => id) : [];
    };
    expect(await callSlack(org, "users.list", { limit: 999 })).toMatchObject({ error: "missing_argument" });
    expect(await idsIn("T0CURFEW")).toEqual(["W1", "W2", "UCURFEW"]);
    expect(await idsIn("T0SISTER")).toEqual(["W2", "W3"]);
    await org.close();
  });
});

describe("user groups", () => {
  it("are listed when enabled, with members on request", async () => {
    await workspace.changes.disableGroup("helpdesk");
    const shown = await callSlack(workspace, "usergroups.list", { include_users: true, include_count: true });
    expect(shown).toMatchObject({
      usergroups: [{ id: "S0ENGINEERS", users: ["U01ALICE"], user_count: "1", date_delete: 0 }],
    });
    const all = await callSlack(workspace, "usergroups.list", { include_disabled: true });
    expect(all.usergroups).toHaveLength(2);
  });

  it("reflect changes of members", async () => {
    await workspace.changes.setGroup("engineers", ["alice", "dave"]);
    const { usergroups } = await callSlack(workspace, "usergroups.list", { include_users: true });
    expect(usergroups).toMatchObject([{ id: "S0ENGINEERS", users: ["U01ALICE", "U04DAVE"] }, { id: "S0HELPDESK" }]);
  });
});

describe("conversations", () => {
  it("are limited to those the bot can see, each kind with its scope", async () => {
    expect(await callSlack(workspace, "conversations.info", { channel: "C0RANDOM" })).toMatchObject({
      channel: { is_member: false, is_private: false },
    });
    expect(await callSlack(workspace, "conversations.info", { channel: "C0SEC" })).toMatchObject({
      channel: { is_private: true, is_member: true },
    });
    const other = await startWorkspace({ manifest: without("channels:read") });
    expect(await callSlack(other, "conversations.info", { channel: "C0OPS" })).toMatchObject({
      channel: { is_ext_shared: true },
    });
    expect(await callSlack(other, "conversations.info", { channel: "C0SEC" })).toMatchObject({
      error: "missing_scope",
      needed: "groups:read",
    });
    await other.close();
  });

  it("list members, including bots, in pages", async () => {
    expect(await callSlack(workspace, "conversations.members", { channel: "C0ADMINS" })).toMatchObject({
      members: ["U03CAROL", "UCURFEW"],
    });
    const page = await callSlack(workspace, "conversations.members", { channel: "C0OPS", limit: 2 });
    expect(page.members).toHaveLength(2);
    expect(await callSlack(workspace, "conversations.members", { channel: "C0OPS", limit: 0 })).toMatchObject({
      error: "invalid_limit",
    });
  });
});
