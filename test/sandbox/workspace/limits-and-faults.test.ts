import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startWorkspace, type Workspace } from "../../support/start-workspace.ts";
import { callSlack } from "./call-slack.ts";
import { tinyManifest } from "./tiny-manifest.ts";

let clock = 1_000_000;
let workspace: Workspace;
beforeEach(async () => {
  workspace = await startWorkspace({ manifest: tinyManifest, now: () => clock });
});
afterEach(() => workspace.close());

const post = (channel = "C0OPS") => callSlack(workspace, "chat.postMessage", { channel, text: "hi" });

describe("rate limits", () => {
  it("allow a burst, then one message per second and channel", async () => {
    for (let count = 1; count <= 5; count += 1) expect(await post()).toMatchObject({ ok: true });
    expect(await post()).toMatchObject({ status: 429, retryAfter: "1", ok: false, error: "ratelimited" });
    expect(await post("C0SEC")).toMatchObject({ ok: true });
    clock += 1000;
    expect(await post()).toMatchObject({ ok: true });
    expect(await post()).toMatchObject({ status: 429 });
  });

  it("apply each method's tier", async () => {
    for (let count = 1; count <= 20; count += 1) await callSlack(workspace, "usergroups.list");
    expect(await callSlack(workspace, "usergroups.list")).toMatchObject({ status: 429, retryAfter: "3" });
    expect(await callSlack(workspace, "users.list")).toMatchObject({ ok: true });
  });

  it("can be disabled", async () => {
    const free = await startWorkspace({ manifest: tinyManifest, rateLimits: "off" });
    const answers = await Promise.all(Array.from({ length: 25 }, () => callSlack(free, "usergroups.list")));
    await free.close();
    expect(answers.every((answer) => answer.ok === true)).toBe(true);
  });
});

describe("faults", () => {
  it("hit the next call to a method, as often as planned", async () => {
    workspace.faults.failNext("chat.postMessage", { error: "internal_error", times: 2 });
    expect(await post()).toMatchObject({ ok: false, error: "internal_error" });
    expect(await callSlack(workspace, "auth.test")).toMatchObject({ ok: true });
    expect(await post()).toMatchObject({ ok: false });
    expect(await post()).toMatchObject({ ok: true });
    expect(workspace.channel("ops").messages).toHaveLength(1);
  });

  it("can limit the rate, or answer with a status", async () => {
    workspace.faults.failNext("auth.test", { retryAfterSeconds: 7 });
    expect(await callSlack(workspace, "auth.test")).toMatchObject({
      status: 429,
      retryAfter: "7",
      error: "ratelimited",
    });
    workspace.faults.failNext("*", { status: 503 });
    await expect(callSlack(workspace, "auth.test")).rejects.toThrow();
    expect(workspace.calls.at(-1)).toMatchObject({ status: 503 });
  });

  it("can drop the connection, before or after the call is performed", async () => {
    workspace.faults.failNext("chat.postMessage", { reset: true });
    await expect(post()).rejects.toThrow("fetch failed");
    expect(workspace.channel("ops").messages).toHaveLength(0);
    workspace.faults.failNext("chat.postMessage", { reset: true, afterwards: true });
    await expect(post()).rejects.toThrow("fetch failed");
    expect(workspace.channel("ops").messages).toHaveLength(1);
    expect(workspace.calls.at(-1)).toMatchObject({ method: "chat.postMessage", answer: null });
  });

  it("can take Slack down and bring it back", async () => {
    workspace.faults.down();
    await expect(post()).rejects.toThrow("fetch failed");
    workspace.faults.up();
    expect(await post()).toMatchObject({ ok: true });
  });
});

describe("waitFor", () => {
  it("resolves as soon as the workspace changes", async () => {
    const waiting = workspace.waitFor(() => workspace.channel("ops").messages[0]);
    await post();
    expect((await waiting).text).toBe("hi");
  });

  it("rejects with the recent calls after the timeout", async () => {
    await post();
    const waiting = workspace.waitFor(() => false, { timeoutMs: 10, what: "the moon" });
    await expect(waiting).rejects.toThrow(/the moon did not happen within 10 ms.*chat\.postMessage 200/s);
  });
});
