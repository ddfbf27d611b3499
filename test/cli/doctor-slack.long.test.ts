import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createLogger } from "../../src/observability/log.ts";
import { createCheckClient } from "../../src/slack/checks/check-client.ts";
import { checkAppToken } from "../../src/slack/checks/check-receiver.ts";
import { checkScopes } from "../../src/slack/checks/check-scopes.ts";
import { exampleConfig } from "../support/start-curfew.ts";
import { aHealthyPlace, complaints, failed, withConfig } from "./doctor-place.ts";

describe("in Slack", () => {
  test.each([
    ["invalid_auth", "Copy the Bot User OAuth Token again"],
    ["account_inactive", "install it again"],
    ["token_expired", "Switch token rotation off"],
    ["fatal_error", "Copy the Bot User OAuth Token again"],
  ])("a token fails on %s, and checks that need it are skipped", async (error, whatToDo) => {
    const place = await aHealthyPlace({ mode: "socket" });
    place.workspace.faults.failNext("auth.test", { error });
    const what = "the bot token was not accepted";
    expect(await complaints(place)).toEqual([
      failed("bot token", `not accepted: Slack says ${error}`, expect.stringContaining(whatToDo)),
      { name: "scopes", verdict: "not checked", what },
      { name: "channels", verdict: "not checked", what },
      { name: "user groups", verdict: "not checked", what },
      { name: "people", verdict: "not checked", what },
    ]);
  });

  test.each([
    [{ reset: true }, "the request to Slack failed: the connection failed (UND_ERR_SOCKET)"],
    [{ status: 502 }, "the request to Slack failed: it answered with HTTP status 502"],
    [{ retryAfterSeconds: 30 }, "Slack limits the rate of requests just now"],
  ])("an unreachable workspace fails (%o)", async (fault, what) => {
    const place = await aHealthyPlace();
    place.workspace.faults.failNext("auth.test", fault);
    expect((await complaints(place))[0]).toEqual(failed("bot token", what));
  });

  test("an address fails when something other than Slack answers there", async () => {
    const { env, files } = await aHealthyPlace();
    const server = createServer((_request, response) => response.end("<html>Welcome</html>"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const found = await complaints({ env: { ...env, SLACK_API_URL: `http://127.0.0.1:${port}/api/` }, files });
    expect(found[0]).toEqual(failed("bot token", "the request to Slack failed: its answer could not be read"));
  });

  test("a missing scope fails, and checks that need it are skipped", async () => {
    const place = await aHealthyPlace({ scopes: ["commands", "chat:write", "users:read"] });
    expect(await complaints(place)).toEqual([
      failed(
        "scopes",
        "missing: users:read.email, usergroups:read, channels:read, groups:read",
        expect.stringContaining("install the app again"),
      ),
      {
        name: "user groups",
        verdict: "not checked",
        what: expect.stringContaining("the token needs usergroups:read"),
        whatToDo: expect.any(String),
      },
    ]);
  });

  test("channels and people stay unchecked when the token lacks their scopes", async () => {
    const place = await aHealthyPlace({ scopes: ["commands", "usergroups:read"] });
    expect((await complaints(place)).map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
      "scopes failed",
      ...["channel C0OPS", "channel C0SEC", "channel C0ADMINS", "people"].map((name) => `${name} not checked`),
    ]);
  });

  test("a scope that Curfew does not need is a warning", async () => {
    const needed = ["commands", "chat:write", "users:read", "users:read.email", "usergroups:read"];
    const scopes = [...needed, "channels:read", "groups:read", "pins:write"];
    expect(await complaints(await aHealthyPlace({ scopes }))).toEqual([
      { name: "scopes", verdict: "warning", what: "more than Curfew needs: pins:write", whatToDo: expect.any(String) },
    ]);
    expect(checkScopes(needed, [...needed, "files:write"])).toMatchObject({
      verdict: "ok",
      what: "all that are needed. Without files:write the weekly digest has bars of text instead of an image",
    });
  });

  test("a missing scope for mentions or direct messages is no fault, and doctor says what goes unheard", () => {
    expect(checkScopes(["commands", "im:history"], ["commands", "im:history", "app_mentions:read"])).toMatchObject({
      verdict: "ok",
      what: "all that are needed. Without app_mentions:read mentions of Curfew get no answer",
    });
  });

  test("an app token that Slack refuses fails", async () => {
    const place = await aHealthyPlace({ mode: "socket" });
    const env = { ...place.env, SLACK_APP_TOKEN: "xapp-1-other" };
    expect(await complaints({ env, files: place.files })).toEqual([
      failed("app token", "not accepted: Slack says invalid_auth", expect.stringContaining("connections:write")),
    ]);
  });

  test("tokens of two different apps fail", async () => {
    const { workspace } = await aHealthyPlace({ mode: "socket" });
    const { apiUrl, appToken: token } = workspace;
    const log = createLogger({ level: "silent" });
    const { client } = createCheckClient({ token, apiUrl, now: Date.now, log });
    expect(await checkAppToken(client, "A0OTHER")).toEqual(
      failed("app token", "it belongs to the app A0CURFEW, and the bot token to A0OTHER"),
    );
  });

  test("scopes are not compared when Slack does not list them", () => {
    expect(checkScopes(undefined, ["commands"])).toMatchObject({ name: "scopes", verdict: "not checked" });
  });

  test.each([
    ["leave", "the bot is not a member of it (announce.0)", "Type /invite"],
    ["archive", "it is archived (announce.0)", "Unarchive it"],
  ] as const)("a channel fails when the bot cannot post to it (%s)", async (happens, what, whatToDo) => {
    const place = await aHealthyPlace();
    if (happens === "leave") await place.workspace.changes.leave("bot", "ops");
    else await place.workspace.changes.archive("ops");
    expect(await complaints(place)).toEqual([failed("channel C0OPS", what, expect.stringContaining(whatToDo))]);
  });

  test("a missing channel fails, and so does a private one without the bot", async () => {
    const place = await aHealthyPlace();
    await place.workspace.changes.leave("bot", "security");
    const config = exampleConfig.replace("channel: C0ADMINS", "channel: C0NOWHERE");
    const what = "there is no such channel, or it is private and the bot is not in it";
    expect(await complaints(withConfig(place, config))).toEqual([
      failed("channel C0SEC", `${what} (announce.1)`),
      failed("channel C0NOWHERE", `${what} (admins)`),
    ]);
  });

  test.each([
    [{ error: "restricted_action" }, "failed", "the bot may not post there (announce.0)"],
    [
      { error: "internal_error" },
      "warning",
      expect.stringContaining("could not check whether the bot can post there: Slack says internal_error"),
    ],
    [{ retryAfterSeconds: 9 }, "not checked", "Slack limits the rate of requests just now (announce.0)"],
  ])("a channel's result follows Slack's answer (%o)", async (fault, verdict, what) => {
    const place = await aHealthyPlace();
    place.workspace.faults.failNext("chat.postEphemeral", fault);
    expect(await complaints(place)).toEqual([{ name: "channel C0OPS", verdict, what, whatToDo: expect.any(String) }]);
  });

  test("a channel in several entries is checked once", async () => {
    const place = await aHealthyPlace();
    await place.workspace.changes.leave("bot", "ops");
    const approvals =
      "approvals:\n  - { operations: [ModifyUser], approvers: [admin, helpdesk, engineer], channel: C0OPS }\n";
    const config = approvals + exampleConfig.replace("channel: C0ADMINS", "channel: C0OPS");
    expect(await complaints(withConfig(place, config))).toEqual([
      failed("channel C0OPS", "the bot is not a member of it (announce.0, approvals.0, admins)"),
    ]);
  });

  test("a config without channels, groups or people only warns that it admits nobody", async () => {
    const place = await aHealthyPlace();
    expect(await complaints(withConfig(place, "permissions: { roles: {} }"))).toMatchObject([
      { name: "config", verdict: "warning" },
    ]);
  });

  test("people whose requests, or whose accounts, too few could approve are a warning", async () => {
    const place = await aHealthyPlace();
    const entry = (approvers: string) =>
      withConfig(place, `${exampleConfig}\napprovals: [{ operations: [RemoveUserMfa], approvers: [${approvers}] }]\n`);
    const found = async (approvers: string) =>
      (await complaints(entry(approvers))).flatMap(({ name, what }) => (name === "approvers" ? what.split("\n") : []));
    // Alice is in the user group of the engineers.
    expect(await found("engineer, admin, helpdesk")).toEqual([]);
    expect(await found("admin")).toEqual([
      "approvals.0: too few could approve what carol (U03CAROL) may ask for",
      "approvals.0: too few could approve a change of the account of carol (U03CAROL)",
    ]);
    // One person with two accounts counts once.
    await place.workspace.changes.changePerson("alice", { email: "carol@example.com" });
    expect(await found("engineer, admin")).toEqual([
      "approvals.0: too few could approve what carol (U03CAROL) may ask for",
      "approvals.0: too few could approve a change of the account of carol (U03CAROL), alice (U01ALICE)",
    ]);
  });

  test("a nonexistent user group with a role fails; a disabled or empty one is a warning", async () => {
    const place = await aHealthyPlace();
    const config = exampleConfig.replace("[U02BOB]", "[S0HELPDESK]");
    await place.workspace.changes.disableGroup("helpdesk");
    await place.workspace.changes.setGroup("engineers", []);
    const warnings = "S0ENGINEERS (engineer) has nobody in it\nS0HELPDESK (helpdesk) is disabled: nobody has its roles";
    expect(await complaints(withConfig(place, config))).toEqual([
      { name: "user groups", verdict: "warning", what: warnings, whatToDo: expect.any(String) },
    ]);
    const unknown = config.replace("[U03CAROL]", "[S0NOBODY]");
    expect(await complaints(withConfig(place, unknown))).toEqual([
      failed("user groups", `${warnings}\nS0NOBODY (admin) does not exist`),
    ]);
  });

  test("reports a Slack plan without user groups", async () => {
    const place = await aHealthyPlace();
    place.workspace.faults.failNext("usergroups.list", { error: "plan_upgrade_required" });
    expect(await complaints(place)).toEqual([failed("user groups", "this workspace's plan has no user groups")]);
  });

  test("people with roles but no access are a warning; a nonexistent person fails", async () => {
    const place = await aHealthyPlace();
    const config = exampleConfig
      .replace("[U02BOB]", "[U05GINA, U07FRED]")
      .replace("[U03CAROL]", "[U06ERIN, U08ROBOT, U03CAROL]");
    const warnings = [
      "U05GINA (helpdesk) is a guest, and guests may do nothing",
      "U07FRED (helpdesk) is deactivated",
      "U06ERIN (admin) belongs to another organization, whose people may do nothing",
      "U08ROBOT (admin) is a bot, and bots may do nothing",
    ].join("\n");
    expect(await complaints(withConfig(place, config))).toEqual([
      { name: "people", verdict: "warning", what: warnings, whatToDo: expect.any(String) },
    ]);
    expect(await complaints(withConfig(place, config.replace("U03CAROL", "U0NOBODY")))).toEqual([
      failed("people", `${warnings}\nU0NOBODY (admin) is not known in this workspace`),
    ]);
  });

  test("people are not counted as missing while Slack cannot look them up", async () => {
    const place = await aHealthyPlace();
    place.workspace.faults.failNext("users.info", { retryAfterSeconds: 30 });
    expect(await complaints(place)).toEqual([
      {
        name: "people",
        verdict: "not checked",
        what: "1 of 2 could not be checked: Slack limits the rate of requests just now",
        whatToDo: expect.any(String),
      },
    ]);
  });
});
