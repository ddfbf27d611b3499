import { describe, expect, it } from "vitest";
import type { ServiceClientOptions } from "../../src/service/client.ts";
import { type Effect, operationNames, operations } from "../../src/service/operations.ts";
import {
  answers,
  breaksOff,
  hangs,
  type Respond,
  resets,
  sendsRaw,
  startRecordingService,
} from "./recording-service.ts";
import { callWithSample } from "./sample-inputs.ts";
import { createTestClient } from "./test-client.ts";

type Outcome = "succeeded" | "failed" | "unknown";
interface Row {
  readonly fault: string;
  readonly respond: Respond;
  /** The number of requests that arrive (two retries are allowed), and the outcome. */
  readonly read: readonly [number, Outcome];
  readonly create: readonly [number, Outcome];
  readonly change: readonly [number, Outcome];
  readonly options?: Partial<ServiceClientOptions>;
}

const maybeOnce = { read: [1, "failed"], create: [1, "unknown"], change: [1, "unknown"] } as const;
const maybeRepeated = { read: [3, "failed"], create: [1, "unknown"], change: [3, "unknown"] } as const;
const refused = { read: [1, "failed"], create: [1, "failed"], change: [1, "failed"] } as const;

const rows: readonly Row[] = [
  { fault: "429", respond: answers(429), read: [3, "failed"], create: [3, "failed"], change: [3, "failed"] },
  { fault: "502", respond: answers(502), ...maybeRepeated },
  { fault: "503", respond: answers(503), ...maybeRepeated },
  { fault: "504", respond: answers(504), ...maybeRepeated },
  { fault: "a connection reset", respond: resets, ...maybeRepeated },
  { fault: "bytes that are not HTTP", respond: sendsRaw("SSH-2.0-x\r\n\r\n"), ...maybeRepeated },
  { fault: "no answer in time", respond: hangs, options: { attemptTimeoutMs: 500 }, ...maybeRepeated },
  { fault: "an error that breaks off", respond: breaksOff(503), ...maybeRepeated },
  { fault: "500", respond: answers(500), ...maybeOnce },
  { fault: "501", respond: answers(501), ...maybeOnce },
  { fault: "408", respond: answers(408), ...maybeOnce },
  { fault: "302", respond: answers(302, "", { location: "/elsewhere" }), ...maybeOnce },
  { fault: "301", respond: answers(301, "", { location: "/elsewhere" }), ...refused },
  { fault: "307", respond: answers(307, "", { location: "/elsewhere" }), ...refused },
  ...[400, 401, 403, 404, 409, 410, 422].map((status) => ({
    fault: String(status),
    respond: answers(status),
    ...refused,
  })),
  {
    fault: "200 with a body that is not JSON",
    respond: answers(200, "<html>ok</html>"),
    read: [1, "failed"],
    create: [1, "succeeded"],
    change: [1, "succeeded"],
  },
  {
    fault: "200 with a web page, as of a proxy that asks for a login",
    respond: answers(200, "<html>Sign in</html>", { "content-type": "Text/HTML; charset=utf-8" }),
    ...maybeOnce,
  },
  {
    fault: "200 that breaks off",
    respond: breaksOff(200),
    read: [3, "failed"],
    create: [1, "succeeded"],
    change: [1, "succeeded"],
  },
];

const expectationFor = (row: Row, effect: Effect) =>
  effect === "read" ? row.read : effect === "create" ? row.create : row.change;

describe("every operation, when the service keeps answering with", () => {
  it.each(rows)("$fault", async (row) => {
    await Promise.all(
      operationNames.map(async (operation) => {
        const service = await startRecordingService(row.respond);
        const { client, waits } = createTestClient(service.url, row.options);
        const result = await callWithSample(client, operation);
        const [requests, outcome] = expectationFor(row, operations[operation].effect);
        expect({ operation, kind: result.kind, requests: service.requests.length }).toEqual({
          operation,
          kind: outcome,
          requests,
        });
        expect(waits.length).toBe(requests - 1);
      }),
    );
  });

  it("nothing, because no server listens: every attempt fails without a change", async () => {
    for (const operation of operationNames) {
      const { client, waits } = createTestClient("http://127.0.0.1:1");
      const result = await callWithSample(client, operation);
      expect(result).toMatchObject({ kind: "failed", error: { code: "Unreachable", operation, status: undefined } });
      expect(result.kind === "failed" && result.error.message).toContain("ECONNREFUSED");
      expect(waits.length).toBe(2);
    }
  });
});

describe("a retry", () => {
  const firstLost: Readonly<Record<string, Respond>> = { "a reset": resets, "a 503": answers(503) };
  const lost = Object.entries(firstLost);

  it.each(lost)("after %s can succeed", async (_, first) => {
    const service = await startRecordingService(first, answers(200, { projectId: "p-1", name: "Development" }));
    const { client } = createTestClient(service.url);
    const result = await callWithSample(client, "ModifyProject");
    expect(result).toEqual({ kind: "succeeded", answer: { projectId: "p-1", name: "Development" } });
    expect(service.requests[1]?.body).toBe(service.requests[0]?.body);
    expect(service.requests.length).toBe(2);
  });

  it.each(lost)("of a deletion after %s that finds nothing is a success with a note", async (_, first) => {
    const service = await startRecordingService(first, answers(404, { errorCode: "CredentialNotFound" }));
    const { client } = createTestClient(service.url);
    const result = await callWithSample(client, "DeleteCredential");
    expect(result).toMatchObject({
      kind: "succeeded",
      answer: undefined,
      note: expect.stringContaining("nothing left"),
    });
  });

  it("of a deletion that finds nothing after 429 is a failure: the first had no effect", async () => {
    const service = await startRecordingService(answers(429), answers(404));
    const { client } = createTestClient(service.url);
    expect(await callWithSample(client, "DeleteActionExclusion")).toMatchObject({
      kind: "failed",
      error: { code: "NotFound", status: 404 },
    });
  });

  it("of a deletion leaves the first attempt unknown when refused for another reason", async () => {
    const service = await startRecordingService(resets, answers(403, { errorCode: "CredentialInUse" }));
    const { client } = createTestClient(service.url);
    expect(await callWithSample(client, "DeleteCredential")).toMatchObject({
      kind: "unknown",
      error: { code: "CredentialInUse" },
    });
  });

  it.each(["RemoveUserMfa", "DetachManagedPolicy"] as const)(
    "of %s leaves the outcome unknown when refused, because the first may have worked",
    async (operation) => {
      for (const status of [400, 403, 404]) {
        const service = await startRecordingService(resets, answers(status, { errorCode: "InvalidParameter" }));
        const { client } = createTestClient(service.url);
        expect(await callWithSample(client, operation)).toMatchObject({
          kind: "unknown",
          error: { code: "InvalidParameter", status },
        });
      }
    },
  );

  it("of RemoveUserMfa is a failure when refused after 429", async () => {
    const service = await startRecordingService(answers(429), answers(400));
    const { client } = createTestClient(service.url);
    expect((await callWithSample(client, "RemoveUserMfa")).kind).toBe("failed");
  });

  it("of a repeatable change decides the first attempt too when refused", async () => {
    const service = await startRecordingService(answers(503), answers(400, { errorCode: "InvalidParameter" }));
    const { client } = createTestClient(service.url);
    expect(await callWithSample(client, "ModifyProject")).toMatchObject({
      kind: "failed",
      error: { code: "InvalidParameter" },
    });
  });

  it("leaves a lost first attempt unknown when it ends in 429, and says why", async () => {
    const service = await startRecordingService(resets, answers(429));
    const { client } = createTestClient(service.url);
    expect(await callWithSample(client, "ModifyProject")).toMatchObject({
      kind: "unknown",
      error: { code: "ConnectionLost" },
    });
    expect(service.requests.length).toBe(3);
  });

  it("of a creation stops after the first attempt that may have had an effect", async () => {
    const service = await startRecordingService(answers(429), resets);
    const { client } = createTestClient(service.url);
    expect((await callWithSample(client, "CreateActionExclusion")).kind).toBe("unknown");
    expect(service.requests.length).toBe(2);
  });
});
