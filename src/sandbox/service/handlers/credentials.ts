import type { Credential } from "../account.ts";
import type { Handler, HandlerInput } from "../handler.ts";
import { modified } from "../modified.ts";
import { found, invalidShape, invalidValue, Refusal } from "../refusal.ts";

/** The key object that belongs to each credential type (spec.md, "ModifyCredential"). */
const keyOfType = {
  "amazon-access-key": "amazonIamAccessKey",
  "amazon-iam-role": "amazonIamRole",
  "google-service-account-key": "googleServiceAccountKey",
} as const;

type Keys = Pick<HandlerInput<"ModifyCredential">, "amazonIamAccessKey" | "amazonIamRole" | "googleServiceAccountKey">;

/**
 * Only what is sent changes. spec.md calls the key object of the credential's type required and the body all-optional;
 * a body without one keeps the key, a body with one of another type is refused.
 */
export const modifyCredential: Handler<"ModifyCredential"> = (
  { id, name, cloudProviderSubTypeId, ...keys },
  context,
) => {
  const credential = found(context.account.credentials, "Credential", id);
  requireKeysOfType(credential.credentialType, keys);
  const changed: Credential = {
    ...credential,
    name: name ?? credential.name,
    cloudProviderSubTypeId,
    ...shownKeys(credential, keys),
    ...modified(context),
  };
  context.account.credentials.set(id, changed);
  return changed;
};

export const deleteCredential: Handler<"DeleteCredential"> = ({ id }, { account }) => {
  found(account.credentials, "Credential", id);
  const user = [...account.selectors.values()].find(
    (selector) => selector.state !== "deleted" && selector.credentialIds.includes(id),
  );
  if (user !== undefined) {
    throw new Refusal(400, "CredentialInUse", `Credential ${id} is in use by selector ${user.selectorId}.`);
  }
  account.credentials.delete(id);
};

function requireKeysOfType(credentialType: string, keys: Keys): void {
  for (const [type, key] of Object.entries(keyOfType)) {
    if (keys[key] !== undefined && type !== credentialType) {
      throw invalidValue(key, `${key} is not valid for a credential of type ${credentialType}.`);
    }
  }
}

/** What answers show of a key: never its secret half. */
function shownKeys(before: Credential, { amazonIamAccessKey, amazonIamRole, googleServiceAccountKey }: Keys) {
  return {
    ...(amazonIamAccessKey && { amazonIamAccessKey: shownAccessKey(amazonIamAccessKey) }),
    ...(amazonIamRole && { amazonIamRole: { ...before.amazonIamRole, ...amazonIamRole } }),
    ...(googleServiceAccountKey && { googleServiceAccountKey: shownServiceAccount(googleServiceAccountKey) }),
  };
}

function shownAccessKey({ accessKeyId, secretAccessKey }: Record<string, unknown>) {
  if (typeof accessKeyId !== "string" || typeof secretAccessKey !== "string") {
    throw invalidShape({ amazonIamAccessKey: ["accessKeyId and secretAccessKey are required."] });
  }
  return { accessKeyId };
}

/** The names are those of Google's own key file; spec.md shows none. */
function shownServiceAccount({ project_id, client_email }: Record<string, unknown>) {
  return { project_id, client_email };
}
