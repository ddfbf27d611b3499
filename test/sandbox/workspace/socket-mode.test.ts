import { afterEach, beforeEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import { isJsonObject, type JsonObject, parseJson } from "../../../src/sandbox/workspace/json-object.ts";
import { startWorkspace, type Workspace } from "../../support/start-workspace.ts";
import { callSlack } from "./call-slack.ts";
import { socketManifest } from "./tiny-manifest.ts";

let workspace: Workspace;
beforeEach(async () => {
  workspace = await startWorkspace({ manifest: socketManifest, deadlineMs: 600, schedule: () => {} });
});
afterEach(() => workspace.close());

const address = async (): Promise<string> => {
  const answer = await callSlack(workspace, "apps.connections.open", {}, { token: workspace.appToken });
  return String(answer.url);
};

interface Connection {
  readonly frames: readonly JsonObject[];
  next(): Promise<JsonObject>;
  send(frame: JsonObject): void;
  readonly closed: Promise<void>;
}

/** Frames arrive in order; `next` returns each once. */
function connect(url: string): Connection {
  const socket = new WebSocket(url);
  const frames: JsonObject[] = [];
  const waiting: ((frame: JsonObject) => void)[] = [];
  let taken = 0;
  socket.on("message", (data) => {
    const frame = parseJson(String(data));
    if (!isJsonObject(frame)) return;
    frames.push(frame);
    const take = waiting.shift();
    if (take !== undefined) {
      taken += 1;
      take(frame);
    }
  });
  return {
    frames,
    next: () => {
      const ready = frames[taken];
      if (ready === undefined) return new Promise((resolve) => waiting.push(resolve));
      taken += 1;
      return Promise.resolve(ready);
    },
    send: (frame) => socket.send(JSON.stringify(frame)),
    closed: new Promise((resolve) => socket.on("close", () => resolve()).on("error", () => resolve())),
  };
}

it("greets a connection with hello, and its URL works once", async () => {
  const url = await address();
  const connection = connect(url);
  expect(await connection.next()).toMatchObject({
    type: "hello",
    connection_info: { app_id: "A0CURFEW" },
    num_connections: 1,
  });
  const second = connect(url);
  await second.closed;
  expect(second.frames).toEqual([]);
});

it("sends a command in an envelope and completes on acknowledgement", async () => {
  const connection = connect(await address());
  await connection.next();
  const outcome = workspace.as("alice").type("/tiny hi", "ops");
  const envelope = await connection.next();
  expect(envelope).toMatchObject({
    type: "slash_commands",
    accepts_response_payload: true,
    payload: { command: "/tiny", text: "hi", is_enterprise_install: "false" },
  });
  connection.send({ envelope_id: envelope.envelope_id, payload: { text: "hello" } });
  expect(await outcome).toEqual({ ok: true });
  expect(workspace.as("alice").messages("ops")).toMatchObject([{ text: "hello" }]);
});

it("marks events and shortcuts as accepting no response payload", async () => {
  const connection = connect(await address());
  await connection.next();
  const home = workspace.as("alice").openHome();
  const event = await connection.next();
  expect(event).toMatchObject({
    type: "events_api",
    accepts_response_payload: false,
    retry_attempt: 0,
    retry_reason: "",
  });
  connection.send({ envelope_id: event.envelope_id });
  expect(await home).toEqual({ ok: true });
  const shortcut = workspace.as("alice").shortcut("New thing");
  const envelope = await connection.next();
  expect(envelope).toMatchObject({
    type: "interactive",
    accepts_response_payload: false,
    payload: { callback_id: "new_thing" },
  });
  expect(envelope.payload).not.toHaveProperty("response_url");
  connection.send({ envelope_id: envelope.envelope_id, payload: {} });
  expect(await shortcut).toEqual({ ok: true });
});

it("reports silence as a timeout and fails immediately without a connection", async () => {
  expect(await workspace.as("alice").type("/tiny", "ops")).toEqual({ ok: false, shown: "dispatch_failed" });
  const connection = connect(await address());
  await connection.next();
  expect(await workspace.as("alice").type("/tiny", "ops")).toEqual({ ok: false, shown: "operation_timeout" });
});

it("accepts at most ten connections", async () => {
  const connections = await Promise.all(Array.from({ length: 10 }, async () => connect(await address())));
  await Promise.all(connections.map((connection) => connection.next()));
  expect(workspace.sockets.count()).toBe(10);
  const eleventh = connect(await address());
  expect(await eleventh.next()).toMatchObject({ type: "disconnect", reason: "too_many_websockets" });
  await eleventh.closed;
});

it("asks connections to leave, or drops them", async () => {
  const polite = connect(await address());
  await polite.next();
  workspace.sockets.disconnect("refresh_requested");
  expect(await polite.next()).toMatchObject({ type: "disconnect", reason: "refresh_requested" });
  await polite.closed;
  const rude = connect(await address());
  await rude.next();
  workspace.sockets.drop();
  await rude.closed;
  await workspace.waitFor(() => workspace.sockets.count() === 0);
});
