import { z } from "zod";
import { commandOf } from "../commands/catalogue.ts";
import { accountOperations, actsOf } from "../permissions/account-care.ts";
import type { Actor } from "../permissions/actor.ts";
import { type Change, isServiceChange, occurrenceOf } from "./change.ts";
import type { NewOutboxMessage } from "./outbox-message.ts";
import type { ChangeStore, WithEmail } from "./ports.ts";
import { isSeries } from "./steps/series.ts";

/** Whose address it was this long ago is still its owner: an attacker changes the address first. */
const lookBackMs = 30 * 86_400_000;
/** The latest are read. If there are more, those before them count as not known. */
const maxRead = 10_000;

/** The e-mail addresses of an account since 30 days before a change, as far as Curfew knows. */
export interface AccountAddresses {
  /** The oldest first, each once. */
  readonly all: readonly string[];
  /** The time of the first change since then, if the address before it is not known. */
  readonly unknownBefore: number | undefined;
}

/** Whether a change is about somebody's account in the service. */
export function isOfAccount(change: Change): change is Change & { readonly subjectId: string } {
  return isServiceChange(change) && accountOperations.has(change.operation) && change.subjectId !== null;
}

/** The change as it is shown where anybody may read it. */
export function withoutReasons(change: Change): Change {
  const { reason: _reason, ...input } = change.input;
  return {
    ...change,
    input,
    // Of an undo it is Curfew's own.
    reason: change.undoes === null ? null : change.reason,
    decisions: change.decisions.map((decision) => ({ ...decision, note: null })),
  };
}

/** The addresses of the account that a change alters, from its changes since 30 days before. */
export async function accountAddresses(change: Change, store: Pick<ChangeStore, "list">): Promise<AccountAddresses> {
  const others = await alterations(change, store);
  const changes = [...others, change].sort((one, other) => one.requestedAt - other.requestedAt);
  const found = addressesIn(changes);
  // By their spelling: Slack may know one person by another of their addresses.
  const keys = found.map((address) => address.toLowerCase());
  const all = found.filter((_address, index) => keys.indexOf(keys[index] ?? "") === index);
  const [earliest = change] = changes;
  const isKnown = others.length < maxRead - 1 && addressBefore(earliest) !== undefined;
  return { all, unknownBefore: isKnown ? undefined : earliest.requestedAt };
}

/** The addresses that an account had since 30 days before `now`, by the changes of it that were made, or may have been. */
export async function formerAddresses(
  subjectId: string,
  now: number,
  store: Pick<ChangeStore, "list">,
): Promise<readonly string[]> {
  return addressesIn(await alterations({ id: undefined, subjectId, requestedAt: now }, store));
}

const addressesIn = (changes: readonly Change[]): readonly string[] =>
  changes.flatMap((each) => [addressBefore(each) ?? [], addressIn(each.answer) ?? []].flat());

/** If nothing was known before, what the service answered holds, unless this very change altered it. */
function addressBefore({ before, request, answer }: Change): string | undefined {
  return addressIn(before) ?? (addressIn(request) === undefined ? addressIn(answer) : undefined);
}

/** The other changes of the account since then that were made, or may have been. */
async function alterations(
  { id, subjectId, requestedAt }: Pick<Change, "subjectId" | "requestedAt"> & { readonly id: string | undefined },
  store: Pick<ChangeStore, "list">,
): Promise<readonly Change[]> {
  if (subjectId === null) return [];
  const about = { subjects: [{ kind: "user", id: subjectId } as const], resourceIds: [] };
  const filter = { about, states: ["succeeded", "unknown"], since: requestedAt - lookBackMs, limit: maxRead } as const;
  return (await store.list(filter)).filter((other) => other.id !== id);
}

/** The person with the oldest address that somebody has in Slack: the owner. */
export async function ownerAmong(
  addresses: readonly string[],
  withEmail: WithEmail,
): Promise<{ readonly address: string; readonly person: Actor } | undefined> {
  for (const address of addresses) {
    const person = await withEmail(address);
    if (person && isNotifiable(person)) return { address, person };
  }
  return undefined;
}

/** Nobody outside the organization gets a message about an account. */
export const isNotifiable = ({ membership }: Actor): boolean => membership === "member" || membership === "guest";

/** The direct messages about a change that was made. */
export async function madeMessages(
  change: Change,
  store: Pick<ChangeStore, "list">,
): Promise<readonly NewOutboxMessage[]> {
  const command = commandOf(change.words);
  const isNews = command?.kind !== "change" || command.altersNothing?.(occurrenceOf(change)) !== true;
  // The owner gets a message about each step of a series, as soon as it is made.
  const isMade = change.state === "succeeded" && !isSeries(change);
  return isMade && isNews ? messagesTo(change, "account-owner", store) : [];
}

export async function messagesTo(
  change: Change,
  kind: "owner-card" | "account-owner",
  store: Pick<ChangeStore, "list">,
): Promise<readonly NewOutboxMessage[]> {
  if (!isOfAccount(change)) return [];
  const { all } = await accountAddresses(change, store);
  return all.map((to) => ({ changeId: change.id, kind, to, underChangeId: null }));
}

/** Whether this change and others of the last 30 days altered the account's address and its MFA: together they let somebody in. */
export async function isTakeover(change: Change, store: Pick<ChangeStore, "list">): Promise<boolean> {
  if (!isOfAccount(change)) return false;
  const changes = [change, ...(await alterations(change, store))].filter(isServiceChange);
  const acts = changes.flatMap(({ operation, request }) => actsOf(operation, request));
  return acts.includes("address") && acts.includes("mfa");
}

const withAddress = z.object({ emailAddress: z.string().nullish() });

/** The e-mail address in the body of a user or of a request. */
export function addressIn(body: unknown): string | undefined {
  return withAddress.safeParse(body).data?.emailAddress?.trim() || undefined;
}
