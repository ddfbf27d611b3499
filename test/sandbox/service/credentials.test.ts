import { expect, test } from "vitest";
import { existing, startService } from "./start-service.ts";

const role = "/api/Credentials/cred-00000001";
const accessKey = "/api/Credentials/cred-00000002";
const serviceAccount = "/api/Credentials/cred-00000003";
const standard = { cloudProviderSubTypeId: "amazon-standard" };

test("changes only the fields that are sent", async () => {
  const { account, call } = await startService();
  const before = existing(account.credentials.get("cred-00000001"));

  const { body } = await call("PUT", role, { ...standard, name: "AWS" });

  expect(body).toEqual({
    ...before,
    name: "AWS",
    lastModifiedDate: "2026-11-20T12:00:00.000Z",
    lastModifiedBy: account.apiUserId,
  });
  expect(account.credentials.get("cred-00000001")).toEqual(body);
});

test("replaces a role and keeps its external id when it is not sent", async () => {
  const { call } = await startService();
  const roleArn = "arn:aws:iam::123456789012:role/other";

  const { body } = await call("PUT", role, { cloudProviderSubTypeId: "amazon-china", amazonIamRole: { roleArn } });

  expect(body).toMatchObject({
    cloudProviderSubTypeId: "amazon-china",
    amazonIamRole: { roleArn, externalId: "ext-5f0c2a" },
  });
});

test("neither returns nor stores the secret half of a key", async () => {
  const { account, call } = await startService();
  const key = { accessKeyId: "AKIAI44QH8DHBEXAMPLE", secretAccessKey: "not-to-be-seen" };
  const file = { client_email: "new@example.com", project_id: "example", private_key: "not-to-be-seen" };

  const amazon = await call("PUT", accessKey, { ...standard, amazonIamAccessKey: key });
  const google = await call("PUT", serviceAccount, {
    cloudProviderSubTypeId: "google-standard",
    googleServiceAccountKey: file,
  });

  expect(amazon.body.amazonIamAccessKey).toEqual({ accessKeyId: key.accessKeyId });
  expect(google.body.googleServiceAccountKey).toEqual({ client_email: file.client_email, project_id: file.project_id });
  expect(JSON.stringify([...account.credentials])).not.toContain("not-to-be-seen");
});

test.each([
  ["no cloud provider sub type", { name: "AWS" }, 403, "ParameterValidationFailed"],
  ["an unknown cloud provider sub type", { cloudProviderSubTypeId: "moon" }, 403, "ParameterValidationFailed"],
  ["the key of another type", { ...standard, googleServiceAccountKey: {} }, 400, "InvalidParameter"],
  ["a role without its ARN", { ...standard, amazonIamRole: {} }, 403, "ParameterValidationFailed"],
])("rejects a credential change with %s", async (_, change, status, errorCode) => {
  const { account, call } = await startService();
  const before = account.credentials.get("cred-00000001");

  expect(await call("PUT", role, change)).toMatchObject({ status, body: { errorCode } });
  expect(account.credentials.get("cred-00000001")).toBe(before);
});

test("an access key needs both halves", async () => {
  const { call } = await startService();

  const answer = await call("PUT", accessKey, { ...standard, amazonIamAccessKey: { accessKeyId: "AKIA" } });

  expect(answer).toMatchObject({ status: 403, body: { modelState: { amazonIamAccessKey: [expect.any(String)] } } });
});

test("rejects deleting a credential that a selector uses", async () => {
  const { account, call } = await startService();

  expect(await call("DELETE", role)).toMatchObject({ status: 400, body: { errorCode: "CredentialInUse" } });
  expect(account.credentials.has("cred-00000001")).toBe(true);
});

test("deletes a credential that only deleted selectors use", async () => {
  const { account, call } = await startService();
  for (const selector of account.selectors.values()) {
    if (selector.state !== "deleted") account.selectors.set(selector.selectorId, { ...selector, credentialIds: [] });
  }

  expect(await call("DELETE", role)).toEqual({ status: 204, body: undefined });
  expect(await call("DELETE", role)).toMatchObject({ status: 404, body: { errorCode: "CredentialNotFound" } });
  expect(account.credentials.has("cred-00000001")).toBe(false);
});
