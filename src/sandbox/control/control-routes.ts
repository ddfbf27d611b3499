import { z } from "zod";
import { type ActOutcome, performAct } from "../act.ts";
import { createMessageTracker, messagesSeen, type SeenMessage } from "../messages-seen.ts";
import { channelsOf, exclusionsInForce, moveClock, type Sandbox, seedPerson } from "../sandbox.ts";
import { viewSeen } from "../view-seen.ts";
import { actRequest, clockRequest, faultRequest } from "./control-request.ts";

export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface ControlCall {
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined when the body is empty. */
  readonly body: unknown;
}

type Route = (sandbox: Sandbox, call: ControlCall) => ControlAnswer | Promise<ControlAnswer>;

/** Every route except the help text. A route throws when a name in the request is unknown. */
export const controlRoutes: Readonly<Record<string, Route>> = {
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
  const tracker = createMessageTracker();
  tracker.newOrChanged(messagesSeen(sandbox, handle));
  const outcome = await performAct(sandbox, handle, request.data.act);
  const messages = tracker.newOrChanged(messagesSeen(sandbox, handle)).map(messageJson);
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
