import { randomBytes } from "node:crypto";

/** Without letters and digits that look alike. */
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";
const length = 9;

/** Short enough to type; more than 40 random bits make a collision unlikely. */
export function newChangeId(): string {
  return `chg-${[...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join("")}`;
}
