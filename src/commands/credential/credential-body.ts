import type { OperationInput } from "../../service/operations.ts";
import { type Credential, cloudProviderSubTypes, credentialTypes } from "../../service/resources.ts";
import { nothingDiffers, type Problem } from "../answer.ts";

/** A credential as its form shows it. An absent field stays as it is. */
export interface CredentialInput {
  readonly credential: string;
  readonly name?: string;
  readonly subType: (typeof cloudProviderSubTypes)[number];
  readonly type?: CredentialType;
  readonly roleArn?: string;
  readonly externalId?: string;
  readonly keyFile?: string;
}
export type CredentialType = (typeof credentialTypes)[number];

/** The known values for the form, never a key. */
export function credentialInput(known: Credential): Partial<Omit<CredentialInput, "credential" | "keyFile">> {
  const subType = cloudProviderSubTypes.find((each) => each === known.cloudProviderSubTypeId);
  const type = credentialTypes.find((each) => each === known.credentialType);
  const { roleArn, externalId } = known.amazonIamRole ?? {};
  return {
    ...(known.name ? { name: known.name } : {}),
    ...(subType ? { subType } : {}),
    ...(type ? { type } : {}),
    ...(roleArn ? { roleArn } : {}),
    ...(externalId ? { externalId } : {}),
  };
}

/**
 * Sends only changed values, and always `cloudProviderSubTypeId`. Of the three key objects only the one of the credential's type is
 * allowed (API.md, "ModifyCredential"). Until the change is performed, it holds the name of the key file.
 */
export function credentialRequest(
  input: CredentialInput,
  before: Credential | undefined,
): OperationInput<"ModifyCredential"> | Problem {
  const known = before ? credentialInput(before) : {};
  if (known.type && input.type && input.type !== known.type) {
    return problem("type", `This credential is of the type ${known.type}, which can't be changed. Leave it out.`);
  }
  const type = known.type ?? input.type;
  const isRoleChanged = isChanged(input, known, "roleArn") || isChanged(input, known, "externalId");
  const isNameChanged = isChanged(input, known, "name");
  const wrong = keyProblem(input, type, isRoleChanged);
  if (wrong) return wrong;
  if (!isNameChanged && !isRoleChanged && !input.keyFile && !isChanged(input, known, "subType")) {
    return nothingDiffers("credential");
  }
  const role = roleOf(input, known, isRoleChanged);
  if (role && "problem" in role) return role;
  return {
    id: input.credential,
    cloudProviderSubTypeId: input.subType,
    ...(isNameChanged && input.name ? { name: input.name } : {}),
    ...(role ? { amazonIamRole: role } : {}),
    ...keyObject(input, type),
  };
}

type Part = "name" | "subType" | "roleArn" | "externalId";

function isChanged(input: CredentialInput, known: Partial<CredentialInput>, part: Part): boolean {
  return input[part] !== undefined && input[part] !== known[part];
}

function keyProblem(
  { keyFile }: CredentialInput,
  type: CredentialType | undefined,
  isRoleChanged: boolean,
): Problem | undefined {
  if (isRoleChanged && keyFile) return problem("keyFile", "A credential has either a role or a key.");
  if (isRoleChanged && type && type !== "amazon-iam-role") {
    return problem("roleArn", `A role needs a credential of the type amazon-iam-role; this is ${type}. Leave it out.`);
  }
  if (keyFile && type === "amazon-iam-role") {
    return problem("keyFile", "A credential of the type amazon-iam-role has no key: give the role's ARN.");
  }
  return undefined;
}

function roleOf(input: CredentialInput, known: Partial<CredentialInput>, isRoleChanged: boolean) {
  if (!isRoleChanged) return undefined;
  const roleArn = input.roleArn ?? known.roleArn;
  const externalId = input.externalId ?? known.externalId;
  if (!roleArn) return problem("roleArn", "The service takes an external id only together with the role's ARN.");
  return { roleArn, ...(externalId ? { externalId } : {}) };
}

/** A placeholder for the key. An unknown type follows from the sub type. */
function keyObject({ keyFile, subType }: CredentialInput, type: CredentialType | undefined) {
  if (!keyFile) return {};
  const isGoogle = type ? type === "google-service-account-key" : subType.startsWith("google-");
  const placeholder = { secretFile: keyFile };
  return isGoogle ? { googleServiceAccountKey: placeholder } : { amazonIamAccessKey: placeholder };
}

function problem(field: string, why: string): Problem {
  return { field, problem: `${why} Nothing was changed.` };
}
