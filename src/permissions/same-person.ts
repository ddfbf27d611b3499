import type { Actor } from "./actor.ts";

/** Two accounts with the same e-mail address are one person. Accounts without an address cannot be compared. */
export function isSamePerson(one: Pick<Actor, "userId" | "email">, other: Pick<Actor, "userId" | "email">): boolean {
  return one.userId === other.userId || isSameAddress(one.email, other.email);
}

type Address = string | null | undefined;

/** Whether mail to both reaches one person: `Carol+x@example.com` is `carol@example.com`. False if an address is missing. */
export function isSameAddress(one: Address, other: Address): boolean {
  return one != null && other != null && mailboxOf(one) === mailboxOf(other);
}

/** The address in lower case, without what follows a plus sign before the @. */
export const mailboxOf = (address: string): string =>
  address
    .trim()
    .toLowerCase()
    .replace(/^([^@+]+)\+[^@]*(?=@)/, "$1");
