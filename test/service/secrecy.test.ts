import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createServiceClient } from "../../src/service/client.ts";
import type { ServiceError } from "../../src/service/service-error.ts";
import { answers, hangs, type Respond, resets, sendsRaw, startRecordingService } from "./recording-service.ts";
import { callWithSample } from "./sample-inputs.ts";
import { createTestClient, testKey } from "./test-client.ts";

/** Contains characters that URLs and JSON encode. */
const oddKey = 'k"\\/+&%=<ey>-0123';

const everythingIn = (error: ServiceError): string =>
  [
    error.message,
    error.stack,
    JSON.stringify(error),
    JSON.stringify(error, Object.getOwnPropertyNames(error)),
    inspect(error, { depth: 20, showHidden: true }),
    inspect(error.cause, { depth: 20, showHidden: true }),
  ].join("\n");

const halves = (key: string) => [key.slice(0, 9), key.slice(9)];

const faults: Readonly<Record<string, (key: string) => Respond>> = {
  "a message": (key) => answers(400, { errorCode: "InvalidAccessKey", message: `the key ${key} is not valid` }),
  "an error code": (key) => answers(400, { errorCode: key, message: "no" }),
  "model state": (key) => answers(400, { modelState: { [key]: [key] } }),
  "JSON of another shape": (key) => answers(400, { authorization: `AccessKey ${key}` }),
  "upper case": (key) => answers(400, `no: ${key.toUpperCase()}`),
  "a long page, where it would be cut": (key) => answers(500, `${"x".repeat(485)}${key}`),
  "markup that splits it": (key) => answers(500, halves(key).join("<b>")),
  "a URL": (key) => answers(302, "", { location: `https://other.example/?key=${encodeURIComponent(key)}` }),
  "a 2xx that is not JSON": (key) => answers(200, key),
  "bytes that are not HTTP": (key) => sendsRaw(`${key}\r\n${key}\r\n\r\n`),
  "a bad header": (key) => sendsRaw(`HTTP/1.1 200 OK\r\n${key}\r\n\r\n`),
  nothing: () => resets,
  "nothing in time": () => hangs,
};

describe.each([
  ["an ordinary key", testKey],
  ["a key with odd characters", oddKey],
])("%s never appears in an error when the service returns it in", (_, apiKey) => {
  it.each(Object.entries(faults))("%s", async (name, fault) => {
    const service = await startRecordingService(fault(apiKey));
    // A busy machine needs a while for an answer; one that never comes is not waited for.
    const attemptTimeoutMs = name === "nothing in time" ? 500 : 10_000;
    const { client } = createTestClient(service.url, { apiKey, attemptTimeoutMs, retries: 0 });
    const result = await client.call("GetAction", { id: `a-${apiKey}` });
    expect(service.requests[0]?.headers.authorization).toBe(`AccessKey ${apiKey}`);
    if (result.kind !== "failed") throw new Error("it did not fail");
    const everything = everythingIn(result.error).toLowerCase();
    for (const form of [apiKey, encodeURIComponent(apiKey), JSON.stringify(apiKey).slice(1, -1), ...halves(apiKey)]) {
      expect(everything).not.toContain(form.toLowerCase());
    }
  });
});

describe("the key", () => {
  it("is not in the error about an invalid request", async () => {
    const { client } = createTestClient("http://127.0.0.1:1");
    const result = await client.call("ModifyUser", { id: testKey, emailAddress: testKey });
    if (result.kind !== "failed") throw new Error("it did not fail");
    expect(everythingIn(result.error)).not.toContain(testKey);
  });

  it("is not in the client", () => {
    const { client } = createTestClient("http://127.0.0.1:1");
    expect(inspect(client, { depth: 20, showHidden: true })).not.toContain(testKey);
  });

  it("is not sent to the target of a redirect", async () => {
    const other = await startRecordingService(answers(200, []));
    const service = await startRecordingService(answers(307, "", { location: `${other.url}/api/Actions` }));
    const { client } = createTestClient(service.url);
    const result = await client.call("ListActions", {});
    expect(result).toMatchObject({ kind: "failed", error: { code: "Redirected", status: 307 } });
    expect(other.requests).toEqual([]);
  });

  it.each(["", " ", "sk_1\n", "sk 1", "schlüssel"])(
    "is refused at start, without being shown, when it is %j",
    (apiKey) => {
      expect(() => createServiceClient({ baseUrl: "http://127.0.0.1:1", apiKey })).toThrow("must be printable ASCII");
    },
  );

  it("is not sent to a non-HTTP address", () => {
    expect(() => createServiceClient({ baseUrl: "ftp://127.0.0.1", apiKey: testKey })).toThrow("http://");
  });
});

describe("a key that changes", () => {
  it("is hidden in every error, and so are the earlier ones", async () => {
    const keys = [testKey, "sk_the-next-key-of-the-service"];
    const quoted = answers(400, { errorCode: "Odd", message: `not ${keys.join(" or ")}` });
    const service = await startRecordingService(quoted);
    let current = 0;
    const { client } = createTestClient(service.url, { apiKey: () => keys[current] ?? "", retries: 0 });
    for (current of [0, 1]) await client.call("GetAction", { id: "a-1" });
    const result = await client.call("GetAction", { id: "a-1" });
    if (result.kind !== "failed") throw new Error("it did not fail");
    for (const key of keys) expect(everythingIn(result.error)).not.toContain(key);
  });

  it("sends a refused request again with the new key, also one that creates", async () => {
    const service = await startRecordingService(answers(401), answers(200, { id: "x-1" }));
    let apiKey = testKey;
    const { client } = createTestClient(service.url, {
      apiKey: () => apiKey,
      onKeyRefused: async () => {
        apiKey = "sk_next";
        return true;
      },
    });
    await callWithSample(client, "CreateActionExclusion");
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      `AccessKey ${testKey}`,
      "AccessKey sk_next",
    ]);
  });

  it("is reported as taken by each answer that takes it, and by no failure", async () => {
    const service = await startRecordingService(answers(401), answers(500), answers(404), answers(200, []));
    const heard: string[] = [];
    const { client } = createTestClient(service.url, {
      retries: 0,
      onKeyRefused: async () => heard.push("refused") === 0,
      onKeyTaken: () => void heard.push("taken"),
    });
    for (let each = 0; each < 5; each++) await client.call("ListActions", {});
    expect(heard).toEqual(["refused", "taken", "taken"]);
  });
});
