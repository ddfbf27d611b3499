import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import PQueue from "p-queue";
import { z } from "zod";
import { operationNames } from "../service/operations.ts";
import { type Act, type ActOutcome, performAct } from "./act.ts";
import { listen, readBody, rejectionReason, stopListening } from "./local-http.ts";
import type { Page } from "./page/create-page.ts";
import {
  channelsOf,
  createMessageTracker,
  exclusionsInForce,
  messagesSeen,
  moveClock,
  type Sandbox,
  type SeenMessage,
  seedPerson,
  viewSeen,
} from "./sandbox.ts";
import { parseJson } from "./workspace/json-object.ts";

export interface Control {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A local HTTP endpoint through which scripts act as people. Handles one request at a time, so that each sees its own effects.
 * Also serves the page, if there is one.
 */
export async function startControl(sandbox: Sandbox, port: number, page: Page = () => false): Promise<Control> {
  const queue = new PQueue({ concurrency: 1 });
  const server = createServer((request, response) => {
    if (page(request, response)) return;
    answer(sandbox, request, queue)
      .catch((error: unknown) => refusal(400, error instanceof Error ? error.message : String(error)))
      .then((reply) => send(response, reply))
      .catch(() => response.destroy());
  });
  const url = `http://127.0.0.1:${await listen(server, port, "127.0.0.1")}`;
  return { url, close: () => stopListening(server) };
}

async function answer(sandbox: Sandbox, request: IncomingMessage, queue: PQueue): Promise<ControlAnswer> {
  const reason = rejectionReason(request);
  if (reason !== undefined) return refusal(403, reason);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  const name = `${request.method} ${pathname}`;
  if (name === "GET /help") return { status: 200, body: controlHelp };
  const route = Object.hasOwn(controlRoutes, name) ? controlRoutes[name] : undefined;
  if (route === undefined) return refusal(404, `There is no ${name}. See GET /help.`);
  const text = await readBody(request);
  if (text === undefined) return refusal(413, "The body is too long; send at most 100,000 bytes.");
  const body = text === "" ? undefined : parseJson(text);
  if (text !== "" && body === undefined) return refusal(400, "The body is not JSON.");
  return queue.add(async () => route(sandbox, { query: searchParams, body }));
}

function refusal(status: number, error: string): ControlAnswer {
  return { status, body: { error } };
}

function send(response: ServerResponse, { status, body }: ControlAnswer): void {
  const isText = typeof body === "string";
  response
    .writeHead(status, { "content-type": isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8" })
    .end(isText ? body : `${JSON.stringify(body, null, 2)}\n`);
}

interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface ControlCall {
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined when the body is empty. */
  readonly body: unknown;
}

type Route = (sandbox: Sandbox, call: ControlCall) => ControlAnswer | Promise<ControlAnswer>;

/** Every route except the help text. A route throws when a name in the request is unknown. */
const controlRoutes: Readonly<Record<string, Route>> = {
  "GET /people": (sandbox) =>
    ok(sandbox.seed.people.map((person) => ({ ...person, channels: channelsOf(sandbox, person.handle) }))),
  "GET /messages": (sandbox, { query }) => {
    const { handle } = seedPerson(sandbox, query.get("as") ?? "alice");
    return ok(messagesSeen(sandbox, handle, query.get("in") ?? undefined).map(messageJson));
  },
  "GET /view": (sandbox, { query }) => ok(viewJson(sandbox, seedPerson(sandbox, query.get("as") ?? "alice").handle)),
  "GET /service": (sandbox) => ok(serviceJson(sandbox)),
  "POST /act": act,
  "POST /fault": fault,
  "POST /clock": async (sandbox, { body }) => {
    const request = clockRequest.safeParse(body);
    if (!request.success) return { status: 400, body: { error: z.prettifyError(request.error) } };
    return ok({ now: await moveClock(sandbox, request.data.forward) });
  },
};

async function act(sandbox: Sandbox, { body }: ControlCall): Promise<ControlAnswer> {
  const request = actRequest.safeParse(body);
  if (!request.success) return { status: 400, body: { error: z.prettifyError(request.error) } };
  const { handle } = seedPerson(sandbox, request.data.as);
  const newOrChanged = createMessageTracker();
  newOrChanged(messagesSeen(sandbox, handle));
  const outcome = await performAct(sandbox, handle, request.data.act);
  const messages = newOrChanged(messagesSeen(sandbox, handle)).map(messageJson);
  const seen = { messages, view: viewJson(sandbox, handle) };
  return outcome.kind === "refused"
    ? { status: 409, body: { error: outcome.reason, ...seen } }
    : ok({ ...seen, ...extras(outcome) });
}

function extras({ note, options }: Extract<ActOutcome, { kind: "done" }>) {
  return { ...(note === undefined ? {} : { note }), ...(options === undefined ? {} : { options }) };
}

function fault(sandbox: Sandbox, { body }: ControlCall): ControlAnswer {
  const request = faultRequest.safeParse(body);
  if (!request.success) return { status: 400, body: { error: z.prettifyError(request.error) } };
  const { workspace, service } = sandbox;
  if ("clear" in request.data) {
    workspace.faults.clear();
    service.faults.clear();
  } else if ("slack" in request.data) {
    const { method, ...fault } = request.data.slack;
    workspace.faults.failNext(method, fault);
  } else {
    service.faults.next(request.data.service);
  }
  return ok({ ok: true });
}

function messageJson({ place, from, text, isOnlyForYou, isReply, isEdited, stored }: SeenMessage) {
  return { in: place, from, text, onlyForYou: isOnlyForYou, isReply, isEdited, ts: stored.ts, blocks: stored.blocks };
}

function viewJson(sandbox: Sandbox, handle: string) {
  const view = sandbox.workspace.as(handle).openView();
  if (view === undefined) return null;
  const { title, submit, fields, values, errors } = view;
  return { title, submit, fields, values, errors, text: viewSeen(sandbox, handle) };
}

function serviceJson(sandbox: Sandbox) {
  const { exclusions, users, projects } = sandbox.service.account;
  const inForce = exclusionsInForce(sandbox);
  return {
    exclusions: [...exclusions.values()].map((exclusion) => ({ ...exclusion, isInForce: inForce.includes(exclusion) })),
    users: [...users.values()],
    projects: [...projects.values()],
  };
}

function ok(body: unknown): ControlAnswer {
  return { status: 200, body };
}

const text = z.string().min(1).max(10_000);
const typed = z.union([z.string().max(10_000), z.array(z.string()).readonly(), z.boolean(), z.number(), z.null()]);

const actShape = z.strictObject({
  as: text,
  in: text.default("ops"),
  type: text.exactOptional(),
  fill: z.record(z.string(), typed).exactOptional(),
  suggest: z.strictObject({ label: text, query: z.string() }).exactOptional(),
  submit: z.literal(true).exactOptional(),
  cancel: z.literal(true).exactOptional(),
  press: text.exactOptional(),
  nth: z.int().min(1).default(1),
  deny: z.boolean().default(false),
});

/** The body of `POST /act`: a person and exactly one act. */
const actRequest = actShape.transform((body, context): { readonly as: string; readonly act: Act } => {
  const [act, ...others] = actsIn(body);
  if (act && others.length === 0) return { as: body.as, act };
  context.addIssue("must have exactly one of type, fill, suggest, submit, cancel, press");
  return z.NEVER;
});

function actsIn({ in: place, type, fill, suggest, submit, cancel, press, nth, deny }: z.infer<typeof actShape>): Act[] {
  const acts: (Act | undefined)[] = [
    type === undefined ? undefined : { kind: "type", text: type, place: place.replace(/^#/, "") },
    fill && { kind: "fill", values: fill },
    suggest && { kind: "suggest", ...suggest },
    submit && { kind: "submit" },
    cancel && { kind: "cancel" },
    press === undefined ? undefined : { kind: "press", button: press, nth, confirms: !deny },
  ];
  return acts.filter((act) => act !== undefined);
}

const times = { times: z.int().min(1).exactOptional() };
const target = { operation: z.enum(operationNames).exactOptional(), ...times };
const status = z.int().min(100).max(599);
const delayMs = z.int().min(0).max(60_000);

const serviceFault = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("latency"), ms: delayMs, ...target }),
  z.strictObject({ kind: z.literal("refuse"), ...target }),
  z.strictObject({ kind: z.literal("reset-before"), ...target }),
  z.strictObject({ kind: z.literal("reset-after"), ...target }),
  z.strictObject({ kind: z.literal("status"), status, retryAfterSeconds: z.int().min(0).exactOptional(), ...target }),
  z.strictObject({ kind: z.literal("garbage"), status: status.exactOptional(), ...target }),
]);

const slackFault = z.strictObject({
  method: text,
  error: text.exactOptional(),
  status: status.exactOptional(),
  retryAfterSeconds: z.int().min(0).exactOptional(),
  reset: z.boolean().exactOptional(),
  delayMs: delayMs.exactOptional(),
  afterwards: z.boolean().exactOptional(),
  ...times,
});

/** The body of `POST /clock`. */
const clockRequest = z.strictObject({ forward: text });

/** The body of `POST /fault`. */
const faultRequest = z.union([
  z.strictObject({ service: serviceFault }),
  z.strictObject({ slack: slackFault }),
  z.strictObject({ clear: z.literal(true) }),
]);

const controlHelp = `Curfew sandbox API for scripts, on this machine only. Answers are JSON, except this text. For the page, open GET /.

GET  /people                        all people, with their channels
GET  /messages?as=alice&in=ops      the messages a person sees there; without "in", everywhere ("dm": direct messages with the bot)
GET  /view?as=alice                 the form the person has open, or null
GET  /service                       exclusions (with isInForce), users and projects in the embedded service
POST /act                           performs one action as a person; answers when the bot is idle, with
                                    { messages: new or changed, view, options? }, or 409 { error } when it is not possible
  {"as":"alice","in":"ops","type":"/curfew exclude i-0a1 for 2h"}
  {"as":"alice","fill":{"Reason":"demo"}}         {"as":"alice","submit":true}       {"as":"alice","cancel":true}
  {"as":"alice","suggest":{"label":"Project","query":"dev"}}
  {"as":"alice","press":"End now","nth":1}        a button, or an entry of a ⋯ menu; with "deny":true, answers no to the question
POST /fault                         makes the next requests to the service or to Slack fail
  {"service":{"kind":"status","status":503,"operation":"CreateActionExclusion","times":1}}
    kinds: latency {ms}, refuse, reset-before, reset-after, status {status, retryAfterSeconds}, garbage {status}
  {"slack":{"method":"chat.postMessage","error":"not_in_channel"}}
    instead of error: status, retryAfterSeconds, reset; also delayMs, afterwards, times
  {"clear":true}
POST /clock                         moves the clock of service, workspace and bot forward; runs what falls due
  {"forward":"2h"}

curl -s 127.0.0.1:PORT/act -d '{"as":"alice","in":"ops","type":"/curfew help"}'
`;
