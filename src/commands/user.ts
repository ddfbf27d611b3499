import { mfaTypes, type User, type userStatuses } from "../service/resources.ts";
import type { Fact, Problem } from "./answer.ts";
import { type CommandContext, defineChange, type FillContext } from "./command.ts";
import { choice, email, reference, toggle } from "./field.ts";

const user = reference("user", {
  label: "User",
  hint: "Their service user id, e-mail address or Slack name",
  positional: true,
});

export const userEnable = defineStatusChange("enable", "enabled", "Let a user sign in again");
export const userDisable = defineStatusChange("disable", "disabled", "Keep a user from signing in");

export const userRemoveMfa = defineChange({
  words: "user remove-mfa",
  aliases: [
    ...["reset mfa", "reset mfa for", "reset mfa of", "remove mfa", "remove mfa for", "remove mfa of"],
    ...["user remove mfa", "user reset mfa"],
  ],
  title: "Remove MFA",
  summary: "Remove a user's lost multi-factor authentication",
  operation: "RemoveUserMfa",
  about: "user",
  confirms:
    "They sign in without a second factor until they set one up again. Make sure the request really comes from them.",
  fields: {
    user,
    mfaType: choice(
      mfaTypes.map((type) => ({ value: type, label: type })),
      { label: "Present MFA type", hint: "It must be the one they have now", positional: true },
    ),
  },
  subjectId: (input) => input.user,
  complete: async (input, { directory }) => {
    const current = input.user && (await directory.get("user", input.user))?.body.mfaType;
    const mfaType = mfaTypes.find((type) => type === current);
    return mfaType ? { mfaType } : {};
  },
  request: (input) => ({ id: input.user, mfaType: input.mfaType }),
  target: () => ({}),
  describe: ({ request, before, after }) => ({
    done: `removed the MFA of ${nameOf(request.id, before, after)}`,
    asked: `remove the MFA of ${nameOf(request.id, before, after)}`,
    facts: [...mfaFacts(request.mfaType, before, after), ...userFacts(request.id, before, after)],
  }),
  accountOwner: ({ before }) => before?.emailAddress ?? undefined,
});

/** Before the change the type is a claim; where Curfew knows another, both are shown. */
function mfaFacts(given: string, before: User | undefined, after: User | undefined): readonly Fact[] {
  if (after) return [{ label: "MFA", value: after.mfaType ?? "none", before: given }];
  const lastKnown = before?.mfaType ?? "not known";
  return lastKnown === given
    ? [{ label: "MFA", value: given }]
    : [
        { label: "MFA, as the requester says", value: given },
        { label: "MFA, as last known", value: lastKnown },
      ];
}

export const userEmail = defineChange({
  words: "user email",
  aliases: [
    ...[
      "change email",
      "change e-mail",
      "change e-mail of <user> to <address>",
      "change email of <user> to <address>",
      "change email for <user> to <address>",
      "set email of <user> to <address>",
    ],
    "user email <user> to <address>",
  ],
  title: "Change e-mail",
  summary: "Give a user another e-mail address",
  operation: "ModifyUser",
  about: "user",
  fields: {
    user,
    address: email({ label: "New e-mail address", positional: true }),
    anyway: toggle({ label: "Send it anyway", hidden: "all", optional: true }),
  },
  subjectId: (input) => input.user,
  already: (input, context) => sameAddress(input, context),
  request: (input) => ({ id: input.user, emailAddress: input.address }),
  target: () => ({}),
  describe: ({ request, before, after }) => {
    const name = nameOf(request.id, before, after);
    const [was, is] = [before?.emailAddress, after?.emailAddress ?? request.emailAddress ?? ""];
    const done = was === is ? "sent again" : "changed";
    return {
      done: `${done} the e-mail address of ${name}${was === is ? `, ${is}` : ` to ${is}`}`,
      asked: `change the e-mail address of ${name} to ${request.emailAddress ?? ""}`,
      facts: [
        { label: "E-mail", value: is, ...(was && was !== is ? { before: was } : {}) },
        { label: "User", value: request.id },
      ],
    };
  },
  accountOwner: ({ request, before }) =>
    before?.emailAddress === request.emailAddress ? undefined : (before?.emailAddress ?? undefined),
  undo: ({ request, before }) =>
    before?.emailAddress && before.emailAddress !== request.emailAddress
      ? { words: "user email", input: { user: request.id, address: before.emailAddress } }
      : undefined,
});

/** What Curfew knows may be out of date, so the requester can have it sent. */
async function sameAddress(
  {
    user: id,
    address,
    anyway,
  }: { readonly user: string; readonly address: string; readonly anyway?: true | undefined },
  { directory }: Pick<CommandContext, "directory">,
): Promise<Problem | undefined> {
  const known = await directory.get("user", id);
  if (anyway || !known || known.body.emailAddress !== address) return undefined;
  return {
    field: "address",
    problem: `This is the e-mail address of ${known.name ?? id} already, as far as Curfew knows. Nothing was changed.`,
    buttons: [
      { label: "Send it anyway", words: "user email", opens: "result", input: { user: id, address, anyway: true } },
    ],
  };
}

export const userDetachPolicy = defineChange({
  words: "user detach-policy",
  aliases: ["detach policy <policy> from <user>", "detach <policy> from <user>"],
  title: "Detach policy",
  summary: "Take a managed policy from a user",
  operation: "DetachManagedPolicy",
  about: "user",
  fields: { user, policy: reference("policy", { label: "Policy", hint: "Its name or id", positional: true }) },
  subjectId: (input) => input.user,
  request: (input) => ({ id: input.user, managedPolicyId: input.policy }),
  target: () => ({}),
  describe: ({ request, before, after }) => {
    const name = nameOf(request.id, before, after);
    const policy = before?.managedPolicies?.find(({ managedPolicyId }) => managedPolicyId === request.managedPolicyId);
    const policyName = policy?.name ?? request.managedPolicyId;
    return {
      done: `detached policy ${policyName} from ${name}`,
      asked: `detach policy ${policyName} from ${name}`,
      facts: [
        { label: "Policy", value: request.managedPolicyId },
        ...policiesLeft(after),
        ...userFacts(request.id, before, after),
      ],
    };
  },
});

/** The label of the policies that a user has left. */
export const stillAttached = "Still attached";

function policiesLeft(after: User | undefined): readonly Fact[] {
  const left = after?.managedPolicies?.map(({ name, managedPolicyId }) => `${name ?? managedPolicyId}`);
  return left ? [{ label: stillAttached, value: left.length ? { list: left } : "none" }] : [];
}

function defineStatusChange(verb: "enable" | "disable", status: (typeof userStatuses)[number], summary: string) {
  const opposite = status === "enabled" ? "disabled" : "enabled";
  return defineChange({
    words: `user ${verb}`,
    aliases: [verb],
    title: verb === "enable" ? "Enable user" : "Disable user",
    summary,
    operation: "ModifyUser",
    about: "user",
    fields: { user, isSure: toggle({ label: "Sure", hidden: "all", optional: true }) },
    subjectId: (input) => input.user,
    already: (input, context) => (status === "disabled" ? askIfSure(input, context) : Promise.resolve(undefined)),
    request: (input) => ({ id: input.user, status }),
    target: () => ({}),
    describe: ({ request, before, after }) => {
      const name = nameOf(request.id, before, after);
      // The service has no read for users, so the last known status may be stale. The change is sent anyway.
      const isUnchanged = before?.status === status;
      const present: Fact = isUnchanged
        ? { label: "Status", value: `already ${status} when last known` }
        : { label: "Status", value: after?.status ?? status, before: before?.status ?? undefined };
      return {
        done: `${status} ${name}${isUnchanged ? `, already ${status} when last known` : ""}`,
        asked: `${verb} ${name}`,
        saysAll: true,
        facts: [present, ...userFacts(request.id, before, after)],
      };
    },
    accountOwner: ({ before }) => (before?.status === status ? undefined : (before?.emailAddress ?? undefined)),
    // Undo needs the opposite status before. Nobody is enabled just because they were disabled twice.
    undo: ({ request, before }) =>
      before?.status === opposite
        ? { words: verb === "enable" ? "user disable" : "user enable", input: { user: request.id } }
        : undefined,
  });
}

/** Asks before somebody disables their own account, or that of Curfew's only admin, unless a second person must approve it. */
async function askIfSure(
  { user: id, isSure, ...rest }: { readonly user: string; readonly isSure?: true | undefined },
  { directory, actor, onlyAdmin, needsApproval }: FillContext,
): Promise<Problem | undefined> {
  if (isSure || needsApproval) return undefined;
  const user = await directory.get("user", id);
  const isOf = (email: string | undefined) =>
    email !== undefined && user?.body.emailAddress?.toLowerCase() === email.toLowerCase();
  const isOwn = isOf(actor.email);
  const isOnlyAdmin = isOf(await onlyAdmin?.());
  if (!isOwn && !isOnlyAdmin) return undefined;
  const whose = isOwn ? "This is your own account" : `${user?.name ?? id} is the only admin of Curfew`;
  const also = isOwn && isOnlyAdmin ? ", and you are the only admin of Curfew" : "";
  const then = `${isOwn ? "You" : "They"} could not sign in to the service until somebody enables it`;
  return {
    problem: `${whose}${also}. ${then}. Nothing was changed.`,
    buttons: [
      {
        label: isOwn ? "Disable my account" : `Disable ${user?.name ?? id} anyway`,
        words: "user disable",
        opens: "result",
        input: { ...rest, user: id, isSure: true },
      },
    ],
  };
}

function nameOf(id: string, before: User | undefined, after: User | undefined): string {
  return after?.username ?? before?.username ?? id;
}

function userFacts(id: string, before: User | undefined, after: User | undefined): readonly Fact[] {
  const email = after?.emailAddress ?? before?.emailAddress;
  return [{ label: "User", value: id }, ...(email ? [{ label: "E-mail", value: email }] : [])];
}

export const userCommands = [userEnable, userDisable, userEmail, userRemoveMfa, userDetachPolicy] as const;
