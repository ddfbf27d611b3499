import { randomUUID } from "node:crypto";
import { ApiArguments, readMessageContent, SlackError } from "./api.ts";
import { parameterProblems } from "./app-manifest.ts";
import type { Workflow } from "./default-seed.ts";
import type { AckBody } from "./deliveries.ts";
import { isJsonObject, type JsonObject, objectAt, parseJson, stringAt } from "./json-object.ts";
import {
  type Client,
  type DeliveryOutcome,
  delivered,
  type LiveWorkspace,
  sendEvent,
  showNotice,
} from "./live-workspace.ts";
import {
  type Channel,
  channelPart,
  type Execution,
  type ExecutionEnd,
  isBotIn,
  issueResponseUrl,
  issueTrigger,
  messageKey,
  messagePayload,
  postMessage,
  type ResponseTarget,
  type StoredMessage,
  type User,
  type WorkspaceState,
} from "./state.ts";
import type { Reply } from "./web-api.ts";

/** Posts a person's message. The app gets the event where its bot is a member and it subscribed. */
export async function sayInChannel(client: Client, channel: Channel, typed: string, threadTs?: string): Promise<void> {
  const { workspace, user } = client;
  const text = escapeTyped(typed, workspace);
  const thread = threadTs === undefined ? {} : { threadTs };
  const message = postMessage(workspace, { channelId: channel.id, userId: user.id, text, ...thread });
  await sendMention(client, channel, message);
  await sendMessage(workspace, channel, eventOf(user, message));
}

/** Sends the app its own message, as Slack does. */
export async function hearOwn(workspace: LiveWorkspace, message: StoredMessage): Promise<void> {
  const channel = workspace.channels.named(message.channelId);
  await sendMessage(workspace, channel, { ...messagePayload(message, workspace), channel: channel.id });
}

export function eventOf(user: User, { text, ts, channelId, threadTs }: StoredMessage): JsonObject {
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  const client_msg_id = randomUUID();
  return { user: user.id, text, ts, channel: channelId, team: user.teamId, client_msg_id, ...thread };
}

/** A message to the app itself is not sent as a mention. */
export async function sendMention(client: Client, channel: Channel, message: StoredMessage, edited: JsonObject = {}) {
  const { workspace, user } = client;
  const isMention = channel.kind !== "im" && message.text.includes(`<@${workspace.app.botUserId}>`);
  if (!isMention || !isBotIn(workspace, channel)) return;
  await sendEvent(workspace, { type: "app_mention", event_ts: message.ts, ...eventOf(user, message), ...edited });
}

const subscriptions = { public: "message.channels", private: "message.groups", im: "message.im" } as const;
const channelTypes = { public: "channel", private: "group", im: "im" } as const;

export async function sendMessage(workspace: LiveWorkspace, channel: Channel, event: JsonObject): Promise<void> {
  if (!isBotIn(workspace, channel)) return;
  const { kind } = channel;
  const sent = { type: "message", channel_type: channelTypes[kind], event_ts: event.ts, ...event };
  await sendEvent(workspace, sent, subscriptions[kind]);
}

/** How Slack rewrites what a person types, and the text of a command with `should_escape` (PLATFORM.md §3.3). */
export function escapeTyped(text: string, workspace: WorkspaceState): string {
  return escapeMarkup(text)
    .replace(/\bhttps?:\/\/[^\s<>|]+/g, (url) => `<${url}>`)
    .replace(/(?<![\w<|/])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, (mail) => `<mailto:${mail}|${mail}>`)
    .replace(/(?<![\w.+<|/-])@([\w.-]*\w)/g, (typed, handle: string) => mention(handle, workspace) ?? typed)
    .replace(/(?<![\w&<|/])#([\w-]+)/g, (typed, name: string) => channelLink(name, workspace) ?? typed);
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function mention(handle: string, { people, groups }: WorkspaceState): string | undefined {
  const user = people.find((each) => each.handle === handle.toLowerCase());
  if (user !== undefined) return `<@${user.id}>`;
  const group = groups.find((each) => each.handle === handle);
  return group === undefined ? undefined : `<!subteam^${group.id}>`;
}

function channelLink(name: string, { channels }: WorkspaceState): string | undefined {
  const channel = channels.find((each) => each.name === name);
  return channel && `<#${channel.id}|${channel.kind === "private" ? "" : channel.name}>`;
}

/** Sends a slash command and shows its acknowledgement to the person (PLATFORM.md §3). */
export async function runCommand(client: Client, channel: Channel, line: string): Promise<DeliveryOutcome> {
  const { workspace, user } = client;
  const { app, team, enterprise, manifest } = workspace;
  const [, command = "", typed = ""] = /^(\S+)\s*(.*?)\s*$/s.exec(line) ?? [];
  const declared = manifest.commands.find((each) => each.command === command);
  if (declared === undefined) {
    showNotice(client, channel.id, `\`${command}\` is not a valid command.`);
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
    text: declared.should_escape ? escapeTyped(typed, workspace) : typed,
    api_app_id: app.appId,
    ...(enterprise ? { enterprise_id: enterprise.id, enterprise_name: enterprise.name } : {}),
    is_enterprise_install: String(enterprise?.isOrgWide === true),
    response_url: issueResponseUrl(workspace, "commands", { userId: user.id, channelId: channel_id }),
    trigger_id: issueTrigger(workspace, user),
  };
  return deliverCommand(client, payload);
}

/** Sends a command's payload, perhaps again, and shows its acknowledgement. */
export async function deliverCommand(client: Client, payload: JsonObject): Promise<DeliveryOutcome> {
  const { workspace, user } = client;
  const target = { userId: user.id, channelId: stringAt(payload.channel_id) ?? "" };
  const answer = await workspace.send({ kind: "command", payload });
  const error = answer.kind === "failed" ? answer.error : applyAck(workspace, target, answer.body);
  if (error === undefined) return delivered;
  showNotice(client, target.channelId, `${payload.command} failed with the error "${error}"`);
  return { ok: false, shown: error };
}

/** Accepts an empty body, text or a message. Anything else shows as `invalid_command_response`. */
function applyAck(workspace: LiveWorkspace, target: ResponseTarget, body: AckBody): string | undefined {
  if (body.kind === "empty") return undefined;
  const message = body.kind === "text" ? { text: body.text } : body.value;
  if (!isJsonObject(message)) return "invalid_command_response";
  return respond(message, target, workspace) === undefined ? undefined : "invalid_command_response";
}

const refusals = { used: "used_url", expired: "expired_url", unknown: "no_such_url" } as const;

/** Handles a post to a `response_url` (PLATFORM.md §4). A rejected message also counts as a use. */
export function respondToUrl(path: string, contentType: string, body: string, workspace: LiveWorkspace): Reply {
  const sent = parseJson(body);
  const reply = (status: number, answer: string): Reply => ({ status, headers: {}, answer, sent: objectAt(sent) });
  const isJson = contentType.toLowerCase().startsWith("application/json");
  if (!isJson || !isJsonObject(sent)) return reply(400, "invalid_payload");
  const target = workspace.responseUrls.use(path);
  if (typeof target === "string") return reply(404, refusals[target]);
  const error = respond(sent, target, workspace);
  return error === undefined ? reply(200, "ok") : reply(400, error);
}

/** Posts a message from a `response_url` or a command's acknowledgement. Returns an error code when the message is invalid. */
function respond(message: JsonObject, target: ResponseTarget, workspace: LiveWorkspace): string | undefined {
  const { source, channelId } = target;
  try {
    const { text, blocks = [] } = readMessageContent(new ApiArguments(message), workspace);
    const key = messageKey({ channelId, ts: source?.ts ?? "" });
    const original = workspace.messages.get(key);
    if ((text ?? "") === "" && blocks.length === 0) return source === undefined ? "no_text" : undefined;
    if (message.replace_original === true && source !== undefined) {
      if (original === undefined) return "message_not_found";
      const isEdited = original.ephemeralTo === undefined;
      workspace.messages.put({ ...original, text: text ?? "", blocks, isEdited });
      return undefined;
    }
    const answer = { userId: workspace.app.botUserId, isFromApp: true, text: text ?? "", blocks };
    postMessage(workspace, { ...answer, channelId, ephemeralTo: target.userId });
    return undefined;
  } catch (error) {
    if (error instanceof SlackError) return error.code;
    throw error;
  }
}

/** Runs a step of the app as Workflow Builder does: its inputs are checked, then the app gets them with a token for this run. */
export async function runStep(workspace: LiveWorkspace, callbackId: string, inputs: JsonObject) {
  const { executions, ids, app, enterprise, manifest } = workspace;
  // With an installation in one workspace of an organization the steps do not appear (PLATFORM.md §18.1).
  if (enterprise && enterprise.isOrgWide !== true)
    throw new Error("The app's steps do not appear in Workflow Builder: install it for the organization.");
  const step = manifest.functions.find((each) => each.callback_id === callbackId);
  if (!step) throw new Error(`The app has no step ${callbackId}; add it to the manifest.`);
  const problems = parameterProblems(step.input_parameters, inputs);
  if (problems.length > 0) throw new Error(`Workflow Builder does not take these inputs: ${problems.join("; ")}.`);
  const [id, workflowId, token] = [ids.next("Fx"), ids.next("Wx"), `xwfp-sandbox-${ids.hex(24)}`];
  const execution = executions.put({ id, workflowId, step, inputs, token, end: undefined });
  const delivered = await sendEvent(workspace, {
    type: "function_executed",
    function: {
      id: ids.next("Fn"),
      ...step,
      type: "app",
      app_id: app.appId,
      date_created: 0,
      date_updated: 0,
      date_deleted: 0,
    },
    inputs,
    function_execution_id: id,
    workflow_execution_id: workflowId,
    bot_access_token: token,
  });
  return { execution, delivered };
}

/** Runs a workflow: its step, then a message with what the step gave. A step that fails ends it, and its starter reads why. */
export async function runWorkflow({ workspace, user }: Client, channel: Channel, workflow: Workflow) {
  const { name, step, inputs, message } = workflow;
  const post = (text: string, only: { readonly ephemeralTo?: string } = {}) =>
    postMessage(workspace, { channelId: channel.id, userId: "USLACK", text, ...only });
  post(`<@${user.id}> started the workflow *${name}*.`);
  const { execution, delivered } = await runStep(workspace, step, inputs);
  onEnd(workspace, execution, (end) => {
    if (end.kind === "completed") post(`*${name}*: ${filledIn(message, end.outputs)}`);
    else post(`The workflow *${name}* stopped: ${escapeMarkup(end.error)}`, { ephemeralTo: user.id });
  });
  return delivered;
}

function onEnd({ executions, signal }: LiveWorkspace, { id }: Execution, run: (end: ExecutionEnd) => void): void {
  const check = () => {
    const end = executions.get(id)?.end;
    if (end === undefined) return;
    stop();
    run(end);
  };
  const stop = signal.listen(check);
  check();
}

/** `{{outcome}}` is the step's output of that name. */
const filledIn = (message: string, outputs: JsonObject): string =>
  message.replaceAll(/\{\{(\w+)\}\}/g, (_all, output: string) => escapeMarkup(String(outputs[output] ?? "")));
