import { describe, expect, test } from "vitest";
import { clockResult } from "../../src/cli/doctor-environment.ts";
import { aHealthyPlace, complaints, examineWith, failed } from "./doctor-place.ts";

describe("the service", () => {
  test.each([
    ["SCHEDULER_API_KEY", "sk_wrong", "401 InvalidAccessKey", "put a valid access key into SCHEDULER_API_KEY"],
    [
      "SCHEDULER_BASE_URL",
      "http://127.0.0.1:1",
      "Could not connect to the service (ECONNREFUSED)",
      "Look at SCHEDULER_BASE_URL",
    ],
  ])("fails with a wrong %s", async (name, value, what, whatToDo) => {
    const { env, files } = await aHealthyPlace();
    const found = await complaints({ env: { ...env, [name]: value }, files });
    expect(found[0]).toEqual(failed("service", expect.stringContaining(what), expect.stringContaining(whatToDo)));
  });

  test.each([
    [{ kind: "status", status: 403 }, "failed", "does not let it list actions"],
    [{ kind: "status", status: 404 }, "failed", "without /api"],
    [{ kind: "status", status: 429 }, "warning", "asked too much"],
    [{ kind: "status", status: 503 }, "failed", "The service failed"],
    [{ kind: "garbage" }, "failed", "without /api"],
    [{ kind: "reset-before" }, "failed", "Look at the network"],
  ] as const)("is reported when it answers %o, and is called only once", async (fault, verdict, whatToDo) => {
    const place = await aHealthyPlace();
    place.service.faults.next(fault);
    const [found] = await complaints(place);
    expect(found).toMatchObject({ name: "service", verdict, whatToDo: expect.stringContaining(whatToDo) });
    expect(place.service.requests).toHaveLength(1);
  });
});

describe("the clock", () => {
  const noon = Date.parse("2026-11-20T12:00:00Z");
  test.each([
    [0, "ok"],
    [-2000, "ok"],
    [5500, "ok"],
    [6500, "warning"],
    [-7000, "warning"],
    [90_000, "failed"],
    [-90_000, "failed"],
  ])("that is %s ms ahead is %s", (aheadMs, verdict) => {
    const reading = { sentAt: noon + aheadMs, receivedAt: noon + 200 + aheadMs, saidAt: noon };
    expect(clockResult("Slack's", reading)).toMatchObject({ verdict });
  });

  test("is not blamed for a slow answer", () => {
    expect(clockResult("Slack's", { sentAt: noon, receivedAt: noon + 90_000, saidAt: noon + 1000 }).verdict).toBe("ok");
  });

  test("is compared with Slack's and the service's", async () => {
    const found = await examineWith(await aHealthyPlace(), { now: () => Date.now() + 120_000 });
    const behind = expect.stringMatching(/^this machine's clock is 1(?:19|20) s ahead$/);
    expect(found.slice(-2)).toEqual([
      failed("clock (Slack's)", behind, expect.stringContaining("NTP")),
      failed("clock (the service's)", behind, expect.stringContaining("NTP")),
    ]);
  });
});
