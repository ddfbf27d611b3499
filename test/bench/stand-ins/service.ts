// A stateless service that answers immediately, with enough of each operation for a client to continue.
import type { ServerResponse } from "node:http";
import { operations } from "../../../src/service/operations.ts";
import { readBody, serve } from "./serve.ts";

const [actionCount = 20, delayMs = 0] = process.argv.slice(2).map(Number);
const hourMs = 3_600_000;
let created = 0;
let inFlight = 0;
let mostInFlight = 0;
let requests = 0;

serve(async (request, response) => {
  const [path = ""] = (request.url ?? "").split("?");
  if (path === "/bench/served") return answer(response, { requests, created, mostInFlight });
  requests++;
  inFlight++;
  mostInFlight = Math.max(mostInFlight, inFlight);
  const body = request.method === "GET" || request.method === "DELETE" ? "" : await readBody(request);
  const send = () => {
    inFlight--;
    if (path === operations.ListActions.path && request.method === "GET") answerText(response, actions());
    else if (request.method === "DELETE") response.writeHead(204).end();
    else answer(response, thing(request.method === "POST", path, body === "" ? {} : JSON.parse(body)));
  };
  if (delayMs > 0) setTimeout(send, delayMs);
  else send();
});

function answer(response: ServerResponse, body: object): void {
  answerText(response, JSON.stringify(body));
}

function answerText(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) }).end(text);
}

/** Echoes the input with an id: the one in the path, or a new one. */
function thing(isNew: boolean, path: string, body: object): object {
  if (isNew) created++;
  const id = isNew ? `new-${process.pid}-${created}` : decodeURIComponent(path.split("/")[3] ?? "");
  const at = new Date().toISOString();
  const audited = { createdDate: at, lastModifiedDate: at, lastModifiedBy: "u-00000001" };
  const directory = path.startsWith("/api/ActionExclusions")
    ? { actionExclusionId: id, status: "active" }
    : { actionId: id, userId: id, projectId: id, credentialId: id, managedPolicyId: id, planId: id, selectorId: id };
  return { name: `Thing ${id}`, ...body, ...directory, ...audited };
}

let listed: { readonly at: number; readonly text: string } | undefined;

function actions(): string {
  if (listed && Date.now() - listed.at < hourMs) return listed.text;
  const text = JSON.stringify(Array.from({ length: actionCount }, (_, index) => action(index)));
  listed = { at: Date.now(), text };
  return text;
}

function action(index: number): object {
  const verb = index % 2 === 0 ? "stop" : "start";
  return {
    actionId: `a-${String(index).padStart(8, "0")}`,
    actionType: `amazon-${verb}-ec2-instances`,
    actionVersionId: `av-${String(index).padStart(8, "0")}`,
    isCurrentVersion: true,
    isEnabled: true,
    name: `Office hours ${index}: ${verb} the machines of team ${index % 97}`,
    nextExecutionDate: new Date(Date.now() + (1 + (index % 20)) * hourMs).toISOString(),
    projectId: index % 10 === 0 ? "p-dev" : `p-${index % 10}`,
    schedule: {
      scheduleType: "daily",
      startDate: "2026-01-01",
      timeOfDay: "18:00:00",
      timeZoneId: "Eastern Standard Time",
      parameters: { days: ["monday", "tuesday", "wednesday", "thursday", "friday"] },
    },
    tags: [`team-${index % 97}`],
  };
}
