import { isJsonObject, parseJson } from "../../src/sandbox/workspace/json-object.ts";

/** The same numbers for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const deep = parseJson(`${"[".repeat(2000)}${"]".repeat(2000)}`);
const strange: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 53, 1e308, "", " ", "0", "null", "[]", "{}", [], {}, [[]], [null], deep],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "U04DAVE",
    "U05GINA",
    "UCURFEW",
    "C0RANDOM",
    "D0",
    "p-prod",
    "i-0a1",
    "aex-00000001",
  ],
  ...[
    "run:exclusion create:x",
    "form:user remove-mfa:x",
    "run:undo:x",
    "help",
    "command-form",
    "input",
    "reference:user",
  ],
  ...["exclude staging for 1h", "user disable bob", "undo", "exclusion end aex-00000001", "project rename p-prod x"],
  ...[
    "<!channel>",
    "<@U01ALICE>",
    "'; DROP TABLE changes; --",
    "\u0000",
    "\ud83d",
    "\u202e",
    "%00",
    "../../etc/passwd",
    "$(id)",
  ],
  ...[
    "http://169.254.169.254/",
    "https://hooks.slack.com.evil.example/",
    "javascript:alert(1)",
    "x".repeat(5000),
    "🦉".repeat(500),
  ],
  { text: { type: "plain_text", text: "x" }, value: "x" },
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
];

/** A copy with one value removed or replaced by something odd, at any depth, also in JSON inside a text. */
export function mangle(value: unknown, random: () => number): unknown {
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const parsed = typeof value === "string" ? parseJson(value) : undefined;
  if (random() < 0.15) return pick(strange);
  if (typeof parsed === "object" && parsed !== null) return JSON.stringify(mangle(parsed, random));
  if (Array.isArray(value) && value.length > 0) {
    const at = Math.floor(random() * value.length);
    const changed = random() < 0.2 ? [] : [mangle(value[at], random)];
    return [...value.slice(0, at), ...changed, ...value.slice(at + 1)];
  }
  if (!isJsonObject(value)) return pick(strange);
  const key = pick(Object.keys(value)) ?? "x";
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  return random() < 0.1 ? rest : { ...rest, [key]: mangle(value[key], random) };
}
