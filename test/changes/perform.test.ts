import { expect, test } from "vitest";
import type { Change } from "../../src/changes/change.ts";
import { perform } from "../../src/changes/perform.ts";
import { ServiceError } from "../../src/service/service-error.ts";
import { createTestClient } from "../service/test-client.ts";
import { anEnd, noon } from "./build.ts";

/** Whether a change whose call is answered 404 with this code finds its subject gone. */
async function isGoneAfter(subjectKind: Change["subjectKind"], code: string): Promise<boolean> {
  const request = { operation: "ModifyUser", method: "PUT", path: "/api" } as const;
  const error = new ServiceError(request, { code, message: "not found", status: 404 });
  const service = {
    ...createTestClient("http://127.0.0.1").client,
    send: async () => ({ kind: "failed", error }) as const,
  };
  const secretFiles = { read: async () => ({ kind: "unreadable", reason: "there are none" }) as const };
  const { isSubjectGone } = await perform({ service, secretFiles, now: () => noon }, anEnd({ subjectKind }));
  return isSubjectGone;
}

test.each([
  ["exclusion", "ActionExclusionNotFound"],
  ["exclusion", "ExclusionNotFound"],
  ["user", "UserNotFound"],
  ["plan", "ManagedServicesPlanNotFound"],
  ["policy", "ManagedPolicyNotFound"],
] as const)("a %s is gone when the service says %s", async (kind, code) => {
  expect(await isGoneAfter(kind, code)).toBe(true);
});

test.each([
  ["user", "ManagedPolicyNotFound"],
  ["selector", "CredentialNotFound"],
  ["selector", "PlanNotFound"],
  ["action", "ActionExclusionNotFound"],
  ["exclusion", "NotFound"],
  ["exclusion", "InvalidRequest"],
] as const)("a %s is not gone because of %s", async (kind, code) => {
  expect(await isGoneAfter(kind, code)).toBe(false);
});
