import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Control, startControl } from "../../src/sandbox/control.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";
import { sandboxOf } from "./sandbox-of.ts";

let curfew: Curfew;
let control: Control;
beforeEach(async () => {
  curfew = await startCurfew();
  control = await startControl(sandboxOf(curfew), 0);
});
afterEach(async () => {
  await control.close();
  await curfew.stop();
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const get = async (path: string): Promise<Answer> => {
  const answer = await fetch(`${control.url}${path}`);
  return { status: answer.status, body: await answer.json() };
};
const post = async (path: string, body: unknown): Promise<Answer> => {
  const sent = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(`${control.url}${path}`, { method: "POST", body: sent });
  return { status: answer.status, body: await answer.json() };
};
const containing = (...items: readonly unknown[]) => expect.arrayContaining([...items]);
const like = (object: object) => expect.objectContaining(object);

describe("acting as a person", () => {
  test("answers with all new messages once the bot is idle", async () => {
    curfew.service.faults.next({ kind: "latency", ms: 200 });
    const answer = await post("/act", { as: "alice", in: "ops", type: "/curfew exclude i-0a1 for 2h" });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        view: null,
        messages: containing(
          like({ in: "ops", onlyForYou: true, text: expect.stringContaining("Keeping i-0a1") }),
          like({
            in: "ops",
            onlyForYou: false,
            text: expect.stringContaining("@alice is keeping *i-0a1* running until"),
          }),
        ),
      },
    });
    expect(await post("/act", { as: "alice", type: "/curfew whoami" })).toMatchObject({ body: { messages: [{}] } });
  });

  test("fills in, searches and submits a form", async () => {
    expect(await post("/act", { as: "alice", type: "/curfew exclude" })).toMatchObject({
      body: { view: { title: "Keep running", fields: containing("What", "Until") } },
    });
    expect(await post("/act", { as: "alice", press: "More…" })).toMatchObject({ status: 200 });
    const search = { as: "alice", suggest: { label: "Project", query: "dev" } };
    expect(await post("/act", search)).toMatchObject({ body: { options: containing("Development (p-dev)") } });
    const values = { What: "i-0a2", "Resource type": "amazon-ec2-instance", Project: "Development (p-dev)" };
    expect(await post("/act", { as: "alice", fill: values })).toMatchObject({ status: 200 });
    expect(await get("/view?as=alice")).toMatchObject({ body: { text: expect.stringContaining("[ i-0a2 ]") } });
    expect(await post("/act", { as: "alice", submit: true })).toMatchObject({ status: 200, body: { view: null } });
    expect(await get("/service")).toMatchObject({
      body: { exclusions: containing(like({ resourceIds: ["i-0a2"], isInForce: true })) },
    });
  });

  test("presses a button unless its confirmation is denied", async () => {
    await post("/act", { as: "alice", type: "/curfew exclude i-0a1 for 2h" });
    const inForce = like({ resourceIds: ["i-0a1"], isInForce: true });
    await post("/act", { as: "alice", press: "End now", deny: true });
    expect(await get("/service")).toMatchObject({ body: { exclusions: containing(inForce) } });
    await post("/act", { as: "alice", press: "End now" });
    expect(await get("/service")).not.toMatchObject({ body: { exclusions: containing(inForce) } });
  });

  test("gives the reason when an act is impossible", async () => {
    const nothing = { status: 409, body: { error: "alice has no view open.", view: null, messages: [] } };
    expect(await post("/act", { as: "alice", submit: true })).toEqual(nothing);
    expect(await post("/act", { as: "alice", in: "security", type: "/curfew help" })).toMatchObject({ status: 409 });
    expect(await post("/act", { as: "zed", type: "/curfew help" })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("zed") },
    });
  });

  test("rejects a request that is not exactly one act", async () => {
    const many = { as: "alice", type: "/curfew help", submit: true };
    for (const body of [many, { as: "alice" }, { type: "/curfew help" }, { as: "alice", tpye: "x" }, "{", ""]) {
      expect(await post("/act", body)).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    }
    expect(curfew.workspace.appRequests).toEqual([]);
  });
});

describe("reading", () => {
  test("shows each person their own messages, in one place or in all", async () => {
    await post("/act", { as: "alice", type: "/curfew exclude i-0a1 for 2h" });
    expect(await get("/messages?as=alice&in=ops")).toMatchObject({ body: containing(like({ onlyForYou: true })) });
    expect(await get("/messages?as=bob")).toMatchObject({ body: [{ onlyForYou: false }] });
    expect((await get("/messages?as=bob&in=dm")).body).toEqual([]);
    expect((await get("/view?as=bob")).body).toBe(null);
  });

  test("lists people with their channels, and the service's users and projects", async () => {
    const gina = like({ handle: "gina", isRestricted: true, channels: ["ops", "random"] });
    expect(await get("/people")).toMatchObject({ body: containing(gina) });
    expect(await get("/service")).toMatchObject({
      body: { users: containing(like({ username: "bob" })), projects: containing(like({ projectId: "p-dev" })) },
    });
  });

  test("documents the API at GET /help and points unknown paths there", async () => {
    const help = await (await fetch(`${control.url}/help`)).text();
    for (const path of ["/act", "/messages", "/view", "/service", "/fault", "/people", "/clock"])
      expect(help).toContain(path);
    expect(await get("/toString")).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining("GET /help") },
    });
    expect(await get("/act")).toMatchObject({ status: 404 });
  });
});

describe("faults", () => {
  test("of the service hit the next change and can be cleared", async () => {
    const fault = { service: { kind: "status", status: 403, operation: "CreateActionExclusion" } };
    const idsInService = async () => JSON.stringify((await get("/service")).body);
    expect(await post("/fault", fault)).toMatchObject({ status: 200 });
    await post("/act", { as: "alice", type: "/curfew exclude i-0a1 for 2h" });
    expect(await idsInService()).not.toContain("i-0a1");
    await post("/fault", fault);
    await post("/fault", { clear: true });
    await post("/act", { as: "alice", type: "/curfew exclude i-0a2 for 2h" });
    expect(await idsInService()).toContain("i-0a2");
  });

  test("of Slack hit the next call", async () => {
    await post("/fault", { slack: { method: "chat.postMessage", error: "not_in_channel" } });
    await post("/act", { as: "alice", type: "/curfew exclude i-0a1 for 2h" });
    expect(curfew.workspace.calls).toContainEqual(like({ answer: { ok: false, error: "not_in_channel" } }));
  });

  test("of unknown kinds are rejected", async () => {
    expect(await post("/fault", { service: { kind: "earthquake" } })).toMatchObject({ status: 400 });
  });
});

describe("the clock", () => {
  test("moves forward and returns the new time", async () => {
    const before = Date.now();
    const { status, body } = await post("/clock", { forward: "2h" });
    expect(status).toBe(200);
    expect(Date.parse(Object(body).now)).toBeGreaterThanOrEqual(before + 2 * 3_600_000);
    expect(await post("/clock", { forward: "soon" })).toMatchObject({ status: 400 });
    expect(await post("/clock", { backward: "2h" })).toMatchObject({ status: 400 });
  });
});

describe("web pages", () => {
  /** `fetch` does not allow these headers. */
  const postWith = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request(`${control.url}/act`, { method: "POST", headers }, (answer) => {
        text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
      });
      sent.on("error", reject).end(JSON.stringify({ as: "alice", type: "/curfew exclude i-0a1 for 2h" }));
    });

  test("cannot drive the sandbox, from another origin or under another DNS name", async () => {
    expect(await postWith({ origin: "https://evil.example" })).toMatchObject({ status: 403 });
    expect(await postWith({ origin: control.url })).toMatchObject({ status: 403 });
    expect(await postWith({ host: "evil.example" })).toMatchObject({ status: 403 });
    expect(await postWith({ host: "127.0.0.1.evil.example:80" })).toMatchObject({ status: 403 });
    expect(curfew.workspace.appRequests).toEqual([]);
    expect(await postWith({ host: "localhost:1234" })).toMatchObject({ status: 200 });
  });
});
