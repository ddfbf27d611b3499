import type { Directory } from "../directory/directory.ts";
import type { OperationInput } from "../service/operations.ts";
import { type Credential, cloudProviderSubTypes, credentialTypes } from "../service/resources.ts";
import { changedFact, type Fact, nothingDiffers, type Problem } from "./answer.ts";
import { defineChange, type Target } from "./command.ts";
import { choice, defined, type Input, reference, text } from "./field.ts";

const credential = { label: "Credential", hint: "Its name or id", positional: true } as const;
const mayBeRole = ({ type }: Input): boolean => type === undefined || type === "amazon-iam-role";
const mayBeKey = ({ type }: Input): boolean => type !== "amazon-iam-role";

const credentialEdit = defineChange({
  words: "credential edit",
  title: "Edit credential",
  summary: "Change a credential's name, sub type, role or key",
  operation: "ModifyCredential",
  about: "credential",
  fields: {
    credential: reference("credential", { ...credential, redraws: true }),
    name: text({ label: "Name", maxLength: 200, optional: true }),
    subType: choice(
      cloudProviderSubTypes.map((type) => ({ value: type, label: type })),
      { label: "Cloud provider sub type", hint: "Sent with every change" },
    ),
    type: choice(
      credentialTypes.map((type) => ({ value: type, label: type })),
      { label: "Credential type", hint: "Its present type, which cannot be changed", optional: true, redraws: true },
    ),
    roleArn: text({ label: "Role ARN", maxLength: 2048, optional: true, when: mayBeRole }),
    externalId: text({ label: "External id", maxLength: 1224, optional: true, when: mayBeRole }),
    keyFile: text({
      label: "New key",
      hint: "The name of a file in this credential's folder of key files. Never type a key itself here.",
      maxLength: 100,
      optional: true,
      when: mayBeKey,
    }),
  },
  subjectId: (input) => input.credential,
  fill: async ({ credential: id }, { directory, may }) => {
    const known = id ? await directory.get("credential", id) : undefined;
    if (!known) return {};
    const mayEdit = may("ModifyCredential", { projectId: known.projectId ?? undefined });
    if (!mayEdit) return { problem: "You may not change this credential here. Nothing was changed." };
    return credentialInput(known.body);
  },
  preview: async ({ credential: id }, { directory }) => {
    const isKnown = id !== undefined && (await directory.get("credential", id)) !== undefined;
    const unknown =
      "Curfew does not know this credential's present values. A field that you leave empty stays as it is.";
    return { lines: isKnown ? [] : [unknown], buttons: [] };
  },
  request: (input, _context, before) => credentialRequest(input, before),
  target: ({ request }, _now, directory) => credentialTarget(request.id, directory),
  describe: ({ request, before, after }) => {
    const name = before?.name ?? request.id;
    return {
      done: `changed credential ${name}`,
      asked: `change credential ${name}`,
      facts: [...editFacts(request, before, after), { label: "Credential", value: request.id }],
    };
  },
  undo: ({ request, before }) => {
    const { name, subType, roleArn, externalId } = before ? credentialInput(before) : {};
    const isKey = request.amazonIamAccessKey !== undefined || request.googleServiceAccountKey !== undefined;
    const isRoleLost =
      request.amazonIamRole !== undefined && (!roleArn || (!externalId && request.amazonIamRole.externalId));
    if (isKey || isRoleLost || !subType || (request.name !== undefined && !name)) return undefined;
    const was = {
      ...(request.name === undefined ? {} : { name }),
      ...(request.amazonIamRole === undefined ? {} : { roleArn, ...(externalId ? { externalId } : {}) }),
    };
    return { words: "credential edit", input: { credential: request.id, subType, ...was } };
  },
});

export const credentialDelete = defineChange({
  words: "credential delete",
  title: "Delete credential",
  summary: "Delete a credential for good",
  operation: "DeleteCredential",
  about: "credential",
  confirms: "The service loses its access to that account. This can't be undone.",
  fields: {
    credential: reference("credential", credential),
    name: text({
      label: "Type its name",
      example: '"AWS main account"',
      hint: "Its exact name, to confirm; its id if Curfew knows no name",
      maxLength: 200,
    }),
  },
  subjectId: (input) => input.credential,
  request: (input, _context, before) => {
    const wanted = before?.name ?? input.credential;
    if (input.name === wanted.trim()) return { id: input.credential };
    return { field: "name", problem: `That is not its name: type ${wanted}. Nothing was changed.` };
  },
  target: ({ request }, _now, directory) => credentialTarget(request.id, directory),
  describe: ({ request, before }) => {
    const name = before?.name ?? request.id;
    return {
      done: `deleted credential ${name}`,
      asked: `delete credential ${name}`,
      facts: [
        ...(before?.credentialType ? [{ label: "Type", value: before.credentialType }] : []),
        { label: "Credential", value: request.id },
      ],
    };
  },
});

async function credentialTarget(id: string, directory: Pick<Directory, "get">): Promise<Target> {
  return { projectId: (await directory.get("credential", id))?.projectId ?? undefined };
}

type Request = OperationInput<"ModifyCredential">;

/** The sent values, before → after. A key is never shown. */
function editFacts(request: Request, before: Credential | undefined, after: Credential | undefined): readonly Fact[] {
  const { amazonIamRole: role, amazonIamAccessKey, googleServiceAccountKey } = request;
  const was = before?.amazonIamRole;
  const isKey = amazonIamAccessKey !== undefined || googleServiceAccountKey !== undefined;
  return [
    ...(request.name ? [changedFact("Name", after?.name ?? request.name, before?.name)] : []),
    changedFact("Sub type", request.cloudProviderSubTypeId, before?.cloudProviderSubTypeId),
    ...(role ? [changedFact("Role ARN", role.roleArn, was?.roleArn)] : []),
    ...(role?.externalId ? [changedFact("External id", role.externalId, was?.externalId)] : []),
    ...(isKey ? [{ label: "Key", value: "replaced by the one in its file" }] : []),
  ];
}

export const credentialCommands = [credentialEdit, credentialDelete] as const;

/** A credential as its form shows it. An absent field stays as it is. */
interface CredentialInput {
  readonly credential: string;
  readonly name?: string;
  readonly subType: (typeof cloudProviderSubTypes)[number];
  readonly type?: CredentialType;
  readonly roleArn?: string;
  readonly externalId?: string;
  readonly keyFile?: string;
}
type CredentialType = (typeof credentialTypes)[number];

/** The known values for the form, never a key. */
function credentialInput(known: Credential): Partial<Omit<CredentialInput, "credential" | "keyFile">> {
  const subType = cloudProviderSubTypes.find((each) => each === known.cloudProviderSubTypeId);
  const type = credentialTypes.find((each) => each === known.credentialType);
  const { roleArn, externalId } = known.amazonIamRole ?? {};
  return defined({
    ...{ subType, type },
    name: known.name || undefined,
    roleArn: roleArn || undefined,
    externalId: externalId || undefined,
  });
}

/**
 * Sends only changed values, and always `cloudProviderSubTypeId`. Of the three key objects only the one of the credential's type is
 * allowed (API.md, "ModifyCredential"). Until the change is performed, it holds the name of the key file.
 */
function credentialRequest(
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
    return nothingDiffers;
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
