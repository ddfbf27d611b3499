import type { Directory } from "../../directory/directory.ts";
import type { OperationInput } from "../../service/operations.ts";
import { type Credential, cloudProviderSubTypes, credentialTypes } from "../../service/resources.ts";
import type { Fact } from "../answer.ts";
import { defineChange } from "../command.ts";
import { choice, type Input, reference, text } from "../field.ts";
import type { Target } from "../occurrence.ts";
import { credentialInput, credentialRequest } from "./credential-body.ts";

const credential = { label: "Credential", hint: "Its name or id", positional: true } as const;
const mayBeRole = ({ type }: Input): boolean => type === undefined || type === "amazon-iam-role";
const mayBeKey = ({ type }: Input): boolean => type !== "amazon-iam-role";

export const credentialEdit = defineChange({
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
  const fact = (label: string, value: string | null | undefined, was: string | null | undefined): readonly Fact[] =>
    value ? [{ label, value, ...(was && was !== value ? { before: was } : {}) }] : [];
  const isKey = amazonIamAccessKey !== undefined || googleServiceAccountKey !== undefined;
  return [
    ...(request.name ? fact("Name", after?.name ?? request.name, before?.name) : []),
    ...fact("Sub type", request.cloudProviderSubTypeId, before?.cloudProviderSubTypeId),
    ...fact("Role ARN", role?.roleArn, before?.amazonIamRole?.roleArn),
    ...fact("External id", role?.externalId, before?.amazonIamRole?.externalId),
    ...(isKey ? [{ label: "Key", value: "replaced by the one in its file" }] : []),
  ];
}

export const credentialCommands = [credentialEdit, credentialDelete] as const;
