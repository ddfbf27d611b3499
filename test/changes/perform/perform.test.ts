import { expect, test } from "vitest";
import type { Change, ServiceChange } from "../../../src/changes/change.ts";
import { perform } from "../../../src/changes/perform/perform.ts";
import { ServiceError } from "../../../src/service/service-error.ts";
import { createTestClient } from "../../service/test-client.ts";
import { anEnd, noon, quietLog } from "../build.ts";

type Failure = ConstructorParameters<typeof ServiceError>[1];

/** The settlement of a change whose call ends with this failure. */
function performedWith(
  kind: "failed" | "unknown",
  failure: Omit<Failure, "message">,
  facts: Partial<ServiceChange> = {},
) {
  const request = { operation: "ModifyUser", method: "PUT", path: "/api" } as const;
  const error = new ServiceError(request, { ...failure, message: "no" });
  const service = { ...createTestClient("http://127.0.0.1").client, send: async () => ({ kind, error }) };
  const secretFiles = { read: async () => ({ kind: "unreadable", reason: "there are none" }) as const };
  return perform({ service, secretFiles, now: () => noon, log: quietLog }, anEnd(facts));
}

/** Whether a 404 with this code means that the change's subject is gone. */
const isGoneAfter = async (subjectKind: Change["subjectKind"], code: string): Promise<boolean> =>
  (await performedWith("failed", { code, status: 404 }, { subjectKind })).isSubjectGone;

test.each([
  ["exclusion", "ActionExclusionNotFound"],
  ["exclusion", "ExclusionNotFound"],
  ["user", "UserNotFound"],
  ["plan", "ManagedServicesPlanNotFound"],
  ["policy", "ManagedPolicyNotFound"],
] as const)("treats a %s as gone after %s", async (kind, code) => {
  expect(await isGoneAfter(kind, code)).toBe(true);
});

test.each([
  ["user", "ManagedPolicyNotFound"],
  ["selector", "CredentialNotFound"],
  ["selector", "PlanNotFound"],
  ["action", "ActionExclusionNotFound"],
  ["exclusion", "NotFound"],
  ["exclusion", "InvalidRequest"],
] as const)("does not treat a %s as gone after %s", async (kind, code) => {
  expect(await isGoneAfter(kind, code)).toBe(false);
});

test.each([
  ["failed", { code: "Unreachable" }, true],
  ["failed", { code: "TimedOut" }, true],
  ["failed", { code: "Cancelled" }, true],
  ["failed", { code: "TooManyRequests", status: 429 }, true],
  ["failed", { code: "InvalidRequest" }, false],
  ["failed", { code: "BadRequest", status: 400 }, false],
  ["failed", { code: "Unauthorized", status: 401 }, false],
  ["unknown", { code: "ServiceUnavailable", status: 503 }, false],
  ["unknown", { code: "ConnectionLost" }, false],
] as const)("a call that ends as %s with %j counts as unreached: %j", async (kind, failure, isUnreached) => {
  expect((await performedWith(kind, failure)).isUnreached ?? false).toBe(isUnreached);
});
