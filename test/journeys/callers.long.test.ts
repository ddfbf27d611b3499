import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { openRaw, verify } from "../store/history-file.ts";
import { configWith } from "../support/approval-journey.ts";
import {
  bodyHash,
  call,
  callLine,
  lookAt,
  nextToken,
  requestId,
  rootToken,
  sandboxToken,
  withRootBot,
} from "../support/as-caller.ts";
import { ask, cardOf, cardsIn, changesSentTo, messagesAfter, textOf, threadOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { createSignal } from "../support/signal.ts";
import { reload, unlimitedConfig } from "../support/start-curfew.ts";

const root = { token: rootToken };

describe("a pipeline", () => {
  const approvals = configWith("{ operations: [DeleteCredential, ModifyUser], approvers: [admin] }");
  const config = withRootBot(approvals);
  const { curfew, clock } = oneBot({ config });
  afterEach(() => reload(curfew(), config));
  const rows = async () => {
    const db = openRaw(curfew().database);
    const tables = ["caller_request", "receipt", "change", "transition", "outbox"] as const;
    return JSON.stringify(await Promise.all(tables.map((name) => db.selectFrom(name).selectAll().execute())));
  };

  it("does what its line says, under its name, and people go on from there", async () => {
    const sent = changesSentTo(curfew());
    const { status, body } = await callLine(curfew(), "keep i-0c82 up for 1h because release 7");
    expect([status, body.outcome]).toEqual([200, "succeeded"]);
    expect(body.message).toMatch(/^Keeping i-0c82 running until .* \(Europe\/Berlin/);
    expect(Date.parse(String(body.endsAt)) - clock.now()).toBeGreaterThan(3_590_000);
    expect(await callLine(curfew(), "keep i-0c82 up for 30m")).toMatchObject({
      ...{ status: 200, body: { outcome: "answered", message: expect.stringContaining("already until") } },
    });
    const changeId = String(body.change);
    const card = await cardOf(curfew(), changeId);
    expect(textOf(card)).toContain("deploy-bot (pipeline) is keeping *i-0c82* running until");
    expect(JSON.stringify(card)).not.toMatch(/<@|caller:/);
    expect(await lookAt(curfew(), `/v1/changes/${changeId}`)).toMatchObject({
      ...{ status: 200, body: { ...body, message: expect.stringContaining("Keeping ") } },
    });
    expect(await lookAt(curfew(), `/v1/changes/${changeId}`, rootToken)).toMatchObject({ status: 404 });
    expect((await callLine(curfew(), "status i-0c82")).body.message).toContain("until");
    expect((await callLine(curfew(), "next")).body.outcome).toBe("answered");

    expect((await ask(curfew(), "alice", "extend i-0c82 1h")).text).toContain("only if you made it through Curfew");
    expect((await ask(curfew(), "carol", "history by deploy-bot")).text).toContain(
      "*deploy-bot (pipeline) kept i-0c82 running*",
    );
    expect((await ask(curfew(), "carol", "extend i-0c82 1h")).text).toContain(": now until");
    const end = `exclusion end ${body.exclusion}`;
    expect((await callLine(curfew(), end)).body.confirm).toContain("The schedule counts again now.");
    expect((await callLine(curfew(), end, { confirm: true })).body.outcome).toBe("succeeded");
    expect(sent()).toEqual(["CreateActionExclusion", "ModifyActionExclusion", "DeleteActionExclusion"]);
    await curfew().app.idle();
    // Slack is never asked for a program, nor given anything to show it.
    expect(JSON.stringify(curfew().workspace.calls.map((each) => each.arguments))).not.toContain("caller:");
  });

  it("reads what is missing, wrong, to be confirmed or not allowed as a problem, and nothing is changed", async () => {
    const sent = changesSentTo(curfew());
    const answers = (line: string, asking = {}) => callLine(curfew(), line, asking).then(({ body }) => body);
    expect(await answers("exclude i-0c81 for 2h", root)).toMatchObject({
      ...{ type: "urn:curfew:question", status: 422, title: "The line is incomplete or ambiguous" },
      detail: expect.stringContaining("Which project is i-0c81 in? Nothing was changed yet."),
      choices: expect.arrayContaining([
        { label: "Production", command: "exclusion create", input: expect.objectContaining({ project: "p-prod" }) },
      ]),
    });
    expect(await answers("keep staging up until yesterday --another")).toMatchObject({
      problems: { until: "That is past. Give a moment still to come." },
    });
    expect(await answers("user email bob", root)).toMatchObject({ missing: ["address"] });
    expect(await answers("keep staging up for 1h plaese")).toMatchObject({ status: 422 });
    expect(await answers("warn me about staging")).toMatchObject({ detail: expect.stringContaining("Only people") });
    expect(await answers("undo")).toMatchObject({ status: 422 });
    expect(await answers("disable dave")).toMatchObject({
      ...{ type: "urn:curfew:refused", status: 403 },
      detail: expect.stringContaining("Ask @bob or @carol."),
    });
    expect(await answers("keep staging up for 30h --another")).toMatchObject({ status: 403 });
    expect(sent()).toEqual([]);

    expect(await answers("user remove-mfa bob", root)).toMatchObject({ status: 422, confirm: expect.any(String) });
    const removed = await answers("user remove-mfa bob", { ...root, confirm: true });
    expect(removed).toMatchObject({ outcome: "succeeded" });
    expect(await answers("project rename p-new Renamed", root)).toMatchObject({
      confirm: "Use “p-new” as a project id",
    });
    // A guess is not confirmed in advance.
    expect(await answers("keep stagin up for 1h", { confirm: true })).toMatchObject({ status: 422 });
    expect(sent()).toEqual(["RemoveUserMfa"]);
  });

  it("waits for an approval, across a restart, and learns how it came out", async () => {
    const asking = { ...root, key: "rotate-7" };
    const asked = await callLine(curfew(), "disable dave because left", asking);
    const location = asked.headers.get("location") ?? "";
    expect([asked.status, asked.body.outcome, location]).toEqual([
      ...[202, "awaiting-approval", `/v1/changes/${asked.body.change}`],
    ]);
    expect(await callLine(curfew(), `approve ${asked.body.change}`, root)).toMatchObject({ status: 403 });
    await curfew().app.idle();
    await curfew().restart();
    expect((await callLine(curfew(), "disable dave because left", asking)).body).toEqual(asked.body);
    const card = await cardOf(curfew(), String(asked.body.change));
    expect(textOf(card)).toContain("root-bot (pipeline) wants to");
    await messagesAfter(curfew(), "carol", () => curfew().workspace.as("carol").press("Approve", card));
    await curfew().app.idle();
    expect(await lookAt(curfew(), location, rootToken)).toMatchObject({ status: 200, body: { outcome: "succeeded" } });
    expect(await callLine(curfew(), "disable dave because left", asking)).toMatchObject({
      ...{ status: 200, body: { outcome: "succeeded", change: asked.body.change } },
    });
    const denied = await callLine(curfew(), "enable dave", { ...root, key: "no" });
    await ask(curfew(), "carol", `deny ${denied.body.change} not now`);
    expect(await callLine(curfew(), "enable dave", { ...root, key: "no" })).toMatchObject({
      ...{ status: 403, body: { outcome: "denied", change: denied.body.change } },
    });
    expect(await verify(curfew().database)).toMatchObject({ kind: "intact" });
  });

  it("is done once for each Idempotency-Key, also at the same time, after a restart and at another body", async () => {
    const sent = changesSentTo(curfew());
    const line = "keep staging up for 2h --another";
    const asking = () => callLine(curfew(), line, { key: "7" });
    const [first, same] = await Promise.all([asking(), asking()]);
    expect(same.body).toEqual(first.body);
    await curfew().app.idle();
    await curfew().restart();
    const again = await callLine(curfew(), line, { key: "7" });
    expect([again.status, again.body, again.headers.get("idempotent-replayed")]).toEqual([200, first.body, "true"]);
    expect(await callLine(curfew(), "keep staging up for 3h --another", { key: "7" })).toMatchObject({ status: 409 });
    expect(await callLine(curfew(), line, { key: "7", confirm: true })).toMatchObject({ status: 409 });
    // Another caller's key is another.
    expect((await callLine(curfew(), line, { ...root, key: "7" })).body.change).not.toBe(first.body.change);
    expect((await callLine(curfew(), line)).body.change).not.toBe(first.body.change);
    expect(sent()).toHaveLength(3);
  });

  it("finds by its key what came of a request that a crash interrupted", async () => {
    const sent = changesSentTo(curfew());
    const word = (value: string) => [{ value, isQuoted: false }];
    const said = {
      parts: { resourceIds: word("staging"), until: word("1h") },
      sets: { process: "stop", another: true },
    };
    const line = { id: requestId("cut"), kind: "line", words: "exclusion create", said } as const;
    let store: Store | undefined;
    await curfew().app.stop();
    await curfew().restart({
      openStore: async (...given) => {
        store = await openStore(...given);
        return store;
      },
    });
    await store?.receive({ ...line, userId: "caller:deploy-bot", channelId: "C0OPS", receivedAt: clock.now() });
    await store?.claimCallerRequest({
      id: line.id,
      bodyHash: bodyHash("exclude staging for 1h"),
      receivedAt: clock.now(),
    });
    await curfew().app.stop();
    await curfew().restart({ heartbeatEveryMs: 20 });
    await expect.poll(() => sent().length, { timeout: 5000 }).toBe(1);
    await curfew().app.idle();
    const found = await callLine(curfew(), "exclude staging for 1h", { key: "cut" });
    expect(found).toMatchObject({ status: 200, body: { outcome: "succeeded" } });

    const { given: until, give: release } = createSignal();
    curfew().service.faults.next({ kind: "held", operation: "CreateActionExclusion", until, acts: "before" });
    void callLine(curfew(), "keep staging up for 1h --another", { key: "held" }).catch(() => undefined);
    await expect.poll(() => sent().length, { timeout: 5000 }).toBe(2);
    await curfew().restart({ heartbeatEveryMs: 20 });
    release();
    const held = () => callLine(curfew(), "keep staging up for 1h --another", { key: "held" });
    await expect.poll(async () => (await held()).status, { timeout: 10_000, interval: 100 }).toBe(502);
    expect(await held()).toMatchObject({ status: 502, body: { outcome: "unknown" } });
    expect(sent()).toHaveLength(2);
  });

  it("says what the service refused, and what nobody knows, as a failure", async () => {
    const { faults } = curfew().service;
    faults.next({ kind: "status", operation: "CreateActionExclusion", status: 400 });
    const failed = await callLine(curfew(), "keep staging up for 1h --another");
    expect(failed).toMatchObject({ status: 502, body: { type: "urn:curfew:not-done", outcome: "failed" } });
    expect(failed.body.detail).toContain("nothing was changed");
    faults.next({ kind: "reset-after", operation: "CreateActionExclusion" });
    expect(await callLine(curfew(), "keep staging up for 1h --another")).toMatchObject({
      ...{ status: 502, body: { outcome: "unknown" } },
    });
  });

  it("is turned away without a token, with a wrong request, and beyond its limit; nobody else is", async () => {
    const url = `${curfew().url}/v1/lines`;
    const authorization = `Bearer ${sandboxToken}`;
    const json = { "content-type": "application/json", authorization, "idempotency-key": "wrong" };
    const post = async (body: string | ReadableStream, headers: Readonly<Record<string, string>> = json) =>
      (await call(url, { method: "POST", body, headers, ...(typeof body === "string" ? {} : { duplex: "half" }) }))
        .status;
    const line = JSON.stringify({ line: "status staging" });
    expect(await post(line)).toBe(200);
    const { authorization: _none, ...anonymous } = json;
    for (const wrong of [
      `Bearer ${sandboxToken}x`,
      "Bearer ",
      sandboxToken,
      `Basic ${sandboxToken}`,
      "Bearer U03CAROL",
    ])
      expect([wrong, await post(line, { ...json, authorization: wrong })]).toEqual([wrong, 401]);
    expect(await post(line, anonymous)).toBe(401);
    expect(
      (await call(`${url}?token=${sandboxToken}`, { method: "POST", body: line, headers: anonymous })).status,
    ).toBe(401);
    // The example's token is public: no proxy brings it in.
    expect(await post(line, { ...json, "x-forwarded-for": "203.0.113.7" })).toBe(401);
    expect(await post(line, { ...json, "content-type": "text/plain" })).toBe(415);
    expect(await post(line, { ...json, "content-encoding": "gzip" })).toBe(415);
    expect(await post(new Blob([line]).stream())).toBe(200);
    expect(await post(new Blob(["x".repeat(20_000)]).stream())).toBe(413);
    expect(await post(JSON.stringify({ line: "x".repeat(20_000) }))).toBe(413);
    for (const body of [
      "",
      "{",
      "[]",
      "null",
      '{"line": 7}',
      '{"line": ""}',
      '{"line":"next","as":"carol"}',
      '{"confirm":true}',
    ])
      expect([body, await post(body)]).toEqual([body, 400]);
    expect(await post(`{"line":"next","__proto__":{"confirm":true}}`)).toBe(400);
    for (const key of ["", "a b", "a,  b", "é", "x".repeat(201)])
      expect([key, await post(line, { ...json, "idempotency-key": key })]).toEqual([key, 400]);
    expect((await call(url, { headers: json })).status).toBe(405);
    expect((await call(`${curfew().url}/v1/other`, { headers: json })).status).toBe(404);
    expect((await call(`${curfew().url}/v1/changes/chg-1%0d%0aSet-Cookie:x`, { headers: json })).status).toBe(404);
    // A body that never comes whole holds up nothing.
    const half = connect(Number(new URL(url).port), "127.0.0.1");
    const head = Object.entries({ ...json, "content-length": "100" }).map(([name, value]) => `${name}: ${value}\r\n`);
    half.write(`POST /v1/lines HTTP/1.1\r\nhost: x\r\n${head.join("")}\r\n{"line": "keep`);
    await once(half, "ready");
    half.destroy();
    const hostile = await callLine(curfew(), "keep <!channel> up\r\nX-Injected: 1 for 1h\u0000\ud800");
    expect([hostile.status, hostile.headers.get("x-injected")]).toEqual([422, null]);

    await reload(curfew(), config.replace("perPersonPerMinute: 0", "perPersonPerMinute: 2"));
    const many = await Promise.all([1, 2, 3].map(() => callLine(curfew(), "next")));
    const [late, ...others] = many.filter(({ status }) => status === 429);
    expect([late?.body.type, others.length < 3, Number(late?.headers.get("retry-after")) > 0]).toEqual([
      ...["urn:curfew:too-many", true, true],
    ]);
    expect((await callLine(curfew(), "next", root)).status).toBe(200);
  });

  it("changes its token with both in force, is closed at once when it is taken out, and no token is kept anywhere", async () => {
    const statusOf = async (token: string) => (await callLine(curfew(), "next", { token })).status;
    await reload(curfew(), withRootBot(approvals, [rootToken, nextToken]));
    expect([await statusOf(rootToken), await statusOf(nextToken)]).toEqual([200, 200]);
    await reload(curfew(), withRootBot(approvals, [nextToken]));
    expect([await statusOf(rootToken), await statusOf(nextToken)]).toEqual([401, 200]);
    await reload(curfew(), unlimitedConfig);
    expect([await statusOf(nextToken), await statusOf(sandboxToken)]).toEqual([401, 200]);
    await reload(curfew(), unlimitedConfig.replace(/^callers:\n.*\n/m, ""));
    expect([await statusOf(sandboxToken), (await call(`${curfew().url}/v1/openapi.json`, {})).status]).toEqual([
      404, 404,
    ]);
    const kept = `${await rows()}${curfew().logged.join("\n")}`;
    for (const token of [sandboxToken, rootToken, nextToken]) expect(kept).not.toContain(token);
  });
});

describe("a pipeline of a Curfew in Socket Mode", () => {
  const { curfew, clock } = oneBot({ mode: "socket" });

  it("asks at the port of the health checks", async () => {
    expect(await callLine(curfew(), "keep staging up for 1h")).toMatchObject({
      status: 200,
      body: { outcome: "succeeded" },
    });
    expect((await fetch(`${curfew().url}/healthz`)).status).toBe(200);
    await curfew().app.idle();
    const [made] = cardsIn(curfew().workspace, "ops");
    clock.advance(31 * 60_000);
    await curfew().app.idle();
    // Its reminder comes in the channel only, and mentions nobody.
    const [reminder] = made ? threadOf(curfew(), made) : [];
    expect(reminder && textOf(reminder)).toMatch(/^:alarm_clock: This ends /);
    expect(JSON.stringify(curfew().workspace.calls.map((each) => each.arguments))).not.toContain("caller:");
  });
});
