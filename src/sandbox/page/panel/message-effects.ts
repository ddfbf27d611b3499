import { objectAt, stringAt } from "../../workspace/json-object.ts";
import type { Viewer } from "../../workspace/render/format-date.ts";
import type { AppRequest } from "../../workspace/transport/deliveries.ts";
import type { ApiCall } from "../../workspace/workspace-server.ts";
import { callTrouble } from "./activity-lines.ts";

/** What people see of a call to Slack that worked; undefined when they see nothing. */
export function callEffect(call: ApiCall, { nameOf }: Viewer, requester: string): string | undefined {
  if (callTrouble(call) !== undefined) return undefined;
  const { channel, user, thread_ts } = call.arguments;
  const to = stringAt(channel) ?? "";
  const isDirect = !to.startsWith("C") && !to.startsWith("G");
  const place = isDirect ? "a direct message" : `#${nameOf(to)}`;
  switch (call.method) {
    case "chat.postMessage":
      if (isDirect) return to.startsWith("U") ? `direct message to ${nameOf(to)}` : "direct message";
      return thread_ts === undefined ? `card in ${place}` : `reply in a thread in ${place}`;
    case "chat.update":
      return isDirect ? `update of ${place}` : `update of the card in ${place}`;
    case "chat.postEphemeral":
      return answerOnlyFor(nameOf(String(user)));
    case "response_url":
      return answerEffect(call.arguments, requester);
    case "views.open":
    case "views.push":
      return "form opened";
    case "views.update":
      return "form updated";
    case "views.publish":
      return "Home tab updated";
    default:
      return undefined;
  }
}

/** An answer that came with the acknowledgement. */
export function ackEffect({ kind, answer }: AppRequest, requester: string): string | undefined {
  if (answer?.kind !== "acknowledged" || answer.body.kind === "empty" || kind === "options") return undefined;
  const body = objectAt(answer.body.kind === "json" ? answer.body.value : undefined);
  if (kind === "command") return answerEffect(body, requester);
  if (body.response_action === "errors") return "errors in the form";
  return body.response_action === undefined ? undefined : "form updated";
}

function answerEffect({ response_type, replace_original, delete_original }: ApiCall["arguments"], requester: string) {
  if (delete_original === true) return "answer removed";
  if (replace_original === true) return `update of the answer to ${requester}`;
  return response_type === "in_channel" ? "answer that everyone sees" : answerOnlyFor(requester);
}

const answerOnlyFor = (name: string): string => `answer that only ${name} sees`;

/** `card in #ops · 2 × form updated`: each effect once, in order. */
export function counted(effects: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const effect of effects) counts.set(effect, (counts.get(effect) ?? 0) + 1);
  return [...counts].map(([effect, count]) => (count === 1 ? effect : `${count} × ${effect}`)).join(" · ");
}
