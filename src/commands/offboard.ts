import type { Entity } from "../directory/directory.ts";
import { isSameAddress } from "../permissions/same-person.ts";
import { User } from "../service/resources.ts";
import { isProblem, type Problem } from "./answer.ts";
import { type CommandContext, defineChange } from "./command.ts";
import { exclusionEnd } from "./exclusion/exclusion.ts";
import { reference } from "./field.ts";
import type { SeriesPlan, Step } from "./series.ts";
import { nameOf, redrawingUser, userDetachPolicy, userDisable, userFacts } from "./user.ts";

interface Leaver {
  readonly user: string;
  readonly policy?: string | undefined;
}

/** A leaver's account, in one request. */
export const userOffboard = defineChange({
  words: "user offboard",
  aliases: ["offboard", "<user> left company", "<user> has left company", "<user> is leaving company"],
  title: "Offboard user",
  summary: "Disable a leaver, detach their policies and end their exclusions",
  operation: "ModifyUser",
  about: "user",
  confirms: "They can't sign in any more. Policies can't be attached again from here, and ended exclusions stay ended.",
  fields: {
    user: redrawingUser,
    policy: reference("policy", {
      label: "One of their policies",
      hint: "The service then lists the others, and Curfew detaches them too",
      optional: true,
      redraws: true,
    }),
  },
  submit: () => "Offboard",
  subjectId: (input) => input.user,
  preview: async ({ user, policy }, context) => {
    if (user === undefined) return { lines: [], buttons: [] };
    const plan = await planFor({ user, policy }, context);
    const lines = isProblem(plan)
      ? [plan.problem]
      : [...plan.steps.map(({ asked }) => `• ${asked}`), ...plan.ahead, ...plan.notes];
    return { lines, buttons: [], answer: { effect: "", lines: [] } };
  },
  request: (input) => ({ id: input.user }),
  target: () => ({}),
  describe: ({ request, before, after }) => {
    const name = nameOf(request.id, before, after);
    const said = { done: `offboarded ${name}`, asked: `offboard ${name}`, askedOfOwner: "offboard you" };
    return { ...said, facts: userFacts(request.id, before, after) };
  },
  series: {
    operations: ["ModifyUser", "DetachManagedPolicy"],
    plan: planFor,
    further: ({ words, input }, answer) =>
      words === userDetachPolicy.words ? detachments(String(input.user), User.safeParse(answer).data) : [],
    staysUndone: "Undo lets them sign in again. Detached policies and ended exclusions stay as they are.",
  },
});

async function planFor({ user: id, policy }: Leaver, context: CommandContext): Promise<SeriesPlan | Problem> {
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
  const { exclusions, areMakersKnown } =
    email === undefined ? { exclusions: [], areMakersKnown: true } : await exclusionsOnlyOf(email, context);
  const asked = userDisable.describe({ request: { id }, before: user?.body, after: undefined }).asked;
  return {
    steps: [{ words: userDisable.words, input: { user: id }, asked }, ...policies, ...exclusions.map(endingOf)],
    ahead: policies.length > 0 ? [everyPolicy] : [],
    notes: [
      ...(policies.length > 0 ? [] : [known ? noPolicyLeft : noPolicyKnown(id)]),
      ...(email === undefined ? [noAddress] : []),
      ...(areMakersKnown ? [] : [unknownMakers]),
    ],
  };
}

const everyPolicy = "Every other policy that the service lists then is detached too.";
const noPolicyLeft = "They had no policy left when the service last listed them.";
const noPolicyKnown = (id: string): string =>
  `No policy is detached: Curfew knows none of theirs. Name one, and Curfew detaches all: “offboard ${id} --policy <one of theirs>”.`;
const unknownMakers = "Slack did not say who made some exclusions. Some of theirs may stay.";
const noAddress = "No exclusion is ended, since Curfew does not know their e-mail address.";

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
  { directory, now, emailOf, changesAbout }: CommandContext,
): Promise<{ readonly exclusions: readonly Entity<"exclusion">[]; readonly areMakersKnown: boolean }> {
  const live = await directory.liveExclusions(now);
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
