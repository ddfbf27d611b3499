import { createHash, randomUUID } from "node:crypto";
import { lineAnswer, problem } from "../../src/callers/schemas.ts";
import type { Instance } from "./start-curfew.ts";

export const sandboxToken = "sandbox-token-of-deploy-bot";

export const rootToken = "token-of-root-bot-for-tests";
export const nextToken = "next-token-of-root-bot-for-tests";
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The config with another pipeline, which acts as an admin. */
export const withRootBot = (config: string, tokens: readonly string[] = [rootToken]): string =>
  config.replace(
    /^callers:\n/m,
    `callers:\n  - { name: root-bot, role: admin, channel: C0SEC, tokenSha256: [${tokens.map(hashOf).join(", ")}] }\n`,
  );

/** The id under which a request of deploy-bot is recorded. */
export const requestId = (key: string): string => `caller:deploy-bot:${hashOf(key)}`;

/** What is recorded of a line's body. */
export const bodyHash = (line: string): string => hashOf(JSON.stringify([line, false]));

export interface CallerAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Asking {
  readonly key?: string;
  readonly confirm?: boolean;
  readonly token?: string;
}

/** A line of the pipeline deploy-bot, over real HTTP. */
export function callLine(
  { url }: Pick<Instance, "url">,
  line: string,
  { key = randomUUID(), confirm, token = sandboxToken }: Asking = {},
): Promise<CallerAnswer> {
  return call(`${url}/v1/lines`, {
    method: "POST",
    body: JSON.stringify({ line, confirm }),
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
      "idempotency-key": key,
    },
  });
}

export const lookAt = ({ url }: Pick<Instance, "url">, path: string, token = sandboxToken): Promise<CallerAnswer> =>
  call(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });

export async function call(url: string, init: RequestInit): Promise<CallerAnswer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const { status, headers } = response;
  const body: Readonly<Record<string, unknown>> = text === "" ? {} : JSON.parse(text);
  // As the description says, and nothing else.
  if (url.includes("/v1/") && !url.endsWith(".json") && text !== "")
    (status < 400 ? lineAnswer.strict() : problem.strict()).parse(body);
  return { status, headers, body };
}
