import { isJsonObject, type JsonObject, stringAt } from "../json-object.ts";
import type { Channel } from "../state/channels.ts";
import { channelName } from "../state/channels.ts";
import type { User } from "../state/people.ts";
import type { ResponseTarget } from "../state/response-urls.ts";
import type { AckBody } from "../transport/deliveries.ts";
import { respond } from "../transport/respond-to-url.ts";
import { escapeCommandText } from "./escape-command-text.ts";
import { type DeliveryOutcome, delivered, type Exchange, showNotice } from "./exchange.ts";

/** Sends a slash command and shows its acknowledgement to the person (PLATFORM.md §3). */
export async function runCommand(
  exchange: Exchange,
  user: User,
  channel: Channel,
  line: string,
): Promise<DeliveryOutcome> {
  const { workspace } = exchange;
  const [, name = "", typed = ""] = /^(\S+)\s*(.*?)\s*$/s.exec(line) ?? [];
  const declared = workspace.manifest.commands.find((each) => each.command === name);
  if (declared === undefined) {
    showNotice(workspace, user.id, channel.id, `\`${name}\` is not a valid command.`);
    return { ok: false, shown: "unknown_command" };
  }
  const text = declared.escapes ? escapeCommandText(typed, workspace) : typed;
  return deliverCommand(exchange, commandFields(exchange, user, channel, { name, text }), line);
}

/** Sends a command's payload, perhaps again, and shows its acknowledgement. `line`: as it was typed. */
export async function deliverCommand(exchange: Exchange, payload: JsonObject, line: string): Promise<DeliveryOutcome> {
  const [name = "", userId = "", channelId = ""] = ["command", "user_id", "channel_id"].map((key) =>
    stringAt(payload[key]),
  );
  const answer = await exchange.appRequests.send({ kind: "command", payload });
  const error = answer.kind === "failed" ? answer.error : applyAck(exchange, { userId, channelId }, answer.body, line);
  if (error === undefined) return delivered;
  showNotice(exchange.workspace, userId, channelId, `${name} failed with the error "${error}"`);
  return { ok: false, shown: error };
}

function commandFields(
  { workspace }: Exchange,
  user: User,
  channel: Channel,
  command: { readonly name: string; readonly text: string },
): JsonObject {
  const { app, team, enterprise, triggers, responseUrls } = workspace;
  return {
    token: app.verificationToken,
    team_id: team.id,
    team_domain: team.domain,
    channel_id: channel.id,
    channel_name: channelName(channel),
    user_id: user.id,
    user_name: user.handle,
    command: command.name,
    text: command.text,
    api_app_id: app.appId,
    ...(enterprise ? { enterprise_id: enterprise.id, enterprise_name: enterprise.name } : {}),
    is_enterprise_install: String(enterprise?.isOrgWide === true),
    response_url: responseUrls.issue("commands", { userId: user.id, channelId: channel.id }),
    trigger_id: triggers.issue({ userId: user.id, viewId: null }),
  };
}

/** Accepts an empty body, text or a message. Anything else shows as `invalid_command_response`. */
function applyAck(exchange: Exchange, target: ResponseTarget, body: AckBody, line: string): string | undefined {
  if (body.kind === "empty") return undefined;
  const message = body.kind === "text" ? { text: body.text } : body.value;
  if (!isJsonObject(message)) return "invalid_command_response";
  const isPublic = message.response_type === "in_channel";
  const echo = { channelId: target.channelId, userId: target.userId, text: line };
  const isEchoOnly = isPublic && Object.keys(message).length === 1;
  if (isPublic) exchange.workspace.messages.post(echo);
  const error = isEchoOnly ? undefined : respond(message, target, exchange.workspace);
  return error === undefined ? undefined : "invalid_command_response";
}
