import type { OperationInput } from "../../service/operations.ts";
import { type Credential, cloudProviderSubTypes, credentialTypes } from "../../service/resources.ts";
import type { Problem } from "../answer.ts";
import { nothingDiffers } from "../answer.ts";

/** A credential as its form asks for it; what is absent stays as it is. */
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

/** What a form is filled with, as far as it is known. Keys are never among it. */
export function credentialInput(directory: Credential): Partial<Omit<CredentialInput, "credential" | "keyFile">> {
  const subType = cloudProviderSubTypes.find((each) => each === directory.cloudProviderSubTypeId);
  const type = credentialTypes.find((each) => each === directory.credentialType);
  const { roleArn, externalId } = directory.amazonIamRole ?? {};
  return {
    ...(directory.name ? { name: directory.name } : {}),
    ...(subType ? { subType } : {}),
    ...(type ? { type } : {}),
    ...(roleArn ? { roleArn } : {}),
    ...(externalId ? { externalId } : {}),
  };
}

/**
 * Only what changed is sent, and `cloudProviderSubTypeId` with it. Of the three key objects only the one of the credential's type may
 * be there (spec.md, ModifyCredential); a key file is named in its place until the change is performed.
 */
export function credentialRequest(
  input: CredentialInput,
  before: Credential | undefined,
): OperationInput<"ModifyCredential"> | Problem {
  const directory = before ? credentialInput(before) : {};
  if (directory.type && input.type && input.type !== directory.type) {
    return problem("type", `This credential is of the type ${directory.type}, which cannot be changed.`);
  }
  const type = directory.type ?? input.type;
  const isRoleChanged = isChanged(input, directory, "roleArn") || isChanged(input, directory, "externalId");
  const isNameChanged = isChanged(input, directory, "name");
  const wrong = keyProblem(input, type, isRoleChanged);
  if (wrong) return wrong;
  if (!isNameChanged && !isRoleChanged && !input.keyFile && !isChanged(input, directory, "subType")) {
    return nothingDiffers("credential");
  }
  const role = roleOf(input, directory, isRoleChanged);
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

function isChanged(input: CredentialInput, directory: Partial<CredentialInput>, part: Part): boolean {
  return input[part] !== undefined && input[part] !== directory[part];
}

function keyProblem(
  { keyFile }: CredentialInput,
  type: CredentialType | undefined,
  isRoleChanged: boolean,
): Problem | undefined {
  if (isRoleChanged && keyFile) return problem("keyFile", "A credential has either a role or a key.");
  if (isRoleChanged && type && type !== "amazon-iam-role") {
    return problem("roleArn", `A role belongs to a credential of the type amazon-iam-role, and this is ${type}.`);
  }
  if (keyFile && type === "amazon-iam-role") {
    return problem("keyFile", "A credential of the type amazon-iam-role has no key: give the role's ARN.");
  }
  return undefined;
}

function roleOf(input: CredentialInput, directory: Partial<CredentialInput>, isRoleChanged: boolean) {
  if (!isRoleChanged) return undefined;
  const roleArn = input.roleArn ?? directory.roleArn;
  const externalId = input.externalId ?? directory.externalId;
  if (!roleArn) return problem("roleArn", "The service takes an external id only together with the role's ARN.");
  return { roleArn, ...(externalId ? { externalId } : {}) };
}

/** A placeholder for the key itself. Where the type is not known, Google's sub type tells. */
function keyObject({ keyFile, subType }: CredentialInput, type: CredentialType | undefined) {
  if (!keyFile) return {};
  const isGoogle = type ? type === "google-service-account-key" : subType.startsWith("google-");
  const placeholder = { secretFile: keyFile };
  return isGoogle ? { googleServiceAccountKey: placeholder } : { amazonIamAccessKey: placeholder };
}

function problem(field: string, why: string): Problem {
  return { field, problem: `${why} Nothing was changed.` };
}
