import type { Actor } from "./actor.ts";

/** Two accounts with the same e-mail address are one person. Accounts without an address cannot be compared. */
export function isSamePerson(one: Pick<Actor, "userId" | "email">, other: Pick<Actor, "userId" | "email">): boolean {
  return one.userId === other.userId || isSameAddress(one.email, other.email);
}

type Address = string | null | undefined;

/** Ignores case and surrounding spaces. False if an address is missing. */
export function isSameAddress(one: Address, other: Address): boolean {
  const [address, others] = [one, other].map((each) => each?.trim().toLowerCase());
  return address !== undefined && address === others;
}
