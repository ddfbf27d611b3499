import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";
import { hideEmails } from "./email-addresses.ts";
import { escapeUnsafe } from "./unsafe-characters.ts";

export type { Logger };

const censored = "[redacted]";

/** Keys, in lower case, whose values never reach a log, at whatever depth they stand. */
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
  /** Values that must not be seen wherever they turn up, even within a sentence or a URL. */
  readonly secrets?: readonly string[];
  readonly destination?: DestinationStream;
}

/**
 * One JSON line for each entry. The finished line is what is cleaned, so nothing that pino adds or unfolds escapes. People stand in it by
 * their Slack ids: e-mail addresses are hidden, whoever's error or page brought them.
 */
export function createLogger({ level, secrets = [], destination }: LogOptions): Logger {
  const hide = hideValues(secrets);
  const options: LoggerOptions = {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: (line) => hide(`${JSON.stringify(JSON.parse(line), clean)}\n`) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Values are cleaned as they are, since JSON would hide where a word begins: in `\nbob` there is an escape and no `n`. */
function clean(key: string, value: unknown): unknown {
  if (secretKeys.has(key.toLowerCase())) return censored;
  if (typeof value === "string") return hideShapes(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [hideShapes(name), held]));
}

/** Slack tokens, and the addresses through which anyone may answer in the bot's name: secrets that no list can know beforehand. */
const secretShapes = [/\bx(?:ox[a-z]|wfp|app)[-.][\w.-]+/g, /https:\/\/hooks\.slack\.com\/[^\s"'<>\\]+/g];

const hideShapes = (text: string): string =>
  hideEmails(
    secretShapes.reduce((hidden, shape) => hidden.replace(shape, censored), text),
    censored,
  );

/** Shorter than this, a "secret" would also be found in ordinary words and spoil every line. */
const shortestSecret = 4;

function hideValues(secrets: readonly string[]): (line: string) => string {
  const written = secrets
    .filter((secret) => secret.length >= shortestSecret)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  const longestFirst = [...new Set(written)].sort((a, b) => b.length - a.length);
  return (line) => {
    const unlisted = longestFirst.reduce((text, secret) => text.replaceAll(secret, censored), line);
    // JSON escapes few of the characters that steer a terminal in which somebody reads the log.
    return escapeUnsafe(unlisted);
  };
}
