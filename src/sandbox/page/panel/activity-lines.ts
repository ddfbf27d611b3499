import type { Run } from "../../service/runs.ts";
import type { RecordedRequest } from "../../service/start-sandbox-service.ts";
import type { AppManifest } from "../../workspace/app-manifest.ts";
import { isJsonObject, objectAt, objectsIn, plainText, stringAt } from "../../workspace/json-object.ts";
import type { Viewer } from "../../workspace/render/format-date.ts";
import { mrkdwnToText } from "../../workspace/render/mrkdwn.ts";
import type { AppRequest } from "../../workspace/transport/deliveries.ts";
import type { ApiCall } from "../../workspace/workspace-server.ts";
import type { ActivityLine } from "../wire.ts";
import { withoutSecrets } from "./service-tables.ts";

/** Who acted. */
export function actorOf({ payload }: AppRequest): string {
  return (
    stringAt(payload.user_id) ?? stringAt(objectAt(payload.user).id) ?? stringAt(objectAt(payload.event).user) ?? ""
  );
}

/** Slack sends the app its own messages too. Nobody acted. */
export const isOwnMessage = ({ payload }: AppRequest): boolean => objectAt(payload.event).bot_id !== undefined;

/** What a person did, as Curfew received it. */
export function actLine(act: AppRequest, manifest: AppManifest, viewer: Viewer): ActivityLine {
  const { id, answer, sentAt } = act;
  const isTrouble = answer?.kind === "failed";
  const who = actorOf(act);
  return {
    id,
    at: sentAt,
    kind: "person",
    text: `${who === "" ? "A workflow" : viewer.nameOf(who)} ${wordsFor(act, manifest, viewer)}`,
    outcome: answer?.kind === "failed" ? answer.error : "",
    isTrouble,
    details: "",
  };
}

/** The values of a form are only its person's, so only its title is shown. */
function wordsFor({ type, payload }: AppRequest, manifest: AppManifest, viewer: Viewer): string {
  const form = `the form “${plainText(objectAt(payload.view).title)}”`;
  switch (type) {
    case "command":
      return `typed “${typedLine(payload.command, payload.text, viewer)}” in #${viewer.nameOf(String(payload.channel_id))}`;
    case "block_actions":
      return objectAt(payload.view).type === "modal" ? `${pressed(payload)} in ${form}` : pressed(payload);
    case "view_submission":
      return `sent ${form}`;
    case "view_closed":
      return `closed ${form}`;
    case "block_suggestion":
      return "searched in a field";
    case "shortcut":
    case "message_action":
      return `used the shortcut “${shortcutName(payload.callback_id, manifest)}”`;
    case "function_executed":
      return `ran the step “${plainText(objectAt(objectAt(payload.event).function).title)}”`;
    case "app_home_opened":
      return "opened the Home tab";
    case "message":
    case "app_mention":
      return "wrote a message";
    default:
      return `caused the event ${type}`;
  }
}

/** Slack has escaped the text of a command. */
function typedLine(command: unknown, text: unknown, viewer: Viewer): string {
  const plain = String(text).replaceAll(/<mailto:[^<|>]*\|([^<>]*)>/g, "$1");
  return `${String(command)} ${mrkdwnToText(plain, viewer)}`.trim();
}

function pressed({ actions, view }: AppRequest["payload"]): string {
  const [action = {}] = objectsIn(actions);
  if (action.type === "button") return `pressed “${plainText(action.text)}”`;
  if (objectAt(view).type === "modal") return "changed a field";
  const chosen = plainText(objectAt(action.selected_option).text);
  return chosen === "" ? "chose something" : `chose “${chosen}”`;
}

function shortcutName(callbackId: unknown, { shortcuts }: AppManifest): string {
  return shortcuts.find((each) => each.callbackId === callbackId)?.name ?? String(callbackId);
}

/** Work that no person caused: Curfew starts, a timer is due, a message is sent again. */
export function ownWorkLine(at: number): ActivityLine {
  return {
    id: `own-${at}`,
    at,
    kind: "timer",
    text: "Curfew acted by itself",
    outcome: "",
    isTrouble: false,
    details: "",
  };
}

export function requestLine(
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

export function callLine(call: ApiCall, index: number): ActivityLine {
  const { method, at } = call;
  const trouble = callTrouble(call);
  return {
    id: `call-${index}`,
    at,
    kind: "slack",
    text: method,
    outcome: trouble ?? "ok",
    isTrouble: trouble !== undefined,
    details: "",
  };
}

/** Why a call to Slack did not work; undefined when it did. */
export function callTrouble({ answer, status }: ApiCall): string | undefined {
  if (answer === null) return "disconnected";
  const error = isJsonObject(answer) && answer.ok === false ? stringAt(answer.error) : undefined;
  return error ?? (status >= 400 ? String(status) : undefined);
}

export function runLine({ at, actionId, actionName, acted, skipped }: Run): ActivityLine {
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
