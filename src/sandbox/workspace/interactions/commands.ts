import { isJsonObject, type JsonObject, stringAt } from "../json-object.ts";
import { type DeliveryOutcome, delivered, type LiveWorkspace, showNotice } from "../live-workspace.ts";
import { postMessage } from "../state/messages.ts";
import {
  type Channel,
  channelPart,
  issueResponseUrl,
  issueTrigger,
  type ResponseTarget,
  type User,
} from "../state/workspace-state.ts";
import type { AckBody } from "../transport/deliveries.ts";
import { escapeTyped } from "./messages.ts";
import { respond } from "./respond.ts";

/** Sends a slash command and shows its acknowledgement to the person (PLATFORM.md §3). */
export async function runCommand(
  workspace: LiveWorkspace,
  user: User,
  channel: Channel,
  line: string,
): Promise<DeliveryOutcome> {
  const { app, team, enterprise, manifest } = workspace;
  const [, command = "", typed = ""] = /^(\S+)\s*(.*?)\s*$/s.exec(line) ?? [];
  const declared = manifest.commands.find((each) => each.command === command);
  if (declared === undefined) {
    showNotice(workspace, user.id, channel.id, `\`${command}\` is not a valid command.`);
    return { ok: false, shown: "unknown_command" };
  }
  const { id: channel_id, name: channel_name } = channelPart(channel);
  const payload = {
    token: app.verificationToken,
    team_id: team.id,
    team_domain: team.domain,
    channel_id,
    channel_name,
    user_id: user.id,
    user_name: user.handle,
    command,
    text: declared.escapes ? escapeTyped(typed, workspace) : typed,
    api_app_id: app.appId,
    ...(enterprise ? { enterprise_id: enterprise.id, enterprise_name: enterprise.name } : {}),
    is_enterprise_install: String(enterprise?.isOrgWide === true),
    response_url: issueResponseUrl(workspace, "commands", { userId: user.id, channelId: channel_id }),
    trigger_id: issueTrigger(workspace, user),
  };
  return deliverCommand(workspace, payload, line);
}

/** Sends a command's payload, perhaps again, and shows its acknowledgement. `line`: as it was typed. */
export async function deliverCommand(
  workspace: LiveWorkspace,
  payload: JsonObject,
  line: string,
): Promise<DeliveryOutcome> {
  const [name = "", userId = "", channelId = ""] = ["command", "user_id", "channel_id"].map((key) =>
    stringAt(payload[key]),
  );
  const answer = await workspace.send({ kind: "command", payload });
  const error = answer.kind === "failed" ? answer.error : applyAck(workspace, { userId, channelId }, answer.body, line);
  if (error === undefined) return delivered;
  showNotice(workspace, userId, channelId, `${name} failed with the error "${error}"`);
  return { ok: false, shown: error };
}

/** Accepts an empty body, text or a message. Anything else shows as `invalid_command_response`. */
function applyAck(workspace: LiveWorkspace, target: ResponseTarget, body: AckBody, line: string): string | undefined {
  if (body.kind === "empty") return undefined;
  const message = body.kind === "text" ? { text: body.text } : body.value;
  if (!isJsonObject(message)) return "invalid_command_response";
  const isPublic = message.response_type === "in_channel";
  const { channelId, userId } = target;
  if (isPublic) postMessage(workspace, { channelId, userId, text: line });
  const isEchoOnly = isPublic && Object.keys(message).length === 1;
  const error = isEchoOnly ? undefined : respond(message, target, workspace);
  return error === undefined ? undefined : "invalid_command_response";
}
