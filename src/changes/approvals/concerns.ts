import type { LinePart, Sentence } from "../../commands/answer.ts";
import { catalogue } from "../../commands/catalogue.ts";
import { actsOf } from "../../permissions/account-care.ts";
import { type Actor, isSameAddress } from "../../permissions/actor.ts";
import { accountAddresses, addressIn, isOfAccount, ownerAmong } from "../account-owner.ts";
import { type Change, isAskedFor, isServiceChange, stateWords } from "../change.ts";
import { describeChange } from "../change-command.ts";
import type { ChangeStore, WithEmail } from "../ports.ts";

export interface ConcernPorts {
  readonly store: Pick<ChangeStore, "list">;
  /** Looks up a Slack user. Throws if Slack cannot say who it is. */
  readonly actor: (slackUserId: string) => Promise<Actor>;
  readonly withEmail: WithEmail;
}

/**
 * What the approvers of a waiting change should look at, a sentence each: why it needs them, whose account it is, its other changes in
 * the last 7 days, and whether its requester has done this before. Empty if there is nothing unusual. Beyond `most` stand only
 * those about who has the account.
 */
export async function concernsAbout(
  change: Change,
  ports: ConcernPorts,
  now: number,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly Sentence[]> {
  if (change.state !== "awaiting-approval") return [];
  const because = (change.approval?.because ?? []).map((each) => [each]);
  const owner = await ownerConcerns(change, ports);
  const recent = await recentChanges(change, ports, now, most - because.length - owner.length);
  const all = [...because, ...owner, ...recent];
  const isUsual = owner.length + recent.length < 2 && all.length < most;
  return isUsual ? [...all, ...(await firstUse(change, ports))] : all;
}

async function ownerConcerns(change: Change, { store, actor, withEmail }: ConcernPorts): Promise<readonly Sentence[]> {
  if (!isOfAccount(change)) return [];
  const { all, unknownBefore } = await accountAddresses(change, store);
  const [oldest] = all;
  if (oldest === undefined) return [["Curfew does not know whose account this is. Its owner gets no message."]];
  const found = await Promise.all([ownerAmong(all, withEmail), actor(change.actor.userId)]).catch(() => undefined);
  if (!found) return [["Curfew could not look up in Slack whose account this is."]];
  const [owner, requester] = found;
  return [
    ...(unknownBefore === undefined ? [] : [unknownOwner(unknownBefore)]),
    ...(owner?.address === oldest ? [] : [[addressNotInSlack(oldest, owner !== undefined)]]),
    ...sameAddress(change, requester, all, owner),
  ];
}

function unknownOwner(at: number): Sentence {
  return ["Curfew does not know who had this account before ", { at }, ". Only its later addresses get a message."];
}

const addressNotInSlack = (address: string, hasOwner: boolean): string =>
  hasOwner
    ? `Nobody in Slack has ${address}, the former address of this account.`
    : `Nobody in Slack has ${address}, so the owner gets no message.`;

/** Whether the requester is the owner, perhaps with two Slack accounts, or has an address that the account has or gets. */
function sameAddress(
  change: Change,
  { userId, email }: Actor,
  all: readonly string[],
  owner: Awaited<ReturnType<typeof ownerAmong>>,
): readonly Sentence[] {
  const requester: LinePart = { person: userId };
  if (owner?.person.userId === userId) return [["This is the account of ", requester, ", the requester."]];
  if (owner && isSameAddress(owner.address, email)) {
    const both = [requester, " and the owner, ", { person: owner.person.userId }] as const;
    return [[...both, ", have the same e-mail address. They seem to be one person."]];
  }
  if (all.some((address) => isSameAddress(address, email)))
    return [["The account has, or had, the e-mail address of ", requester, ", the requester."]];
  return isSameAddress(addressIn(change.request), email)
    ? [["The new address is that of ", requester, ", the requester."]]
    : [];
}

const recentMs = 7 * 86_400_000;
const shownChanges = 3;
/** A card has no room for more. */
const shownOfAccess = 10;
const maxCounted = 1000;
/** All but those that came to nothing by themselves. */
const recentStates = ["succeeded", "unknown", "performing", "approved", "awaiting-approval", "denied"] as const;

/** First those that may have given the account away, however many; then as many others as there is room for. */
async function recentChanges(change: Change, { store }: ConcernPorts, now: number, room: number) {
  if (!isOfAccount(change)) return [];
  const { id, subjectId } = change;
  const about = { subjects: [{ kind: "user", id: subjectId } as const], resourceIds: [] };
  const filter = { about, states: recentStates, since: now - recentMs, limit: maxCounted };
  const earlier = (await store.list(filter)).filter((other) => other.id !== id);
  const ofAccess = earlier.filter(givesAway).slice(0, shownOfAccess);
  const others = earlier
    .filter((other) => !givesAway(other))
    .slice(0, Math.max(0, Math.min(room, shownChanges) - ofAccess.length));
  const shown = [...ofAccess, ...others];
  const more = earlier.length - shown.length;
  const rest: Sentence = [`And ${more} more in 7 days: “history ${subjectId}” shows them.`];
  return [...shown.map(recentChange), ...(more > 0 ? [rest] : [])];
}

const givesAway = (change: Change): boolean =>
  isServiceChange(change) && actsOf(change.operation, change.request).some((act) => act === "address" || act === "mfa");

function recentChange(change: Change): Sentence {
  const { actor, state, settledAt, requestedAt } = change;
  const { done, asked } = describeChange(change);
  const what = state === "succeeded" ? done : `wanted to ${asked} (${stateWords[state]})`;
  return [`Lately: ${what}, by `, { person: actor.userId }, ", ", { at: settledAt ?? requestedAt }];
}

/** Who asks others to allow what goes beyond their rights uses none, so it is not said of them. */
async function firstUse(change: Change, { store }: ConcernPorts): Promise<readonly Sentence[]> {
  if (isAskedFor(change)) return [];
  const { operation, actor } = change;
  const commands = catalogue
    .filter((command) => command.kind === "change" && command.operation === operation)
    .map(({ words }) => words);
  const done = await store.list({ actorId: actor.userId, commands, states: ["succeeded"], limit: 1 });
  return done.length > 0 ? [] : [[{ person: actor.userId }, " has never done this before."]];
}
