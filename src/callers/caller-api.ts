import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Caller, exampleTokenHash } from "../config/settings.ts";
import type { InFlight } from "../lifecycle.ts";
import { isFromThisMachine } from "../observability/health.ts";
import type { Logger } from "../observability/log.ts";
import { logWithReference } from "../observability/log.ts";
import { type Api, pathOf } from "../slack/connection/http-receiver.ts";
import { createRefusalLog, createUnverifiedBodies, refuse } from "../slack/connection/unverified-requests.ts";
import type { FloodGuard } from "../slack/people/flood-guard.ts";
import { type Answer, problemAnswer, tooManyAnswer } from "./answer.ts";
import { lineRequest, openApi, type ProblemKind } from "./schemas.ts";
import type { TakeRequest } from "./take-request.ts";

export interface CallerApiOptions {
  readonly callers: () => readonly Caller[];
  readonly requests: Pick<TakeRequest, "ask" | "look">;
  readonly floodGuard: FloodGuard;
  readonly inFlight: Pick<InFlight, "track">;
  readonly log: Logger;
  readonly onBadToken: () => void;
}

const prefix = "/v1/";
const linesPath = `${prefix}lines`;
const openApiPath = `${prefix}openapi.json`;
const changePath = /^\/v1\/changes\/([a-z0-9-]{1,40})$/;

const maxBodyBytes = 16 * 1024;
/** Longer than a line may take (take-request.ts). */
const maxQuietMs = 40_000;

/**
 * What pipelines may ask over HTTP. It is not there unless the config names callers. Nothing of a request is read before its token is
 * known, and nothing of a token is logged.
 */
export function createCallerApi(options: CallerApiOptions): Api {
  const { callers, log } = options;
  const bodies = createUnverifiedBodies();
  const logRefusal = createRefusalLog(log);
  return (request, response, hold) => {
    const path = pathOf(request);
    if (!path.startsWith(prefix) || callers().length === 0) return false;
    if (path === openApiPath && request.method === "GET") {
      send(request, response, { status: 200, body: openApi() });
      return true;
    }
    const caller = whoCalls(request, callers());
    if (!caller) {
      logRefusal(401, "it has no token of a caller");
      options.onBadToken();
      send(request, response, noToken);
      return true;
    }
    const given = { request, response, path, caller, hold, arrivedAt: performance.now() };
    void options.inFlight
      .track(() => serve(options, bodies, given))
      .catch((error: unknown) => {
        const reference = logWithReference(log, error, "a caller's request could not be handled");
        return problemAnswer(
          "error",
          `Something went wrong in Curfew, perhaps after it was done. Ask again with the same Idempotency-Key to see the outcome. If this goes on, tell the people who run Curfew: ${reference}.`,
        );
      })
      .then((answer) => answer && send(request, response, answer));
    return true;
  };
}

const noToken: Answer = {
  ...problemAnswer("no-token", "Send the caller's token: Authorization: Bearer <token>."),
  headers: { "www-authenticate": "Bearer" },
};

interface Given {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly caller: Caller;
  readonly hold: Parameters<Api>[2];
  readonly arrivedAt: number;
}

type Bodies = ReturnType<typeof createUnverifiedBodies>;

/** Undefined when the connection broke off. */
async function serve(options: CallerApiOptions, bodies: Bodies, given: Given): Promise<Answer | undefined> {
  const { path, request } = given;
  const [, changeId] = changePath.exec(path) ?? [];
  if (changeId !== undefined)
    return request.method === "GET" ? whileHeld(given, () => lookAt(options, given, changeId)) : wrongMethod("GET");
  if (path !== linesPath) return path === openApiPath ? wrongMethod("GET") : nothingHere;
  return request.method === "POST" ? takeLine(options, bodies, given) : wrongMethod("POST");
}

const nothingHere = problemAnswer("not-found", `There is ${linesPath} to POST to, and ${prefix}changes/{id} to GET.`);

const wrongMethod = (allow: string): Answer => ({
  ...problemAnswer("wrong-method", `This address takes ${allow}.`),
  headers: { allow },
});

async function lookAt(
  { floodGuard, requests }: CallerApiOptions,
  { caller }: Given,
  changeId: string,
): Promise<Answer> {
  const poller = `caller:${caller.name}`;
  if (floodGuard.allow(poller, "typing")) return requests.look(caller, changeId);
  return tooManyAnswer(floodGuard.waitMs(poller, "typing"));
}

/** For a request that is whole. Held until it is answered, also when the caller is gone by then. */
async function whileHeld({ request, caller, hold }: Given, work: () => Promise<Answer>): Promise<Answer> {
  const held = hold(caller.name);
  if (!held) return tooManyAtOnce;
  request.socket.setTimeout(maxQuietMs);
  return work().finally(held.release);
}

const tooManyAtOnce: Answer = {
  ...problemAnswer("too-many", "Too many requests of pipelines are in progress. Nothing was done. Try again in 2 s."),
  headers: { "retry-after": "2" },
};

async function takeLine({ requests }: CallerApiOptions, bodies: Bodies, given: Given): Promise<Answer | undefined> {
  const { request, response, caller, arrivedAt } = given;
  const { headers } = request;
  const wrong = wrongHeaders(request);
  if (wrong) return problemAnswer(...wrong);
  if (headers.expect) response.writeContinue();
  const reading = bodies.read(request, maxBodyBytes);
  const gone = new Promise<"gone">((resolve) => request.once("close", () => resolve("gone")));
  const bytes = await Promise.race([reading, gone]);
  if (bytes === "gone") return undefined;
  const body = bytes && readBody(bytes);
  if (!body) return problemAnswer("too-large", tooLarge);
  if ("wrong" in body) return problemAnswer("bad-request", body.wrong);
  const asked = { ...body, key: String(headers["idempotency-key"]), arrivedAt };
  return whileHeld(given, () => requests.ask(caller, asked));
}

const tooLarge = `The body has at most ${maxBodyBytes / 1024} KiB.`;

function wrongHeaders({ headers }: IncomingMessage): [kind: ProblemKind, detail: string] | undefined {
  if (!/^application\/json *(?:;|$)/i.test(headers["content-type"] ?? "") || headers["content-encoding"] !== undefined)
    return ["wrong-type", 'Send JSON such as {"line": "status staging"} with Content-Type: application/json.'];
  if (Number(headers["content-length"] ?? 0) > maxBodyBytes) return ["too-large", tooLarge];
  if (!/^[\x21-\x7e]{1,200}$/.test(headers["idempotency-key"]?.toString() ?? ""))
    return [
      "bad-request",
      "Send an Idempotency-Key of 1 to 200 letters, digits and signs: a new one for each request.",
    ];
  return undefined;
}

function readBody(
  bytes: Buffer,
): { readonly line: string; readonly confirm?: boolean | undefined } | { readonly wrong: string } {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return { wrong: "The body is no JSON in UTF-8." };
  }
  const read = lineRequest.safeParse(json);
  if (read.success) return read.data;
  return { wrong: read.error.issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`).join("; ") };
}

function send(request: IncomingMessage, response: ServerResponse, { status, body, headers }: Answer): void {
  if (response.destroyed || response.headersSent) return;
  const type = status < 400 ? "application/json" : "application/problem+json";
  const all = { ...headers, "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" };
  refuse(request, response, { status, headers: all, text: `${JSON.stringify(body)}\n` });
}

/** The caller whose token a request has. Compares it with every hash, so its timing does not reveal them. */
function whoCalls(
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
  callers: readonly Caller[],
): Caller | undefined {
  const token = /^bearer +([\x21-\x7e]{1,200})$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  const hash = createHash("sha256").update(token).digest();
  let found: Caller | undefined;
  for (const caller of callers)
    for (const known of caller.tokenSha256) if (timingSafeEqual(hash, Buffer.from(known, "hex"))) found = caller;
  const isExample = hash.toString("hex") === exampleTokenHash;
  return isExample && !isFromThisMachine({ headers, socket }) ? undefined : found;
}
