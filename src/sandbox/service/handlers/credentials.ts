import type { Credential } from "../account.ts";
import { ApiError, findOrThrow, invalidShape, invalidValue } from "../api-error.ts";
import type { Handler, HandlerInput, Handlers } from "../handler.ts";
import { modified } from "../handler.ts";

/** The key object that belongs to each credential type (API.md, "ModifyCredential"). */
const keyOfType = {
  "amazon-access-key": "amazonIamAccessKey",
  "amazon-iam-role": "amazonIamRole",
  "google-service-account-key": "googleServiceAccountKey",
} as const;

type Keys = Pick<HandlerInput<"ModifyCredential">, "amazonIamAccessKey" | "amazonIamRole" | "googleServiceAccountKey">;

/**
 * Changes only the fields that are sent. API.md requires the key object of the credential's type but also makes the whole body
 * optional, so here a body without a key object keeps the key. A key object of another type is refused.
 */
const modifyCredential: Handler<"ModifyCredential"> = ({ id, name, cloudProviderSubTypeId, ...keys }, context) => {
  const credential = findOrThrow(context.account.credentials, "Credential", id);
  requireKeysOfType(credential.credentialType, keys);
  const changed: Credential = {
    ...credential,
    name: name ?? credential.name,
    cloudProviderSubTypeId,
    ...visibleKeys(credential, keys),
    ...modified(context),
  };
  context.account.credentials.set(changed.credentialId, changed);
  return changed;
};

const deleteCredential: Handler<"DeleteCredential"> = ({ id }, { account }) => {
  const { credentialId } = findOrThrow(account.credentials, "Credential", id);
  const user = [...account.selectors.values()].find(
    (selector) => selector.state !== "deleted" && selector.credentialIds.includes(credentialId),
  );
  if (user !== undefined) {
    throw new ApiError(400, "CredentialInUse", `Credential ${id} is in use by selector ${user.selectorId}.`);
  }
  account.credentials.delete(credentialId);
};

function requireKeysOfType(credentialType: string, keys: Keys): void {
  for (const [type, key] of Object.entries(keyOfType)) {
    if (keys[key] !== undefined && type !== credentialType) {
      throw invalidValue(key, `${key} is not valid for a credential of type ${credentialType}.`);
    }
  }
}

/** Answers never contain the secret half of a key. */
function visibleKeys(before: Credential, { amazonIamAccessKey, amazonIamRole, googleServiceAccountKey }: Keys) {
  return {
    ...(amazonIamAccessKey && { amazonIamAccessKey: visibleAccessKey(amazonIamAccessKey) }),
    ...(amazonIamRole && { amazonIamRole: { ...before.amazonIamRole, ...amazonIamRole } }),
    ...(googleServiceAccountKey && { googleServiceAccountKey: visibleServiceAccount(googleServiceAccountKey) }),
  };
}

function visibleAccessKey({ accessKeyId, secretAccessKey }: Record<string, unknown>) {
  if (typeof accessKeyId !== "string" || typeof secretAccessKey !== "string") {
    throw invalidShape({ amazonIamAccessKey: ["accessKeyId and secretAccessKey are required."] });
  }
  return { accessKeyId };
}

/** API.md shows no field names; these are from Google's own key file. */
function visibleServiceAccount({ project_id, client_email }: Record<string, unknown>) {
  return { project_id, client_email };
}

export const credentialHandlers = {
  ModifyCredential: modifyCredential,
  DeleteCredential: deleteCredential,
} satisfies Partial<Handlers>;
