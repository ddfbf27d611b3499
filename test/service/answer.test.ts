import { describe, expect, it } from "vitest";
import { cpuMsOf, growth } from "../support/cpu-time.ts";
import { answers, answersNothing, type Respond, startRecordingService } from "./recording-service.ts";
import { callWithSample } from "./sample-inputs.ts";
import { createTestClient } from "./test-client.ts";

async function clientAgainst(...script: readonly Respond[]) {
  const service = await startRecordingService(...script);
  return createTestClient(service.url).client;
}

describe("an answer", () => {
  it("keeps unknown fields and unknown values, and reads null lists as empty", async () => {
    const client = await clientAgainst(
      answers(200, { selectorId: "sel-1", state: "brand-new", regionNames: null, name: 7, extra: { deep: [1] } }),
    );
    expect(await callWithSample(client, "GetManagedServicesSelector")).toEqual({
      kind: "succeeded",
      answer: { selectorId: "sel-1", state: "brand-new", regionNames: [], name: undefined, extra: { deep: [1] } },
    });
  });

  it("may start with a byte order mark and have any content type", async () => {
    const client = await clientAgainst(
      answers(201, '\ufeff{"managedPolicyId":"mp-1","name":"Büro"}', { "content-type": "text/plain" }),
    );
    expect(await callWithSample(client, "GetManagedPolicy")).toMatchObject({ answer: { name: "Büro" } });
  });

  it("is read despite a web page's content type when it is JSON", async () => {
    const html = { "content-type": "text/html" };
    const client = await clientAgainst(answers(200, { projectId: "p-1", name: "Dev" }, html), answers(200, "", html));
    expect(await callWithSample(client, "ModifyProject")).toMatchObject({ kind: "succeeded", answer: { name: "Dev" } });
    expect(await callWithSample(client, "DeleteCredential")).toEqual({ kind: "succeeded", answer: undefined });
  });

  it("to a deletion means success with or without a body", async () => {
    for (const respond of [answersNothing, answers(200, ""), answers(200, { deleted: true }), answers(202, "<p>ok")]) {
      const client = await clientAgainst(respond);
      expect(await callWithSample(client, "DeleteCredential")).toEqual({ kind: "succeeded", answer: undefined });
    }
  });

  it("without a body is a success with a note for a change, and a failure for a read", async () => {
    const client = await clientAgainst(answersNothing);
    const note = expect.stringContaining("empty");
    expect(await callWithSample(client, "ModifyUser")).toEqual({ kind: "succeeded", answer: undefined, note });
    expect(await callWithSample(client, "GetAction")).toMatchObject({
      kind: "failed",
      error: { code: "UnreadableAnswer", status: 204 },
    });
  });

  it("is unreadable without its identifier", async () => {
    const client = await clientAgainst(answers(200, { name: "no id" }));
    const result = await callWithSample(client, "GetAction");
    expect(result).toMatchObject({ kind: "failed", error: { code: "UnreadableAnswer" } });
    expect(result.kind === "failed" && result.error.message).toContain("actionId");
  });

  it("with a list loses only unreadable entries, and null is the empty list", async () => {
    const odd = await clientAgainst(answers(200, [{ actionId: "a-1" }, { name: "no id" }, 7]));
    expect(await callWithSample(odd, "ListActions")).toEqual({ kind: "succeeded", answer: [{ actionId: "a-1" }] });
    const none = await clientAgainst(answers(200, null));
    expect(await callWithSample(none, "ListActions")).toEqual({ kind: "succeeded", answer: [] });
  });

  it("is dropped when too large: a read fails, a change succeeds", async () => {
    const megabytes = `["${"x".repeat(21 * 1024 * 1024)}"]`;
    const client = await clientAgainst(answers(200, megabytes));
    expect(await callWithSample(client, "ListActions")).toMatchObject({
      kind: "failed",
      error: { code: "UnreadableAnswer", message: expect.stringContaining("too large") },
    });
    expect(await callWithSample(client, "ModifyUser")).toMatchObject({ kind: "succeeded", answer: undefined });
  });
});

describe("an error answer", () => {
  const failure = async (respond: Respond) => {
    const client = await clientAgainst(respond);
    const result = await callWithSample(client, "ModifyUser");
    if (result.kind === "succeeded") throw new Error("it succeeded");
    return result.error;
  };

  it("gives its code and its message", async () => {
    const error = await failure(answers(404, { errorCode: "UserNotFound", message: "No such user." }));
    expect(error).toMatchObject({
      name: "ServiceError",
      code: "UserNotFound",
      message: "No such user.",
      status: 404,
      operation: "ModifyUser",
      method: "PUT",
      path: "/api/Users/id-1",
    });
  });

  it("gives the messages of its model state", async () => {
    const error = await failure(
      answers(403, {
        errorCode: "ParameterValidationFailed",
        message: "Check the request.",
        modelState: { emailAddress: ["is taken", "is long"], status: "is odd", "": ["and more"], n: [1, null] },
      }),
    );
    expect(error.message).toBe("Check the request. emailAddress: is taken is long; status: is odd; and more; n");
  });

  it("does not repeat a message that its model state also contains", async () => {
    const taken = "The name is taken.";
    const modelState = { name: [taken], size: [taken, "It is odd."] };
    const error = await failure(answers(400, { errorCode: "InvalidParameter", message: taken, modelState }));
    expect(error.message).toBe("The name is taken. size: It is odd.");
  });

  it("may capitalize its field names", async () => {
    const error = await failure(answers(400, { ErrorCode: "InvalidParameter", Message: "No." }));
    expect(error).toMatchObject({ code: "InvalidParameter", message: "No." });
  });

  it.each([
    ["an HTML page", "<html><head><style>p{}</style><title>Oh</title></head><body><p>a &lt; b</p></body>", "Oh a < b"],
    ["a JSON string", '"It broke."', "It broke."],
    ["plain text with control characters", "bad\u0007 \r\n request\u0000", "bad request"],
    ["JSON of another shape", '{"detail":"nope"}', '{"detail":"nope"}'],
    ["a list", "[1]", "[1]"],
    ["nothing", "", "The service answered 400 Bad Request."],
    ["only a code", '{"errorCode":"BadRequest"}', "The service answered 400 Bad Request."],
    ["odd types", '{"errorCode":7,"message":null,"modelState":3}', '{"errorCode":7,"message":null,"modelState":3}'],
  ])("becomes a short text when it is %s", async (_, body, message) => {
    expect(await failure(answers(400, body))).toMatchObject({ code: "BadRequest", message });
  });

  it("has a code even with an unknown status", async () => {
    expect(await failure(answers(499, ""))).toMatchObject({ code: "Status499", message: "The service answered 499." });
  });

  it.each([
    ["huge", "long "],
    ["full of open brackets", "<"],
    ["full of open scripts", "<script>"],
  ])("is truncated in linear time when it is %s", async (_, piece) => {
    const read = (length: number) => async () => {
      const error = await failure(answers(400, piece.repeat(length / piece.length)));
      expect(error.message.length).toBeLessThanOrEqual(500);
    };
    const short = await cpuMsOf(read(20_000));
    expect(growth(short, await cpuMsOf(read(200_000)))).toBeLessThan(50);
  });

  it("falls back to the status when its errorCode is malformed", async () => {
    expect(await failure(answers(409, { errorCode: "<b>x y</b>", message: "m" }))).toMatchObject({ code: "Conflict" });
  });
});
