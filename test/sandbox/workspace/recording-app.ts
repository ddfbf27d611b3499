import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { isJsonObject, type JsonObject, parseJson } from "../../../src/sandbox/workspace/json-object.ts";
import { startWorkspace, type Workspace, type WorkspaceOptions } from "../../support/start-workspace.ts";
import { tinyManifest } from "./tiny-manifest.ts";

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The command's fields, the interaction, or the event envelope. */
  readonly payload: JsonObject;
}

export interface Responder {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
}

export interface RecordingApp {
  readonly workspace: Workspace;
  readonly received: readonly ReceivedRequest[];
  /** Sets the answer to the next requests; "never" leaves them unanswered. */
  reply: (answer: Responder | "never") => void;
  last(): JsonObject;
  stop(): Promise<void>;
}

/** A workspace and an app that only records its requests. */
export async function startRecording(options: Partial<WorkspaceOptions> = {}): Promise<RecordingApp> {
  const workspace = await startWorkspace({ manifest: tinyManifest, ...options });
  const received: ReceivedRequest[] = [];
  let next: Responder | "never" = {};
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString();
    received.push({ headers: request.headers, body, payload: payloadOf(request.headers, body) });
    if (next !== "never") answer(response, next);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  workspace.connectHttp(`http://127.0.0.1:${port}/slack/events`);
  return {
    workspace,
    received,
    reply: (answer) => {
      next = answer;
    },
    last: () => received.at(-1)?.payload ?? {},
    stop: async () => {
      await workspace.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function payloadOf(headers: IncomingHttpHeaders, body: string): JsonObject {
  const form = Object.fromEntries(new URLSearchParams(body));
  const isForm = headers["content-type"] === "application/x-www-form-urlencoded";
  const payload = isForm ? (form.payload === undefined ? form : parseJson(form.payload)) : parseJson(body);
  return isJsonObject(payload) ? payload : {};
}

function answer(response: ServerResponse, { status = 200, headers = {}, json, text }: Responder): void {
  const type = json === undefined ? {} : { "content-type": "application/json" };
  response.writeHead(status, { ...type, ...headers });
  response.end(json === undefined ? text : JSON.stringify(json));
}
