import type { Credential } from "../account.ts";
import { audited } from "./seed-values.ts";

/** One credential of each type. No selector uses the access key, so it can be deleted. */
export function seedCredentials(): Credential[] {
  return [
    {
      credentialId: "cred-00000001",
      credentialType: "amazon-iam-role",
      cloudProviderSubTypeId: "amazon-standard",
      name: "AWS main account",
      status: "active",
      isUsedForSnsNotifications: true,
      ...audited("u-00000002", "2025-02-04", "2025-09-30"),
      amazonIamRole: { roleArn: "arn:aws:iam::123456789012:role/scheduler", externalId: "ext-5f0c2a" },
    },
    {
      credentialId: "cred-00000002",
      credentialType: "amazon-access-key",
      cloudProviderSubTypeId: "amazon-standard",
      name: "AWS build account (old)",
      status: "active",
      isUsedForSnsNotifications: false,
      ...audited("u-00000003", "2025-02-11"),
      amazonIamAccessKey: { accessKeyId: "AKIAIOSFODNN7EXAMPLE" },
    },
    {
      credentialId: "cred-00000003",
      credentialType: "google-service-account-key",
      cloudProviderSubTypeId: "google-standard",
      name: "Google analytics project",
      status: "active",
      isUsedForSnsNotifications: false,
      ...audited("u-00000002", "2025-03-20"),
      googleServiceAccountKey: {
        project_id: "example-analytics",
        client_email: "scheduler@example-analytics.iam.gserviceaccount.com",
      },
    },
  ];
}
