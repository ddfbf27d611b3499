import { randomBytes } from "node:crypto";

/** Letters and digits that are not mistaken for each other. */
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";
const length = 9;

/** Short enough to be typed, and never the same twice: more than 40 random bits. */
export function newChangeId(): string {
  return `chg-${[...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join("")}`;
}
