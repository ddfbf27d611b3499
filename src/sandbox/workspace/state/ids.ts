/** Identifiers in Slack's form. Code may rely only on the first letter (PLATFORM.md §11.1). */
export interface Ids {
  /** A prefix and ten characters, for example `V0A1B2C3D4E`. */
  next(prefix: string): string;
  /** `<seconds>.<six digits>`, unique. */
  timestamp(): string;
  /** The id Slack fills in for a missing `block_id` or `action_id`. */
  block(): string;
  hex(length: number): string;
}

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const mixed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export function createIds(now: () => number, random: () => number): Ids {
  let lastMicros = 0;
  const pick = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join("");
  return {
    next: (prefix) => `${prefix}0${pick(capitals, 9)}`,
    timestamp: () => {
      lastMicros = Math.max(now() * 1000, lastMicros + 1);
      return `${Math.floor(lastMicros / 1e6)}.${String(Math.floor(lastMicros % 1e6)).padStart(6, "0")}`;
    },
    block: () => pick(mixed, 5),
    hex: (length) => pick("0123456789abcdef", length),
  };
}
