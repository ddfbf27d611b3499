import type { Entity } from "../directory/directory.ts";
import { isSameAddress } from "../permissions/actor.ts";
import { accountOf, mainAccount } from "../service/account-ids.ts";
import { mfaTypes, User, type userStatuses } from "../service/resources.ts";
import { formatMoment } from "../time/format-moment.ts";
import {
  changedFact,
  type Description,
  type Fact,
  formButton,
  isProblem,
  type Problem,
  resultButton,
} from "./answer.ts";
import {
  type CommandContext,
  defineChange,
  type FillContext,
  type PlanContext,
  type SeriesPlan,
  type Step,
} from "./command.ts";
import { exclusionEnd } from "./exclusion/exclusion.ts";
import { choice, email, reference, toggle } from "./field.ts";
import { maySee, maySeeUsers } from "./lookup/may-see.ts";

const whichUser = {
  label: "User",
  hint: "Their service user id, e-mail address or Slack name",
  positional: true,
} as const;
const userField = reference("user", whichUser);
/** The form shows what follows from who it is. */
const redrawingUser = reference("user", { ...whichUser, redraws: true });

export const userEnable = defineStatusChange("enable", "enabled", "Let a user sign in again");
export const userDisable = defineStatusChange("disable", "disabled", "Keep a user from signing in");

export const userRemoveMfa = defineMfaRemoval({
  words: "user remove-mfa",
  aliases: [
    ...["reset mfa", "reset mfa for", "reset mfa of", "remove mfa", "remove mfa for", "remove mfa of"],
    ...["user remove mfa", "user reset mfa"],
  ],
  title: "Remove MFA",
  summary: "Remove a user's lost multi-factor authentication",
  wording: (name) => ({ done: `removed the MFA of ${name}`, asked: `remove the MFA of ${name}` }),
});

const userUnlock = defineMfaRemoval({
  words: "user unlock",
  aliases: [
    ...["unlock", "let <user> back in", "<user> is locked out", "<user> got locked out"],
    ...["<user> lost their phone", "<user> lost her phone", "<user> lost his phone", "<user> has lost their phone"],
    ...["<user> lost their mfa", "<user> has a new phone", "<user> can't sign in", "<user> cannot sign in"],
  ],
  title: "Unlock user",
  summary: "Let a locked-out user sign in without the MFA they lost",
  wording: (name) => ({
    done: `unlocked ${name} by removing their MFA`,
    asked: `unlock ${name} by removing their MFA`,
  }),
});

interface MfaRemoval {
  readonly words: string;
  readonly aliases: readonly string[];
  readonly title: string;
  readonly summary: string;
  readonly wording: (name: string) => Pick<Description, "done" | "asked">;
}

function defineMfaRemoval({ wording, ...said }: MfaRemoval) {
  return defineChange({
    ...said,
    operation: "RemoveUserMfa",
    about: "user",
    confirms:
      "They sign in without a second factor until they set one up again. Make sure the request really comes from them.",
    fields: {
      user: redrawingUser,
      mfaType: choice(
        mfaTypes.map((type) => ({ value: type, label: type })),
        {
          label: "Present MFA type",
          hint: "It must be the one they have now",
          positional: true,
          derivedFrom: "user",
          folded: "known",
        },
      ),
      anyway: toggle({ label: "Ask anyway", hidden: "all", optional: true }),
    },
    subjectId: (input) => input.user,
    already: (input, context) => contradictsKnown(said.words, input, context),
    complete: async (input, { directory }) => {
      const current = input.user && (await directory.get("user", input.user))?.body.mfaType;
      const mfaType = mfaTypes.find((type) => type === current);
      return mfaType ? { mfaType } : {};
    },
    request: (input) => ({ id: input.user, mfaType: input.mfaType }),
    target: () => ({}),
    describe: ({ request, before, after }) => ({
      ...wording(nameOf(request.id, before, after)),
      ofOwner: { done: "removed your MFA", asked: "remove your MFA" },
      facts: [...mfaFacts(request.mfaType, before, after), ...userFacts(request.id, before, after)],
    }),
  });
}

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

const userEmail = defineChange({
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
    user: userField,
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
      ofOwner: {
        done: `changed your e-mail address to ${is}`,
        asked: `change your e-mail address to ${request.emailAddress ?? ""}`,
      },
      facts: [changedFact("E-mail", is, was), { label: "User", value: request.id }],
    };
  },
  altersNothing: ({ request, before }) => before?.emailAddress === request.emailAddress,
  undo: ({ request, before }) =>
    before?.emailAddress && before.emailAddress !== request.emailAddress
      ? { words: "user email", input: { user: request.id, address: before.emailAddress } }
      : undefined,
});

/** What Curfew knows may be out of date, so the requester can have it sent. */
async function sameAddress(
  input: { readonly user: string; readonly address: string; readonly anyway?: true | undefined },
  { directory }: Pick<CommandContext, "directory">,
): Promise<Problem | undefined> {
  const { user: id, address, anyway } = input;
  const known = await directory.get("user", id);
  if (anyway || !known || known.body.emailAddress !== address) return undefined;
  return {
    field: "address",
    problem: `This is the e-mail address of ${known.name ?? id} already, as far as Curfew knows. Nothing was changed.`,
    buttons: [resultButton("Send it anyway", "user email", { ...input, anyway: true })],
  };
}

export const userDetachPolicy = defineChange({
  words: "user detach-policy",
  aliases: ["detach policy <policy> from <user>", "detach <policy> from <user>"],
  title: "Detach policy",
  summary: "Take a managed policy from a user",
  operation: "DetachManagedPolicy",
  about: "user",
  fields: {
    user: userField,
    policy: reference("policy", { label: "Policy", hint: "Its name or id", positional: true }),
  },
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
      ofOwner: { done: `detached policy ${policyName} from you`, asked: `detach policy ${policyName} from you` },
      warning: `${leftWords(after)}The service can't attach it again from here.`,
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
  const left = namesLeft(after);
  return left ? [{ label: stillAttached, value: left.length ? { list: left } : "none" }] : [];
}

const namesLeft = (after: User | undefined): readonly string[] | undefined =>
  after?.managedPolicies?.map(({ name, managedPolicyId }) => name ?? managedPolicyId);

const shownPolicies = 10;

function leftWords(after: User | undefined): string {
  const left = namesLeft(after);
  if (!left) return "";
  const more = left.length - shownPolicies;
  const names = left.slice(0, shownPolicies).join(", ") || "no policy";
  return `${stillAttached}: ${names}${more > 0 ? ` and ${more} more` : ""}. `;
}

function defineStatusChange(verb: "enable" | "disable", status: (typeof userStatuses)[number], summary: string) {
  const opposite = status === "enabled" ? "disabled" : "enabled";
  const inverse = (id: string) => ({ words: verb === "enable" ? "user disable" : "user enable", input: { user: id } });
  return defineChange({
    words: `user ${verb}`,
    aliases: [verb],
    title: verb === "enable" ? "Enable user" : "Disable user",
    summary,
    step: { name: `${verb}_user`, title: verb === "enable" ? "Enable a user" : "Disable a user", inputs: ["user"] },
    operation: "ModifyUser",
    about: "user",
    fields: { user: userField, isSure: toggle({ label: "Sure", hidden: "all", optional: true }) },
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
        done: `${status} ${name}${isUnchanged ? ", as before" : ""}`,
        asked: `${verb} ${name}`,
        ofOwner: { done: `${status} your account`, asked: `${verb} your account` },
        saysAll: true,
        facts: [present, ...userFacts(request.id, before, after)],
      };
    },
    altersNothing: ({ before }) => before?.status === status,
    // Undo needs the opposite status before. Nobody is enabled just because they were disabled twice.
    undo: ({ request, before }) => (before?.status === opposite ? inverse(request.id) : undefined),
    undoAsks: ({ request, before, after }) =>
      before?.status
        ? undefined
        : {
            text: `Curfew does not know whether ${nameOf(request.id, before, after)} was ${opposite} before.`,
            answers: [
              { value: opposite, label: `it was ${opposite} before`, inverse: inverse(request.id) },
              { value: status, label: `it was ${status} already`, inverse: undefined },
            ],
          },
  });
}

/** Asks before somebody disables the account of Curfew's only admin, unless a second person must approve it, as for one's own. */
async function askIfSure(
  { user: id, isSure, ...rest }: { readonly user: string; readonly isSure?: true | undefined },
  { directory, onlyAdmin, needsApproval }: FillContext,
): Promise<Problem | undefined> {
  if (isSure || needsApproval) return undefined;
  const user = await directory.get("user", id);
  if (!isSameAddress(user?.body.emailAddress, await onlyAdmin?.())) return undefined;
  const name = user?.name ?? id;
  return {
    problem: `${name} is the only admin of Curfew. They could not sign in to the service until somebody enables it. Nothing was changed.`,
    buttons: [resultButton(`Disable ${name} anyway`, "user disable", { ...rest, user: id, isSure: true })],
  };
}

function nameOf(id: string, before: User | undefined, after: User | undefined): string {
  return after?.username ?? before?.username ?? id;
}

function userFacts(id: string, before: User | undefined, after: User | undefined): readonly Fact[] {
  const email = after?.emailAddress ?? before?.emailAddress;
  return [{ label: "User", value: id }, ...(email ? [{ label: "E-mail", value: email }] : [])];
}

export const userCommands = [userEnable, userDisable, userEmail, userRemoveMfa, userUnlock, userDetachPolicy] as const;

/** A removal that does not fit what is known. Only an earlier answer of the service is certain enough to refuse it for good. */
async function contradictsKnown(
  words: string,
  input: { readonly user: string; readonly mfaType: string; readonly anyway?: true | undefined },
  context: CommandContext,
): Promise<Problem | undefined> {
  const user = await context.directory.get("user", input.user);
  const known = user?.body.mfaType;
  if (!user || !known || known === input.mfaType) return undefined;
  const name = user.name ?? user.id;
  const at = await saidAt(user, "mfaType", context);
  const has = known === "none" ? "no MFA" : `the MFA ${known}, not ${input.mfaType}`;
  const problem = `${name} has ${has}, as ${saidBy(at, context)}. Nothing was changed`;
  if (known === "none" && at !== undefined) {
    const same = user.body.status === "disabled" ? "disable" : "enable";
    const next = `Have they set one up since? Use “user ${same} ${user.id}” first: its answer names their MFA.`;
    return { field: "mfaType", problem: `${problem}. ${next}` };
  }
  if (input.anyway) return undefined;
  const other = mfaTypes.find((type) => type === known);
  return {
    problem: `${problem}, and nobody was asked. This may be old: you can have it removed all the same.`,
    buttons: [
      ...(other ? [resultButton(`Use ${other}`, words, { ...input, mfaType: other })] : []),
      resultButton("Ask anyway", words, { ...input, anyway: true }),
    ],
  };
}

/** When the service last said this of a user, in epoch ms; undefined where only the config file or an import says it. */
export async function saidAt(
  { id, body }: Entity<"user">,
  fact: "status" | "mfaType",
  { changesAbout }: Pick<CommandContext, "changesAbout">,
): Promise<number | undefined> {
  for (const { at, answer } of (await changesAbout?.("user", id)) ?? []) {
    const said = User.safeParse(answer).data?.[fact];
    if (said) return said === body[fact] ? at : undefined;
  }
  return undefined;
}

/** Who says what is known of a user, and when. */
export const saidBy = (at: number | undefined, { actor }: Pick<CommandContext, "actor">): string =>
  at === undefined
    ? "the config file or an import says"
    : `the service said on ${formatMoment(Math.floor(at / 60_000) * 60_000, actor.timeZone)}`;

/** A leaver's account, in one request. */
export const userOffboard = defineChange({
  words: "user offboard",
  aliases: ["offboard", "<user> left company", "<user> has left company", "<user> is leaving company"],
  title: "Offboard user",
  summary: "Disable a leaver, detach their policies and stop what they keep running",
  operation: "ModifyUser",
  about: "user",
  confirms: "They can't sign in any more. Detached policies and what ends now don't come back.",
  fields: {
    user: redrawingUser,
    policy: reference("policy", { label: "One of their policies", hidden: "form", optional: true }),
  },
  submit: () => "Offboard",
  isForEveryAccount: true,
  alternative: ({ user }) => formButton("Disable…", userDisable.words, user === undefined ? {} : { user }),
  subjectId: (input) => input.user,
  preview: async ({ user, policy }, context) => {
    if (user === undefined) return { lines: [], buttons: [] };
    const plan = await planFor({ user, policy }, context);
    const lines = isProblem(plan)
      ? [plan.problem]
      : [...plan.steps.map(({ asked }) => `• ${asked}`), ...plan.ahead, ...plan.notes];
    return { lines, buttons: [], answer: { effect: [], lines: [] } };
  },
  request: (input) => ({ id: input.user }),
  target: () => ({}),
  describe: ({ request, before, after }) => {
    const name = nameOf(request.id, before, after);
    return {
      done: `offboarded ${name}`,
      asked: `offboard ${name}`,
      ofOwner: { done: "offboarded you", asked: "offboard you" },
      facts: userFacts(request.id, before, after),
    };
  },
  series: {
    operations: ["ModifyUser", "DetachManagedPolicy"],
    plan: planFor,
    further: ({ words, input }, answer) =>
      words === userDetachPolicy.words ? detachments(String(input.user), User.safeParse(answer).data) : [],
    staysUndone: "Undo only lets them sign in again.",
  },
});

async function planFor(
  { user: id, policy }: { readonly user: string; readonly policy?: string | undefined },
  context: PlanContext,
): Promise<SeriesPlan | Problem> {
  const user = await context.directory.get("user", id);
  const email = user?.body.emailAddress ?? undefined;
  if (isSameAddress(email, context.actor.email))
    return { problem: "You can't offboard yourself. Nothing was changed. Ask somebody else who may do it." };
  const known = await withPolicies(id, context);
  const named = policy === undefined ? [] : [{ managedPolicyId: policy, name: await nameOfPolicy(policy, context) }];
  const policies = detachments(id, {
    userId: id,
    username: user?.name,
    managedPolicies: [...named, ...(known?.managedPolicies ?? [])],
  });
  const others = await inOtherAccounts(id, email, context);
  const { exclusions, areMakersKnown } =
    email === undefined
      ? { exclusions: [], areMakersKnown: true }
      : await exclusionsOnlyOf(email, accountOf(id), context);
  const described = userDisable.describe({ request: { id }, before: user?.body, after: undefined });
  const asked = others.accounts.length > 0 ? `${described.asked} in ${accountOf(id)}` : described.asked;
  return {
    steps: [
      { words: userDisable.words, input: { user: id }, asked },
      ...policies,
      ...others.steps,
      ...exclusions.map(endingOf),
    ],
    ahead: policies.length > 0 ? [everyPolicy] : [],
    notes: [
      ...(policies.length > 0 ? [] : [known ? noPolicyLeft : noPolicyKnown]),
      ...(email === undefined ? [noAddress] : []),
      ...(areMakersKnown ? [] : [unknownMakers]),
      ...(others.isAll ? [] : [hiddenAccounts]),
      ...(others.accounts.length > 0 ? [`Undo leaves them disabled in ${others.accounts.join(" and ")}.`] : []),
    ],
  };
}

/**
 * The same for their users in other accounts of the service, which have the same address. Whether somebody has one where the requester
 * may see none is not said: `isAll` is the same either way.
 */
async function inOtherAccounts(id: string, email: string | undefined, context: PlanContext) {
  const all = [mainAccount, ...Object.keys(context.settings.accounts)];
  const seen = new Set(all.filter((account) => maySeeUsers(context, account)));
  const isSeveral = email !== undefined && all.length > 1;
  const same = isSeveral ? await context.directory.match("user", email) : [];
  const others = same.filter(
    (user) =>
      accountOf(user.id) !== accountOf(id) &&
      seen.has(accountOf(user.id)) &&
      user.endedAt === null &&
      isSameAddress(user.body.emailAddress, email),
  );
  const steps = await Promise.all(
    others.map(async ({ id: other, body }) => {
      const where = ` in ${accountOf(other)}`;
      const { asked } = userDisable.describe({ request: { id: other }, before: body, after: undefined });
      const policies = detachments(other, await withPolicies(other, context));
      return [{ words: userDisable.words, input: { user: other }, asked: asked + where }, ...policies];
    }),
  );
  const isAll = all.every((account) => account === accountOf(id) || seen.has(account));
  return { steps: steps.flat(), accounts: others.map((user) => accountOf(user.id)), isAll };
}

const hiddenAccounts = "Accounts whose users you may not see are left out.";
const everyPolicy = "Every other policy that the service lists then is detached too.";
const noPolicyLeft = "They had no policy left when the service last listed them.";
const noPolicyKnown = "No policy is detached: Curfew knows none of theirs.";
const unknownMakers = "Slack didn't say whose some machines are. Some of theirs may stay kept.";
const noAddress = "What they keep running stays: Curfew doesn't know their e-mail address.";

/** The user with their policies, as the service listed them last. It lists them only when one is detached. */
async function withPolicies(id: string, { directory, changesAbout }: CommandContext): Promise<User | undefined> {
  const known = (await directory.get("user", id))?.body;
  const earlier = (await changesAbout?.("user", id)) ?? [];
  return [known, ...earlier.map(({ answer }) => User.safeParse(answer).data)].find((body) => body?.managedPolicies);
}

async function nameOfPolicy(id: string, { directory }: CommandContext): Promise<string | undefined> {
  return (await directory.get("policy", id))?.name ?? undefined;
}

function detachments(id: string, before: User | undefined): readonly Step[] {
  const ids = new Set(before?.managedPolicies?.map(({ managedPolicyId }) => managedPolicyId));
  return [...ids].map((policy) => {
    const { asked } = userDetachPolicy.describe({ request: { id, managedPolicyId: policy }, before, after: undefined });
    return { words: userDetachPolicy.words, input: { user: id, policy }, asked };
  });
}

const endingOf = ({ id, body }: Entity<"exclusion">): Step => {
  const { asked } = exclusionEnd.describe({ request: { id }, before: body, after: undefined });
  return { words: exclusionEnd.words, input: { exclusion: id }, asked };
};

/** Those that this person made and nobody else has changed since; and whether Slack said of all who made them. */
async function exclusionsOnlyOf(
  email: string,
  account: string,
  context: PlanContext,
): Promise<{ readonly exclusions: readonly Entity<"exclusion">[]; readonly areMakersKnown: boolean }> {
  const { directory, now, emailOf, changesAbout } = context;
  const all = await directory.liveExclusions(now);
  // Nothing is said of another account of which the requester may see nothing.
  const areSeen = await Promise.all(all.map(async (each) => accountOf(each.id) === account || maySee(each, context)));
  const live = all.filter((_each, index) => areSeen[index]);
  const owners = new Set(live.flatMap(({ ownerId }) => ownerId ?? []));
  const addresses = await Promise.all(
    [...owners].map(async (owner) => [owner, await emailOf?.(owner).catch(() => null)] as const),
  );
  const theirs = new Set(addresses.filter(([, address]) => isSameAddress(address, email)).map(([owner]) => owner));
  const own = live.filter(({ ownerId }) => ownerId !== null && theirs.has(ownerId));
  const changed = await Promise.all(own.map(async ({ id }) => (await changesAbout?.("exclusion", id)) ?? []));
  return {
    exclusions: own.filter((_each, index) => changed[index]?.every(({ actorId }) => theirs.has(actorId))),
    areMakersKnown: addresses.every(([, address]) => address !== null),
  };
}
