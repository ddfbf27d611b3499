import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { createServiceClient } from "../../src/service/client.ts";
import { connectSlack } from "../../src/slack/connection/slack-connection.ts";
import { createSlackHttp } from "../../src/slack/connection/slack-http.ts";
import { followsText } from "../../src/slack/listeners/acknowledgement.ts";
import { quietLog } from "../changes/build.ts";
import { tinyManifest } from "../sandbox/workspace/tiny-manifest.ts";
import { specInputs } from "../service/spec-inputs.ts";
import { createTestClient } from "../service/test-client.ts";
import { type Clock, createClock } from "../support/clock.ts";
import { ask, changesSentTo, textOf } from "../support/journey.ts";
import { createSignal } from "../support/signal.ts";
import { type Curfew, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";
import { startWorkspace } from "../support/start-workspace.ts";
import { createTimers } from "../support/stopped-time.ts";

const hanging = "GetManagedPolicy";
const policy = { id: "mp-00000001" };
/** Far longer than it takes, and far shorter than the timeout of a hanging call (15 s). */
const soonMs = 6000;

async function startHangingService() {
  const service = await startSandboxService();
  onTestFinished(() => service.close());
  const { client } = createTestClient(service.baseUrl, { apiKey: service.apiKey, retries: 0 });
  const gate = createSignal();
  onTestFinished(gate.give);
  const hang = () =>
    service.faults.next({ kind: "held", until: gate.given, acts: "before", operation: hanging, times: 10_000 });
  const call = (requesterId: string) => client.call(hanging, policy, { requesterId });
  const held = () => service.requests.filter(({ operation, status }) => operation === hanging && status === undefined);
  /** When it is answered, everything sent before has arrived. */
  const probe = async (requesterId = "U9") => {
    const startedAt = performance.now();
    for (let count = 0; count < 5; count += 1)
      expect((await client.call("ListActions", {}, { requesterId })).kind).toBe("succeeded");
    return performance.now() - startedAt;
  };
  /** One call that takes more than a second. */
  const becomeSlow = async () => {
    service.faults.next({ kind: "latency", ms: 1300, operation: hanging });
    expect((await call("U0")).kind).toBe("succeeded");
  };
  return { service, client, gate, hang, call, held, probe, becomeSlow };
}

const many = (count: number, call: (index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_none, index) => call(index)));

describe("an endpoint that hangs", () => {
  it("leaves slots for all others from the start, and gets all its answers in the end", async () => {
    const { gate, hang, call, held, probe } = await startHangingService();
    hang();
    const calls = many(100, () => call("U1"));
    expect(await probe()).toBeLessThan(soonMs);
    expect(held()).toHaveLength(24);
    gate.give();
    for (const result of await calls) expect(result).toMatchObject({ kind: "succeeded" });
  });

  it("gets a quarter of the slots once it is known to be slow", async () => {
    const { hang, call, held, probe, becomeSlow } = await startHangingService();
    await becomeSlow();
    hang();
    void many(60, (index) => call(`U${index}`));
    expect(await probe()).toBeLessThan(soonMs);
    expect(held()).toHaveLength(8);
  });

  it("gives one person a quarter of its slots, so that others can call it too", async () => {
    const { hang, call, held, probe, becomeSlow } = await startHangingService();
    await becomeSlow();
    hang();
    void many(60, () => call("U1"));
    await probe();
    expect(held()).toHaveLength(2);
    void call("U2");
    await probe();
    expect(held()).toHaveLength(3);
  });

  it("stays usable for others when one person filled it before it counted as slow", async () => {
    const { service, hang, call, held, probe } = await startHangingService();
    hang();
    void many(100, () => call("U1"));
    await probe();
    service.faults.clear();
    // Its running calls make it slow after a second; then this one proceeds.
    expect(await call("U2")).toMatchObject({ kind: "succeeded" });
    expect(held()).toHaveLength(24);
  });

  it("delays nobody else, even when all but one other endpoint hang too", async () => {
    const { service, client, gate, probe } = await startHangingService();
    const reads = ["GetManagedPolicy", "GetManagedServicesSelector", "GetAction"] as const;
    for (const operation of reads)
      service.faults.next({ kind: "held", until: gate.given, acts: "before", operation, times: 1000 });
    void many(60, () => client.call("GetManagedPolicy", policy, { requesterId: "U1" }));
    void many(60, () =>
      client.call("GetManagedServicesSelector", specInputs.GetManagedServicesSelector, { requesterId: "U1" }),
    );
    void many(60, () => client.call("GetAction", specInputs.GetAction, { requesterId: "U1" }));
    expect(await probe("U1")).toBeLessThan(soonMs);
  });

  it("regains its slots with the first quick answer", async () => {
    const { gate, hang, call, held, probe, becomeSlow } = await startHangingService();
    await becomeSlow();
    expect(await call("U1")).toMatchObject({ kind: "succeeded" });
    hang();
    const calls = many(30, () => call("U1"));
    await probe();
    expect(held()).toHaveLength(24);
    gate.give();
    await calls;
  });

  it("is reported to everybody whose wait times out, and nothing of theirs is sent later", async () => {
    const { service, hang, held, probe, becomeSlow, call } = await startHangingService();
    await becomeSlow();
    hang();
    void many(2, () => call("U1"));
    await probe();
    const { client } = createTestClient(service.baseUrl, {
      apiKey: service.apiKey,
      maxInFlight: 1,
      callTimeoutMs: 300,
    });
    const rename = { id: "p-dev", name: "Never" };
    service.faults.next({ kind: "latency", ms: 2000, operation: "ModifyProject" });
    const [first, second] = await Promise.all([
      client.call("ModifyProject", { id: "p-dev", name: "First" }),
      client.call("ModifyProject", rename),
    ]);
    expect(first.kind).toBe("unknown");
    expect(second).toMatchObject({ kind: "failed", error: { code: "ServiceSlow" } });
    expect(second).toMatchObject({ error: { message: expect.stringContaining("was not sent. Try again") } });
    expect(service.requests.filter(({ body }) => JSON.stringify(body)?.includes("Never"))).toEqual([]);
    expect(held()).toHaveLength(2);
  });
});

describe("the whole bot", () => {
  let clock: Clock;
  let timers: ReturnType<typeof createTimers>;
  let curfew: Curfew;
  let gates: ReturnType<typeof createSignal>[] = [];
  const gate = () => {
    const signal = createSignal();
    gates.push(signal);
    return signal;
  };
  beforeEach(async () => {
    clock = createClock();
    timers = createTimers(clock);
    curfew = await startCurfew({ config: unlimitedConfig, now: clock.now });
    await curfew.restart({ service: createServiceClient(curfew.service), progressSchedule: timers.schedule });
  });
  afterEach(async () => {
    for (const { give } of gates) give();
    gates = [];
    curfew.workspace.faults.clear();
    await curfew.stop();
  });
  const person = (who: string) => curfew.workspace.as(who);
  const type = async (who: string, line: string) => expect(await person(who).type(line, "ops")).toEqual({ ok: true });
  const timed = async <T>(work: Promise<T>) => {
    const startedAt = performance.now();
    const result = await work;
    return { result, ms: performance.now() - startedAt };
  };
  const messagesTo = (who: string) =>
    person(who)
      .messages("ops")
      .filter(({ isFromApp, ephemeralTo }) => isFromApp && ephemeralTo === person(who).id)
      .map(textOf);
  const silentText = "Slack did not answer in time who you are";

  it.each([
    ["one person", ["carol"]],
    ["several people", ["carol", "alice", "carol"]],
  ])("makes an exclusion immediately while 30 lines of %s wait for a hanging endpoint", async (_who, people) => {
    const { given, give } = gate();
    curfew.service.faults.next({ kind: "held", until: given, acts: "before", operation: hanging, times: 1000 });
    const lines = Array.from({ length: 30 }, (_line, at) =>
      type(people[at % people.length] ?? "", "/curfew policy show mp-00000001"),
    );
    await Promise.all(lines);
    const excluded = await timed(ask(curfew, "alice", "exclude i-0a1 for 1h"));
    expect(excluded.result.text).toContain("Keeping i-0a1");
    expect(excluded.ms).toBeLessThan(soonMs);
    const listed = await timed(ask(curfew, "alice", "action list"));
    expect(listed.ms).toBeLessThan(soonMs);
    give();
  });

  describe("with a Slack that does not identify people", () => {
    /** Holds the look-ups, for any time, until the test ends. */
    const hang = (method: "users.info" | "usergroups.list") => {
      const { given } = gate();
      curfew.workspace.faults.failNext(method, { until: given, times: 1000 });
    };

    it("answers the first requester within seconds that nothing was changed", async () => {
      hang("users.info");
      const sent = changesSentTo(curfew);
      const { result, ms } = await timed(ask(curfew, "carol", "exclude i-0a1 for 1h"));
      expect(result.text).toContain(silentText);
      expect(result.text).toContain("Nothing was changed: try again in a moment.");
      expect(ms).toBeLessThan(soonMs);
      expect(sent()).toEqual([]);
    });

    it("answers reads and refusals from recent Slack answers, and makes no change after a minute", async () => {
      await ask(curfew, "alice", "whoami");
      await ask(curfew, "dave", "whoami");
      clock.advance(61_000);
      hang("users.info");
      hang("usergroups.list");
      const sent = changesSentTo(curfew);
      const read = await timed(ask(curfew, "alice", "whoami"));
      expect(read.result.text).toContain("engineer");
      expect(read.ms).toBeLessThan(soonMs);
      expect((await ask(curfew, "dave", "exclude i-0a1 for 1h")).text).toContain("You can't ");
      const changed = await timed(ask(curfew, "alice", "exclude i-0a1 for 1h"));
      expect(changed.result.text).toContain(silentText);
      expect(changed.ms).toBeLessThan(soonMs);
      expect(sent()).toEqual([]);
    });

    it("admits nobody who lost a right a minute ago", async () => {
      expect((await ask(curfew, "alice", "exclude i-0a1 for 1h")).text).toContain("Keeping ");
      await curfew.workspace.changes.setGroup("engineers", []);
      clock.advance(61_000);
      hang("usergroups.list");
      const sent = changesSentTo(curfew);
      expect((await ask(curfew, "alice", "exclude i-0a2 for 1h")).text).toContain(silentText);
      // Slack limits the look-ups and then hangs.
      curfew.workspace.faults.clear();
      clock.advance(61_000);
      curfew.workspace.faults.failNext("users.info", { retryAfterSeconds: 30, times: 1 });
      hang("users.info");
      expect((await ask(curfew, "alice", "exclude i-0a2 for 1h")).text).not.toContain("Keeping ");
      expect(sent()).toEqual([]);
    });

    it("trusts no answer older than five minutes", async () => {
      await ask(curfew, "alice", "whoami");
      clock.advance(5 * 60_000 + 1);
      hang("users.info");
      expect((await ask(curfew, "alice", "whoami")).text).toContain(silentText);
    });

    it("does not affect people named in their role when only a group look-up hangs", async () => {
      hang("usergroups.list");
      const { result, ms } = await timed(ask(curfew, "carol", "exclude i-0a1 for 1h"));
      expect(result.text).toContain("Keeping ");
      expect(ms).toBeLessThan(soonMs);
      expect((await ask(curfew, "alice", "exclude i-0a2 for 1h")).text).toContain(silentText);
    });

    it("uses a late answer for the next request", async () => {
      const { given, give } = gate();
      curfew.workspace.faults.failNext("users.info", { until: given });
      expect((await ask(curfew, "carol", "exclude i-0a1 for 1h")).text).toContain(silentText);
      const asked = () => curfew.workspace.calls.filter(({ method }) => method === "users.info").length;
      const before = asked();
      give();
      await curfew.workspace.waitFor(() => asked() > before);
      expect((await ask(curfew, "carol", "exclude i-0a1 for 1h")).text).toContain("Keeping ");
    });

    it("acknowledges a line in time while Slack does not say who asks", async () => {
      hang("users.info");
      await type("carol", "/curfew exclude i-0a1 for 1h");
      expect(messagesTo("carol")).toEqual([expect.stringContaining(followsText)]);
      await curfew.workspace.waitFor(() => messagesTo("carol").some((text) => text.includes(silentText)));
      expect(messagesTo("carol")).toHaveLength(2);
      expect(timers.skip()).toBe(false);
    });
  });

  it("sends messages while many look-ups hang, and cancels the look-ups", async () => {
    const workspace = await startWorkspace({ manifest: tinyManifest });
    const { fetch, close } = createSlackHttp();
    const { given, give } = gate();
    const nothing = () => undefined;
    const { client, lookUpClient } = await connectSlack({
      slack: {
        botToken: workspace.botToken,
        apiUrl: workspace.apiUrl,
        receiver: { kind: "http", signingSecret: workspace.signingSecret },
      },
      host: "127.0.0.1",
      port: 0,
      routes: {},
      fetch,
      onCall: nothing,
      onAck: nothing,
      log: quietLog,
    });
    workspace.faults.failNext("users.info", { until: given, times: 1000 });
    const lookUps = Array.from({ length: 150 }, () => lookUpClient.users.info({ user: "U01ALICE" }));
    const [first, ...others] = lookUps.map((lookUp) => lookUp.then(nothing, (error: unknown) => error));
    expect((await timed(client.chat.postMessage({ channel: "C0OPS", text: "here" }))).ms).toBeLessThan(soonMs);
    expect(await first).toMatchObject({ code: "slack_webapi_request_error" });
    give();
    await Promise.all(others);
    await close();
    await workspace.close();
  });
});
