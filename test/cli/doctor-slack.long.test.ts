import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createLogger } from "../../src/observability/log.ts";
import { defaultSeed } from "../../src/sandbox/workspace/default-seed.ts";
import { createCheckClient } from "../../src/slack/checks/check-client.ts";
import { checkAppToken, checkScopes } from "../../src/slack/checks/check-slack.ts";
import { exampleConfig } from "../support/start-curfew.ts";
import { aHealthyPlace, complaints, failed, withConfig } from "./doctor-place.ts";

/** The places in the example that name the channel. */
const usesOfOps =
  "announce.0, warnings.0, callers.0, workflows, permissions.roles.engineer.where, permissions.roles.release.where, channels";

describe("in Slack", () => {
  test.each([
    ["invalid_auth", "Copy the Bot User OAuth Token again"],
    ["account_inactive", "install it again"],
    ["token_expired", "Switch token rotation off"],
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
    [{ error: "fatal_error" }, "the request to Slack failed: Slack says fatal_error"],
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
    const place = await aHealthyPlace({
      scopes: ["commands", "chat:write", "users:read", "channels:read", "groups:read"],
    });
    expect(await complaints(place)).toEqual([
      failed("scopes", "missing: users:read.email, usergroups:read", expect.stringContaining("install the app again")),
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
    ["leave", "the bot is not a member of it", "Type /invite"],
    ["archive", "it is archived", "Unarchive it"],
  ] as const)(
    "a channel fails when the bot cannot post to it (%s), and doctor posts nothing",
    async (happens, what, whatToDo) => {
      const place = await aHealthyPlace();
      if (happens === "leave") await place.workspace.changes.leave("bot", "ops");
      else await place.workspace.changes.archive("ops");
      expect(await complaints(place)).toEqual([
        failed("channel C0OPS", `${what} (${usesOfOps})`, expect.stringContaining(whatToDo)),
      ]);
      expect(place.workspace.calls.filter(({ method }) => method.startsWith("chat."))).toEqual([]);
    },
  );

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
    [{ error: "access_denied" }, "failed", `Slack says access_denied (${usesOfOps})`],
    [{ error: "internal_error" }, "not checked", expect.stringContaining("Slack says internal_error")],
    [{ status: 503 }, "not checked", expect.stringContaining("HTTP status 503")],
  ])("a channel's result follows Slack's answer (%o)", async (fault, verdict, what) => {
    const place = await aHealthyPlace();
    place.workspace.faults.failNext("conversations.info", fault);
    expect(await complaints(place)).toEqual([{ name: "channel C0OPS", verdict, what, whatToDo: expect.any(String) }]);
  });

  test("every channel that the config names is checked; one where Curfew only answers is a warning", async () => {
    const place = await aHealthyPlace();
    await place.workspace.changes.leave("bot", "random");
    const sha256 = "0".repeat(64);
    const config = `${exampleConfig.replace("where: { channels: [C0OPS]", "where: { channels: [C0OPS, C0RANDOM, C0WHERE]")}
warnings: [{ projects: [p-dev], channel: C0WARN }]
digest: { channel: C0DIGEST }
callers: [{ name: build-bot, role: engineer, channel: C0CALLS, tokenSha256: "${sha256}" }]
budgets: [{ weeklyHours: 40, then: approval, approvers: [admin], channel: C0BUDGET }]
approvals: [{ operations: [RemoveUserMfa], approvers: [admin, engineer, helpdesk], channel: C0APPROVE }]
`;
    const replaced = ["warnings", "digest", "callers", "channels"].reduce(
      (text, section) => text.replace(new RegExp(`^${section}:\\n(?: .*\\n)+`, "m"), ""),
      config.replace(/^workflows: .*$/m, "workflows: { steps: [check_status], actAs: release, channel: C0FLOWS }"),
    );
    const found = await complaints(withConfig(place, `${replaced}channels: { C0SECTION: { project: p-dev } }\n`));
    const channels = found.filter(({ name }) => name.startsWith("channel "));
    expect(channels.map(({ name, verdict }) => `${name.slice("channel ".length)} ${verdict}`).sort()).toEqual([
      "C0APPROVE failed",
      "C0BUDGET failed",
      "C0CALLS warning",
      "C0DIGEST failed",
      "C0FLOWS warning",
      "C0RANDOM warning",
      "C0SECTION warning",
      "C0WARN failed",
      "C0WHERE warning",
    ]);
  });

  test("waits while Slack limits the rate", async () => {
    const place = await aHealthyPlace();
    for (const method of ["auth.test", "conversations.info", "users.info", "usergroups.list"])
      place.workspace.faults.failNext(method, { retryAfterSeconds: 1 });
    expect(await complaints(place)).toEqual([]);
  });

  test("any number of people is checked, by few calls", async () => {
    const many = Array.from({ length: 1200 }, (_, at) => ({
      ...{ id: `U1MANY${at}`, handle: `many${at}`, realName: `Many ${at}` },
      email: `many${at}@example.com`,
    }));
    const [engineers, ...groups] = defaultSeed.userGroups;
    const seed = {
      ...defaultSeed,
      people: [...defaultSeed.people, ...many],
      userGroups: engineers ? [{ ...engineers, members: many.map(({ handle }) => handle) }, ...groups] : [],
    };
    const place = await aHealthyPlace({ seed, rateLimits: "slack" });
    const approvals = "\napprovals: [{ operations: [ModifyUser], approvers: [engineer] }]\n";
    expect(await complaints(withConfig(place, exampleConfig + approvals))).toEqual([]);
    const calls = (method: string) => place.workspace.calls.filter((call) => call.method === method).length;
    expect([calls("users.list"), calls("users.info")]).toEqual([2, 0]);
    await place.workspace.changes.changePerson("many0", { deleted: true });
    const named = exampleConfig.replace("[U02BOB]", `[${many.map(({ id }) => id)}, U0NOBODY]`);
    expect(await complaints(withConfig(place, named))).toEqual([
      failed("people", "U1MANY0 (helpdesk) is deactivated\nU0NOBODY (helpdesk) is not known in this workspace"),
    ]);
  });

  test("a channel in several entries is checked once", async () => {
    const place = await aHealthyPlace();
    await place.workspace.changes.leave("bot", "ops");
    const approvals =
      "approvals:\n  - { operations: [ModifyUser], approvers: [admin, helpdesk, engineer], channel: C0OPS }\n";
    const config = approvals + exampleConfig.replace("channel: C0ADMINS", "channel: C0OPS");
    expect(await complaints(withConfig(place, config))).toEqual([
      failed(
        "channel C0OPS",
        `the bot is not a member of it (${usesOfOps.replace("announce.0", "announce.0, approvals.0").replace("warnings.0", "warnings.0, admins")})`,
      ),
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
    place.workspace.faults.failNext("usergroups.list", { error: "plan_upgrade_required", times: 2 });
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
    place.workspace.faults.failNext("users.info", { error: "internal_error" });
    expect(await complaints(place)).toEqual([
      {
        name: "people",
        verdict: "not checked",
        what: "1 of 2 could not be checked: the request to Slack failed: Slack says internal_error",
        whatToDo: expect.any(String),
      },
    ]);
  });
});
