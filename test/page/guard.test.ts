import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtPage } from "../support/built.ts";
import { type RunningPage, startPage } from "./start-page.ts";

let sandbox: RunningPage;
beforeAll(async () => {
  sandbox = await startPage(builtPage());
});
afterAll(async () => {
  await sandbox.stop();
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const json = { "content-type": "application/json" };
const line = JSON.stringify({ as: "alice", act: { kind: "type", text: "/curfew help", where: "ops" } });

/** `fetch` does not allow these headers. */
const send = (method: string, path: string, headers: Readonly<Record<string, string>>, body = ""): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(`${sandbox.url}${path}`, { method, headers }, (answer) => {
      const { statusCode = 0 } = answer;
      text(answer).then((said) => resolve({ status: statusCode, headers: answer.headers, body: said }), reject);
    });
    sent.on("error", reject).end(body);
  });
const post = (headers: Readonly<Record<string, string>>, body = line) => send("POST", "/api/act", headers, body);

describe("other pages in the same browser", () => {
  test.each([
    ["another page", { ...json, origin: "https://evil.example" }],
    ["a page of another server on this machine", { ...json, origin: "http://127.0.0.1:1" }],
    ["a page under a DNS name for this machine", { ...json, host: "evil.example" }],
    ["a page under a name that looks like this machine", { ...json, host: "127.0.0.1.evil.example:80" }],
    ["a page whose origin is hidden", { ...json, origin: "null" }],
    ["a cross-site request", { ...json, "sec-fetch-site": "cross-site" }],
    ["a plain text form", { "content-type": "text/plain" }],
    ["a URL-encoded form", { "content-type": "application/x-www-form-urlencoded" }],
    ["a request without a content type", {}],
  ])("cannot act: %s", async (_who, headers) => {
    const before = sandbox.curfew.workspace.appRequests.length;
    expect(await post(headers)).toMatchObject({ status: 403 });
    expect(sandbox.curfew.workspace.appRequests).toHaveLength(before);
  });

  test("cannot read", async () => {
    for (const headers of [{ host: "evil.example" }, { origin: "https://evil.example" }]) {
      expect(await send("GET", "/api/events?as=alice", headers)).toMatchObject({ status: 403 });
      expect(await send("GET", "/", headers)).toMatchObject({ status: 403 });
    }
  });

  test("do not stop the page itself from acting, under 127.0.0.1 or localhost", async () => {
    const { host } = new URL(sandbox.url);
    const own = { ...json, origin: `http://${host}`, "sec-fetch-site": "same-origin" };
    expect(await post(own)).toMatchObject({ status: 200 });
    const port = new URL(sandbox.url).port;
    expect(await post({ ...json, host: `localhost:${port}`, origin: `http://localhost:${port}` })).toMatchObject({
      status: 200,
    });
  });
});

describe("the files", () => {
  test("are the page, its script and its style, with a strict content security policy", async () => {
    for (const path of ["/", "/page.js", "/page.css", "/icon.svg"]) {
      const { status, headers, body } = await send("GET", path, {});
      expect([path, status]).toEqual([path, 200]);
      expect(body.length).toBeGreaterThan(100);
      expect(headers).toMatchObject({
        "content-security-policy": expect.stringMatching(/^default-src 'self';.*frame-ancestors 'none'/),
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
      });
    }
    expect((await send("GET", "/", {})).body).not.toMatch(/<style|style=|onclick|<script>/);
  });

  test("are the only ones served, and a missing build gives a hint", async () => {
    for (const path of ["/page.html", "/../package.json", "/%2e%2e/package.json", "/toString", "//"]) {
      expect(await send("GET", path, {})).toMatchObject({ status: 404 });
    }
    const without = await startPage();
    try {
      const answer = await fetch(without.url);
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining("npm run build")]);
    } finally {
      await without.stop();
    }
  });
});

describe("a request body", () => {
  test.each([
    ["invalid JSON", "{"],
    ["an empty body", ""],
    ["an unknown act", JSON.stringify({ as: "alice", act: { kind: "fly" } })],
    ["an act with an unknown field", JSON.stringify({ as: "alice", act: { kind: "home", also: 1 } })],
    ["an unknown person", JSON.stringify({ as: "zed", act: { kind: "home" } })],
  ])("is rejected with the reason: %s", async (_what, body) => {
    const before = sandbox.curfew.workspace.appRequests.length;
    expect(await post(json, body)).toMatchObject({ status: 400, body: expect.stringContaining('"ok":false') });
    expect(sandbox.curfew.workspace.appRequests).toHaveLength(before);
  });

  test("is rejected when it is too long or the path is unknown", async () => {
    expect(await post(json, JSON.stringify({ as: "x".repeat(200_000) }))).toMatchObject({ status: 413 });
    expect(await send("POST", "/api/toString", json, "{}")).toMatchObject({ status: 404 });
    expect(await send("GET", "/api/act", {})).toMatchObject({ status: 404 });
  });
});
