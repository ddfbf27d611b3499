import { randomBytes } from "node:crypto";
import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";
import { escapeUnsafe } from "./unsafe-characters.ts";

export type { Logger };

const censored = "[redacted]";

/** Lower-case keys whose values are redacted at any depth. */
const secretKeys: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "set-cookie",
  "apikey",
  "accesskey",
  "token",
  "bottoken",
  "apptoken",
  "signingsecret",
  "clientsecret",
  "secret",
  "secretaccesskey",
  "privatekey",
  "private_key",
  "password",
  "response_url",
  "responseurl",
  "response_urls",
  "trigger_id",
  "triggerid",
  "amazoniamaccesskey",
  "googleserviceaccountkey",
]);

export interface LogOptions {
  readonly level: string;
  /** Values that are redacted everywhere, even within a sentence or a URL. More may be added later. */
  readonly secrets?: readonly string[];
  readonly destination?: DestinationStream;
}

/**
 * Writes one JSON line per entry. Redaction works on the finished line, so it covers everything that pino adds. Slack ids identify
 * people: e-mail addresses are hidden, even in errors and pages from elsewhere.
 */
export function createLogger({ level, secrets = [], destination }: LogOptions): Logger {
  let hidden = secrets.length;
  let hide = hideValues(secrets);
  const streamWrite = (line: string): string => {
    if (hidden !== secrets.length) hide = hideValues(secrets);
    hidden = secrets.length;
    return hide(`${JSON.stringify(JSON.parse(line), clean)}\n`);
  };
  const options: LoggerOptions = { level, timestamp: pino.stdTimeFunctions.isoTime, hooks: { streamWrite } };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Redacts values before JSON encodes them, because escapes hide where a word begins: `\nbob` holds a line feed, not an `n`. */
export function clean(key: string, value: unknown): unknown {
  if (secretKeys.has(key.toLowerCase())) return censored;
  if (typeof value === "string") return hideShapes(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [hideShapes(name), held]));
}

/** Secrets that no list can hold in advance: Slack tokens, and URLs through which anyone can answer as the bot. */
const secretShapes = [/\bx(?:ox[a-z]|wfp|app)[-.][\w.-]+/g, /https:\/\/hooks\.slack\.com\/[^\s"'<>\\]+/g];

const hideShapes = (text: string): string =>
  hideEmails(
    secretShapes.reduce((hidden, shape) => hidden.replace(shape, censored), text),
    censored,
  );

/** A shorter "secret" would match in ordinary words and spoil every line. */
const minSecretLength = 4;

function hideValues(secrets: readonly string[]): (line: string) => string {
  const written = secrets
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  const longestFirst = [...new Set(written)].sort((a, b) => b.length - a.length);
  return (line) => {
    const unlisted = longestFirst.reduce((text, secret) => text.replaceAll(secret, censored), line);
    // JSON escapes only a few of the characters that control a terminal.
    return escapeUnsafe(unlisted);
  };
}

/** `@`: verbatim, full-width, or encoded for a URL, HTML or JSON. */
const at = String.raw`(?:[@\uff20\ufe6b]|%(?:25)*40|&#0*64;|&#x0*40;|&commat;|\\+u0040)`;
/** Any characters except those around an address in JSON, a URL or a sentence; or quoted words. */
const localPart = String.raw`(?:[^\s"\\,:;<>()[\]{}@\uff20\ufe6b/=&?]{1,64}|"[^"\n]{1,64}")`;
/** Contains a letter in its last part, unlike a package version (`name@1.2.3`). */
const domain = String.raw`(?:\[[\da-fA-F.:v]{2,45}\]|(?:[\p{L}\p{N}\p{M}_-]{1,63}\.){0,10}[\p{L}\p{N}\p{M}_-]{0,62}\p{L}[\p{L}\p{N}\p{M}_-]{0,62})`;

const anyAt = new RegExp(at, "iu");
const address = new RegExp(localPart + at + domain, "giu");

/** Hides everything that looks like an e-mail address. */
function hideEmails(text: string, by: string): string {
  // Most lines hold none, and the full pattern is expensive.
  return anyAt.test(text) ? text.replace(address, by) : text;
}

/** Logs an error with a new reference. That is all a person reads of it: the error's own text may hold what they must not see. */
export function logWithReference(
  log: Pick<Logger, "error">,
  err: unknown,
  message: string,
  facts: object = {},
): string {
  const reference = `err-${randomBytes(4).toString("hex")}`;
  log.error({ err, reference, ...facts }, message);
  return reference;
}
