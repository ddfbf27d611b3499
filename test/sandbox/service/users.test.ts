import { expect, test } from "vitest";
import { existing, startService } from "./start-service.ts";

const bob = "/api/Users/u-00000001";

test("sets a user's status and changes nothing else", async () => {
  const { account, call } = await startService();
  const { managedPolicies, ...before } = existing(account.users.get("u-00000001"));

  expect((await call("PUT", bob, { status: "disabled" })).body).toEqual({ ...before, status: "disabled" });
  expect((await call("PUT", bob, { status: "disabled" })).body).toEqual({ ...before, status: "disabled" });
  expect((await call("PUT", bob, { status: "enabled" })).body).toEqual(before);
  expect(account.users.get("u-00000001")).toEqual({ ...before, managedPolicies });
});

test("accepts an unused e-mail address, and the user's own", async () => {
  const { call } = await startService();

  expect((await call("PUT", bob, { emailAddress: "robert@example.com" })).body.emailAddress).toBe("robert@example.com");
  expect(await call("PUT", bob, { emailAddress: "Robert@example.com" })).toMatchObject({ status: 200 });
});

test("rejects another user's e-mail address in any case", async () => {
  const { account, call } = await startService();

  const answer = await call("PUT", bob, { emailAddress: "Alice@Example.com", status: "disabled" });

  expect(answer).toMatchObject({ status: 400, body: { errorCode: "EmailAddressInUse" } });
  expect(account.users.get("u-00000001")).toMatchObject({ emailAddress: "bob@example.com", status: "enabled" });
});

test.each([
  ["a status other than enabled or disabled", { status: "deleted" }],
  ["an invalid e-mail address", { emailAddress: "bob" }],
])("rejects %s", async (_, change) => {
  const { call } = await startService();

  expect(await call("PUT", bob, change)).toMatchObject({
    status: 403,
    body: { errorCode: "ParameterValidationFailed", modelState: expect.any(Object) },
  });
});

test("removes MFA of the user's type, and only once", async () => {
  const { call } = await startService();

  const first = await call("PUT", `${bob}/RemoveMfa`, { mfaType: "google-auth" });
  const second = await call("PUT", `${bob}/RemoveMfa`, { mfaType: "google-auth" });

  expect(first).toMatchObject({ status: 200, body: { userId: "u-00000001", mfaType: "none" } });
  expect(second).toMatchObject({ status: 400, body: { errorCode: "InvalidParameter" } });
});

test("rejects MFA of another or unknown type and keeps it", async () => {
  const { account, call } = await startService();

  const other = await call("PUT", `${bob}/RemoveMfa`, { mfaType: "mobile-otp" });
  const none = await call("PUT", `${bob}/RemoveMfa`, { mfaType: "none" });

  expect(other).toMatchObject({
    status: 400,
    body: { errorCode: "InvalidParameter", modelState: { mfaType: [expect.any(String)] } },
  });
  expect(none).toMatchObject({ status: 403, body: { errorCode: "ParameterValidationFailed" } });
  expect(account.users.get("u-00000001")?.mfaType).toBe("google-auth");
});

test("returns the remaining policies after detaching one", async () => {
  const { account, call } = await startService();

  const { body } = await call("PUT", `${bob}/DetachManagedPolicy`, { managedPolicyId: "mp-00000002" });

  expect(body.managedPolicies).toEqual([{ managedPolicyId: "mp-00000003", name: "Read only" }]);
  expect(account.users.get("u-00000001")).toEqual(body);
});

test("rejects detaching a policy that is not attached or does not exist", async () => {
  const { call } = await startService();

  const apart = await call("PUT", `${bob}/DetachManagedPolicy`, { managedPolicyId: "mp-00000001" });
  const unknown = await call("PUT", `${bob}/DetachManagedPolicy`, { managedPolicyId: "mp-none" });

  expect(apart).toMatchObject({ status: 400, body: { errorCode: "ManagedPolicyNotAttached" } });
  expect(unknown).toMatchObject({ status: 404, body: { errorCode: "ManagedPolicyNotFound" } });
});
