import type { Sandbox } from "../../sandbox.ts";
import type { Run } from "../../service/runs-between.ts";
import type { RecordedRequest } from "../../service/start-sandbox-service.ts";
import { isJsonObject, objectAt, stringAt } from "../../workspace/json-object.ts";
import type { AppRequest } from "../../workspace/transport/deliveries.ts";
import type { ApiCall } from "../../workspace/transport/workspace-server.ts";
import type { ActivityLine } from "../wire.ts";
import { withoutSecrets } from "./service-tables.ts";

/** The limit for each kind of line. */
const maxLines = 300;

/**
 * What people did, Curfew's calls to the service and to Slack, and the scheduled runs, oldest first. Contains no private messages,
 * because everyone sees the same panel.
 */
export function activityOf({ workspace, service, seed }: Sandbox): readonly ActivityLine[] {
  const nameOf = (id: string): string => seed.people.find((person) => person.id === id)?.handle ?? id;
  const lines = [
    ...workspace.appRequests.map((delivery) => deliveryLine(delivery, nameOf)).slice(-maxLines),
    ...service.requests.map(requestLine).slice(-maxLines),
    ...workspace.calls.map(callLine).slice(-maxLines),
    ...service.runs().map(runLine).slice(-maxLines),
  ];
  return lines.sort((one, other) => one.at - other.at);
}

function deliveryLine(delivery: AppRequest, nameOf: (id: string) => string): ActivityLine {
  const { id, type, payload, answer, sentAt } = delivery;
  const event = objectAt(payload.event);
  const userId = stringAt(payload.user_id) ?? stringAt(objectAt(payload.user).id) ?? stringAt(event.user) ?? "";
  return {
    id,
    at: sentAt,
    kind: "person",
    text: `${nameOf(userId)} ${personActions.get(type) ?? type}`,
    outcome: answer === null ? "" : answer.kind === "acknowledged" ? "accepted" : answer.error,
    isTrouble: answer?.kind === "failed",
    details: "",
  };
}

const personActions = new Map([
  ["command", "typed a command"],
  ["block_actions", "pressed or chose something"],
  ["view_submission", "sent a form"],
  ["view_closed", "closed a form"],
  ["block_suggestion", "searched in a field"],
  ["shortcut", "used a shortcut"],
  ["message_action", "used a shortcut on a message"],
  ["app_home_opened", "opened the Home tab"],
]);

function requestLine(
  { operation, method, path, query, body, status, at }: RecordedRequest,
  index: number,
): ActivityLine {
  const search = new URLSearchParams(query).toString();
  return {
    id: `request-${index}`,
    at,
    kind: "service",
    text: `${operation ?? "no operation"} · ${method} ${path}${search === "" ? "" : `?${search}`}`,
    outcome: status === undefined ? "no answer" : String(status),
    isTrouble: status === undefined || status >= 400,
    details: body === undefined ? "" : JSON.stringify(withoutSecrets(body), null, 2),
  };
}

function callLine({ method, answer, status, at }: ApiCall, index: number): ActivityLine {
  const error = isJsonObject(answer) && answer.ok === false ? stringAt(answer.error) : undefined;
  const isTrouble = answer === null || error !== undefined || status >= 400;
  const trouble = answer === null ? "disconnected" : (error ?? String(status));
  return {
    id: `call-${index}`,
    at,
    kind: "slack",
    text: method,
    outcome: isTrouble ? trouble : "ok",
    isTrouble,
    details: "",
  };
}

function runLine({ at, actionId, actionName, acted, skipped }: Run): ActivityLine {
  const exclusionNames = [...new Set(skipped.map(({ exclusionName }) => exclusionName))].join(", ");
  const excluded = skipped.map(({ resourceId }) => resourceId).join(", ");
  const isSkipped = acted.length === 0 && skipped.length > 0;
  const part = skipped.length > 0 ? `ran without ${excluded} (excluded by ${exclusionNames})` : "ran";
  return {
    id: `run-${actionId}-${at}`,
    at,
    kind: "run",
    text: actionName,
    outcome: isSkipped ? `skipped, excluded by ${exclusionNames}` : part,
    isTrouble: false,
    details: skipped.length > 0 ? JSON.stringify({ acted, skipped }, null, 2) : "",
  };
}
