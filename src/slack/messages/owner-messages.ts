import { addressIn, isNotifiable } from "../../changes/account-owner.ts";
import { isAccountOwner } from "../../changes/approvals/who-may-approve.ts";
import type { Change, NewNotice } from "../../changes/change.ts";
import { isToAddress, type NewOutboxMessage } from "../../changes/outbox-message.ts";
import type { ChangeStore, WithEmail } from "../../changes/ports.ts";
import type { Actor } from "../../permissions/actor.ts";
import { accountOwnerMessage, ownerCard } from "./cards/owner-card.ts";
import type { Message } from "./message.ts";

export interface OwnerMessage {
  /** Their Slack user id. */
  readonly to: string;
  readonly message: Message;
  readonly notice: NewNotice;
}

/** Direct messages to people with an address of an altered account. */
export interface OwnerMessages {
  /** Undefined for one's own change, for people outside the organization, and for somebody who has this message already. */
  first(outboxMessage: Pick<NewOutboxMessage, "kind" | "to">, change: Change): Promise<OwnerMessage | undefined>;
  /** The message about what was asked for, as it stands now. */
  redrawn(to: string, change: Change): Promise<Message>;
}

export function createOwnerMessages({
  store,
  withEmail,
}: {
  readonly store: Pick<ChangeStore, "list">;
  readonly withEmail: WithEmail;
}): OwnerMessages {
  const isOwner = (change: Change, person: Actor) => isAccountOwner({ store, withEmail }, change, person);
  const card = (change: Change, person: Actor, isOwnerOf: boolean): Message =>
    ownerCard(change, { ...person, mayStop: isOwnerOf && person.membership === "member" });
  return {
    first: async ({ kind, to }, change) => {
      // Earlier versions queued the id of the account.
      const address = isToAddress({ to }) ? to : addressIn(change.before);
      const person = address === undefined ? undefined : await withEmail(address);
      if (!person || !isNotifiable(person) || person.userId === change.actor.userId) return undefined;
      const { userId, name } = person;
      const about = kind === "owner-card" ? "asked" : "made";
      if (change.notices.some((notice) => notice.userId === userId && notice.about === about)) return undefined;
      const notice = { userId, name, about, isOwner: await isOwner(change, person) } as const;
      const message = about === "asked" ? card(change, person, notice.isOwner) : accountOwnerMessage(change, person);
      return { to: userId, message, notice };
    },
    redrawn: async (to, change) => {
      const person = await withEmail(to);
      return person
        ? card(change, person, await isOwner(change, person))
        : ownerCard(change, { timeZone: change.actor.timeZone, mayStop: false });
    },
  };
}
