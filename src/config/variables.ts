import { z } from "zod";

const token = (prefix: string) => z.string().regex(new RegExp(`^${prefix}\\S+$`), `must start with ${prefix}`);
const oneWord = z.string().regex(/^[\x21-\x7e]+$/, "must be one word, without spaces or control characters");
const port = z
  .string()
  .regex(/^\d{1,5}$/, "must be a number from 0 to 65535")
  .transform(Number)
  .refine((number) => number <= 65535, "must be a number from 0 to 65535");
const seconds = z
  .string()
  .regex(/^(?:\d|10)$/, "must be a number from 0 to 10")
  .transform(Number);
const httpUrl = z
  .string()
  .refine(isPlainHttpUrl, "must be an http:// or https:// URL without user name, query or fragment")
  .transform((url) => url.replace(/\/+$/, ""));

/**
 * Every environment variable, declared once (OPERATING.md, "Variables"). The checks at start and `.env.example` follow from it. The
 * message of a check continues the variable's name.
 */
export const variables = z.object({
  SLACK_BOT_TOKEN: token("xoxb-").optional().meta({ description: "Bot token", secret: true }),
  SLACK_SIGNING_SECRET: oneWord
    .optional()
    .meta({ description: "HTTP mode: requests are verified with it, at POST /slack/events", secret: true }),
  SLACK_APP_TOKEN: token("xapp-")
    .optional()
    .meta({ description: "Socket Mode: app-level token, instead of the signing secret", secret: true }),
  SLACK_API_URL: httpUrl.optional().meta({ description: "Other base of Slack's Web API; default Slack's own" }),
  SCHEDULER_BASE_URL: httpUrl.optional().meta({ description: "Where the scheduling service is, without /api" }),
  SCHEDULER_API_KEY: oneWord.optional().meta({ description: "Access key of the scheduling service", secret: true }),
  CURFEW_CONFIG: z.string().default("curfew.yaml").meta({ description: "Permissions and settings file" }),
  CURFEW_SECRETS_DIR: z.string().optional().meta({
    description: "Folder of key files that credential changes may name, each as <credential id>/<file>; default none",
  }),
  CURFEW_COMMAND: z
    .string()
    .regex(/^\/[a-z0-9_-]{1,31}$/, "must be / and up to 31 lower-case letters, digits, - or _")
    .default("/curfew")
    .meta({ description: "Name of the slash command, as in the app's manifest" }),
  DATABASE_URL: z
    .string()
    .refine(
      (url) => /^sqlite:(?!\/\/)./.test(url) || namesPostgresDatabase(url),
      "must be sqlite:<path>, such as sqlite:data/curfew.db, or postgres://<user>:<password>@<host>/<database>",
    )
    .default("sqlite:data/curfew.db")
    .meta({ description: "Database: sqlite:<path>, or postgres://<user>:<password>@<host>:<port>/<database>" }),
  HOST: z
    .string()
    .default("0.0.0.0")
    .meta({ description: "Address to listen on: Slack (HTTP mode), /healthz, /readyz, /metrics" }),
  PORT: port.prefault("3000").meta({ description: "Port to listen on; 0 for any that is free" }),
  DRAIN_SECONDS: seconds.prefault("5").meta({
    description: "How long requests are still served after SIGTERM, while /readyz already says 503; 0 to 10",
  }),
  METRICS_PORT: port.optional().meta({
    description: "Port for /metrics alone; without it they are on PORT, for this machine or with METRICS_TOKEN",
  }),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, "must be one word of at least 16 characters")
    .optional()
    .meta({ description: "Bearer token without which nobody reads /metrics", secret: true }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .meta({ description: "Where traces are sent: an OpenTelemetry collector, OTLP over HTTP; default nowhere" }),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[\w-]+=[^,]*(?:,[\w-]+=[^,]*)*$/, "must be name=value, and commas between several")
    .optional()
    .meta({
      description: "What is sent along with the traces, such as api-key=…, commas between several",
      secret: true,
    }),
  LOG_LEVEL: z
    .enum(
      ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
      "must be trace, debug, info, warn, error, fatal or silent",
    )
    .default("info")
    .meta({ description: "How much is logged: trace, debug, info, warn, error, fatal or silent" }),
});

export type VariableName = keyof typeof variables.shape;
export const variableNames = variables.keyof().options;
export const secretNames = variableNames.filter((name) => variables.shape[name].meta()?.secret === true);

/** The URL must name the database: the driver would otherwise use the user's name. */
export function namesPostgresDatabase(text: string): boolean {
  return /^postgres(?:ql)?:\/\/[^/]*\/[^/?#]/.test(text) && URL.canParse(text);
}

function isPlainHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === "";
}
