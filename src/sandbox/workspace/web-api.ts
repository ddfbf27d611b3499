import { offsetAt } from "../../time/zone.ts";
import {
  ApiArguments,
  type ApiMethod,
  cursorPage,
  fail,
  failArguments,
  failScope,
  type MessageContent,
  readMessageContent,
  SlackError,
} from "./api.ts";
import { parameterProblems } from "./app-manifest.ts";
import { fillViewDefaults, isViewTooLarge, validateView, wrongViewType } from "./blocks.ts";
import { isJsonObject, type JsonObject, objectAt, parseJson, stringAt, stringsIn } from "./json-object.ts";
import type { LiveWorkspace } from "./live-workspace.ts";
import {
  allowances,
  type Channel,
  type Execution,
  type ExecutionEnd,
  isBotIn,
  isForeign,
  messageKey,
  messagePayload,
  messagesIn,
  openDirect,
  postMessage,
  replaceView,
  type StoredMessage,
  showView,
  type User,
  type UserGroup,
  type ViewRecord,
  viewOf,
  viewPayload,
  type WorkspaceState,
} from "./state.ts";

interface ApiRequest {
  /** The last segment of the path. */
  readonly method: string;
  readonly verb: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: JsonObject | string;
  /** What the app sent, without its token. */
  readonly sent: JsonObject;
}

/** Handles one call. Checks method, token, token type, scope, rate limit, arguments, objects, in this order (PLATFORM.md §20). */
export function callApi(request: ApiRequest, workspace: LiveWorkspace): Reply {
  const { values, warning, error } = readArguments(request);
  const { token: _token, ...sent } = values;
  const method = methods.get(request.method);
  const scopes = {
    "x-oauth-scopes": workspace.manifest.scopes.join(","),
    "x-accepted-oauth-scopes": method?.scope ?? "",
  };
  const headers = method === undefined ? {} : scopes;
  try {
    if (method === undefined) return fail("unknown_method", { req_method: request.method });
    if (error !== undefined) return fail(error);
    authorize(method, request, values, workspace);
    const wait = workspace.take(request.method, method.limit);
    if (wait !== null) return fail("ratelimited", { retry_after: wait });
    const answer = method.run(new ApiArguments(values), workspace);
    return { status: 200, headers, answer: withWarning({ ok: true, ...answer }, warning), sent };
  } catch (thrown) {
    if (!(thrown instanceof SlackError)) throw thrown;
    const { code, details } = thrown;
    const { retry_after: wait, ...rest } = details;
    const answer = { ok: false, error: code, ...rest };
    if (wait === undefined) return { status: 200, headers, answer: withWarning(answer, warning), sent };
    return { status: 429, headers: { "retry-after": String(wait) }, answer, sent };
  }
}

interface ReadArguments {
  readonly values: JsonObject;
  readonly warning?: string;
  readonly error?: string;
}

/** Reads forms and JSON (PLATFORM.md §11.1). A token inside JSON is ignored. */
function readArguments({ query, contentType, body, verb }: ApiRequest): ReadArguments {
  const fromQuery = Object.fromEntries(query);
  const [mime = "", ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
  const hasCharset = parameters.some((parameter) => parameter.startsWith("charset="));
  if (verb === "GET" || (body === "" && mime === "")) return { values: fromQuery };
  if (mime === "application/json") {
    const parsed = parseJson(body === "" ? "{}" : body);
    if (!isJsonObject(parsed))
      return { values: fromQuery, error: parsed === undefined ? "invalid_json" : "json_not_object" };
    const { token: _token, ...values } = parsed;
    return { values: { ...fromQuery, ...values }, ...(hasCharset ? {} : { warning: "missing_charset" }) };
  }
  if (mime !== "application/x-www-form-urlencoded")
    return { values: fromQuery, error: mime === "" ? "missing_post_type" : "invalid_post_type" };
  const values = { ...fromQuery, ...Object.fromEntries(new URLSearchParams(body)) };
  return { values, ...(hasCharset ? { warning: "superfluous_charset" } : {}) };
}

function authorize(
  method: ApiMethod,
  { authorization, verb, contentType }: ApiRequest,
  values: JsonObject,
  workspace: LiveWorkspace,
): void {
  const { app, manifest, executions } = workspace;
  const token = (authorization?.replace(/^Bearer /i, "") ?? stringAt(values.token)) || fail("not_authed");
  const isOfRun = executions.find((execution) => execution.token === token && execution.end === undefined);
  if (token !== app.botToken && token !== app.appToken && !isOfRun) fail("invalid_auth");
  if ((token === app.appToken) !== (method.token === "app")) fail("not_allowed_token_type");
  if (method.token === "app" && verb === "GET") fail("insecure_request");
  if (method.scope !== undefined && !manifest.scopes.includes(method.scope)) failScope(method.scope, workspace);
  if (contentType.toLowerCase().startsWith("application/json") && !method.takesJson) fail("invalid_post_type");
}

function withWarning(answer: JsonObject, warning: string | undefined): JsonObject {
  if (warning === undefined) return answer;
  const metadata = objectAt(answer.response_metadata);
  const warnings = [...stringsIn(metadata.warnings), warning];
  return { ...answer, warning: warnings.join(","), response_metadata: { ...metadata, warnings } };
}

/** What any token may call. */
const base = { limit: allowances.tier3, takesJson: true } as const;

const appMethods: Readonly<Record<string, ApiMethod>> = {
  "auth.test": {
    ...base,
    limit: allowances.hundreds,
    run: (_args, { team, enterprise, app, manifest }) => ({
      url: `https://${team.domain}.slack.com/`,
      team: team.name,
      user: "curfew",
      team_id: enterprise?.isOrgWide ? null : team.id,
      ...(enterprise ? { enterprise_id: enterprise.id } : {}),
      user_id: app.botUserId,
      bot_id: app.botId,
      app_id: app.appId,
      app_name: manifest.name,
      is_enterprise_install: enterprise?.isOrgWide === true,
    }),
  },
  /** Each call creates one single-use URL (PLATFORM.md §14.1). */
  "apps.connections.open": { ...base, token: "app", run: (_args, workspace) => ({ url: workspace.issueSocketUrl() }) },
  /** The end of a step (PLATFORM.md §18.1). Its outputs must be those that the manifest declares. */
  "functions.completeSuccess": {
    ...base,
    run: (args, workspace) =>
      endExecution(args, workspace, ({ step }) => {
        const outputs = args.json("outputs");
        if (!isJsonObject(outputs)) return failArguments("missing required field: outputs");
        const messages = parameterProblems(step.output_parameters, outputs);
        if (messages.length > 0) return fail("parameter_validation_failed", { response_metadata: { messages } });
        return { kind: "completed", outputs };
      }),
  },
  "functions.completeError": {
    ...base,
    run: (args, workspace) =>
      endExecution(args, workspace, () => {
        const error = args.text("error") ?? failArguments("missing required field: error");
        return { kind: "failed", error };
      }),
  },
};

function endExecution(
  args: ApiArguments,
  { executions }: LiveWorkspace,
  endOf: (execution: Execution) => ExecutionEnd,
): JsonObject {
  const execution = executions.get(args.text("function_execution_id") ?? "") ?? fail("function_execution_not_found");
  if (execution.end) return fail("execution_not_in_running_state");
  executions.put({ ...execution, end: endOf(execution) });
  return {};
}

const writing = { scope: "chat:write", limit: allowances.tier3, takesJson: true } as const;
const maxUpdateLength = 4000;

const chatMethods: Readonly<Record<string, ApiMethod>> = {
  /** Not idempotent: the same call twice posts twice (PLATFORM.md §12.2). */
  "chat.postMessage": {
    ...writing,
    limit: allowances.hundreds,
    run: (args, workspace) => {
      const channel = postingTarget(args, workspace);
      const content = readMessageContent(args, workspace);
      const wait = workspace.take(`chat.postMessage in ${channel.id}`, allowances.everySecond);
      if (wait !== null) return fail("ratelimited", { retry_after: wait });
      const message = postMessage(workspace, draft(args, channel, content, workspace));
      workspace.hearOwn(message);
      const warning = "message_truncated";
      return {
        channel: channel.id,
        ts: message.ts,
        message: messagePayload(message, workspace),
        ...(content.isCut ? { warning, response_metadata: { warnings: [warning] } } : {}),
      };
    },
  },
  /** Only that person sees the message, and it cannot be changed later (PLATFORM.md §12.3). */
  "chat.postEphemeral": {
    ...writing,
    limit: allowances.tier4,
    run: (args, workspace) => {
      if (workspace.people.get(args.text("channel") ?? "") !== undefined) return fail("channel_not_found");
      const channel = postingTarget(args, workspace);
      const ephemeralTo = args.text("user");
      if (ephemeralTo === undefined || !channel.memberIds.includes(ephemeralTo)) return fail("user_not_in_channel");
      const content = readMessageContent(args, workspace);
      if (content.isCut) return fail("msg_too_long");
      const message = draft(args, channel, content, workspace);
      const { threadTs } = message;
      const isShown =
        threadTs === undefined ||
        messagesIn(workspace, channel.id).some((each) => each.threadTs === threadTs && !each.ephemeralTo);
      // Slack accepts the call, but shows nothing in a thread that nobody has replied in.
      if (!isShown) return { message_ts: workspace.ids.timestamp() };
      return { message_ts: postMessage(workspace, { ...message, ephemeralTo }).ts };
    },
  },
  /** Updates only the app's own messages. Text without blocks removes the blocks (PLATFORM.md §12.3). */
  "chat.update": {
    ...writing,
    run: (args, workspace) => {
      const message = findMessage(args, "ts", workspace);
      if (!message.isFromApp) return fail("cant_update_message");
      if (workspace.channels.get(message.channelId)?.isArchived === true) return fail("is_inactive");
      if ((args.text("text") ?? "").length > maxUpdateLength) return fail("msg_too_long");
      const { text, blocks } = readMessageContent(args, workspace);
      const updated = workspace.messages.put({
        ...message,
        text: text ?? message.text,
        blocks: blocks ?? (text === undefined ? message.blocks : []),
        isEdited: message.isEdited || text !== undefined,
      });
      const { channelId: channel, ts } = updated;
      return { channel, ts, text: updated.text, message: messagePayload(updated, workspace) };
    },
  },
  "chat.delete": {
    ...writing,
    run: (args, workspace) => {
      const message = findMessage(args, "ts", workspace);
      if (!message.isFromApp) return fail("cant_delete_message");
      workspace.messages.remove(messageKey(message));
      return { channel: message.channelId, ts: message.ts };
    },
  },
  "chat.getPermalink": {
    limit: allowances.hundreds,
    takesJson: false,
    run: (args, workspace) => {
      const { channelId: channel, ts, threadTs } = findMessage(args, "message_ts", workspace);
      const thread = threadTs === undefined ? "" : `?thread_ts=${threadTs}&cid=${channel}`;
      const path = `archives/${channel}/p${ts.replace(".", "")}${thread}`;
      return { channel, permalink: `https://${workspace.team.domain}.slack.com/${path}` };
    },
  },
};

/** The channel by id or name, or the direct message with a person (PLATFORM.md §12.2). */
function postingTarget(args: ApiArguments, workspace: LiveWorkspace): Channel {
  const { people, channels, manifest } = workspace;
  const target = args.text("channel") ?? fail("channel_not_found");
  const user = people.get(target);
  // The app cannot message bots and deactivated people.
  if (user?.deleted === true || user?.isBot === true) return fail("channel_not_found");
  const named = channels.lookUp(target)?.id ?? target;
  const channel = user === undefined ? visibleChannel(workspace, named) : openDirect(workspace, user.id);
  if (channel.isArchived) return fail("is_archived");
  if (channel.kind === "im") return manifest.home.messages_tab_enabled ? channel : fail("messages_tab_disabled");
  const mayPostOutside = channel.kind === "public" && manifest.scopes.includes("chat:write.public");
  return isBotIn(workspace, channel) || mayPostOutside ? channel : fail("not_in_channel");
}

function draft(args: ApiArguments, channel: Channel, content: MessageContent, { app }: LiveWorkspace) {
  const { text = "", blocks = [] } = content;
  const threadTs = args.text("thread_ts");
  const thread = threadTs === undefined ? {} : { threadTs };
  return { channelId: channel.id, userId: app.botUserId, isFromApp: true, text, blocks, ...thread };
}

/** Slack does not store ephemeral messages, so they are never found. */
function findMessage(args: ApiArguments, tsName: string, workspace: LiveWorkspace): StoredMessage {
  const { id: channelId } = visibleChannel(workspace, args.text("channel") ?? "");
  const message = workspace.messages.get(messageKey({ channelId, ts: args.text(tsName) ?? "" }));
  return message === undefined || message.ephemeralTo !== undefined ? fail("message_not_found") : message;
}

const conversationsMethods: Readonly<Record<string, ApiMethod>> = {
  "conversations.info": {
    limit: allowances.tier3,
    takesJson: false,
    run: (args, workspace) => {
      const channel = readableChannel(args, workspace);
      return { channel: channelObject(channel, workspace) };
    },
  },
  /** Only what each scope and each membership lets the app see. */
  "conversations.list": {
    limit: allowances.tier2,
    takesJson: false,
    run: (args, workspace) => {
      const kinds = (["public", "private"] as const).filter((kind) => args.text("types")?.includes(`${kind}_channel`));
      const missing = kinds.map((kind) => readScopes[kind]).find((scope) => !workspace.manifest.scopes.includes(scope));
      if (missing !== undefined) return failScope(missing, workspace);
      const shown = workspace.channels.all.filter(
        (channel) =>
          kinds.some((kind) => kind === channel.kind && (kind === "public" || isBotIn(workspace, channel))) &&
          !(channel.isArchived && args.flag("exclude_archived")),
      );
      const { items, response_metadata } = cursorPage(shown, args, 100);
      return { channels: items.map((channel) => channelObject(channel, workspace)), response_metadata };
    },
  },
  "conversations.members": {
    limit: allowances.tier4,
    takesJson: false,
    run: (args, workspace) => {
      const { items: members, response_metadata } = cursorPage(readableChannel(args, workspace).memberIds, args, 100);
      return { members, response_metadata };
    },
  },
};

/** Public channels, and the private channels and direct messages that the bot is in. */
function visibleChannel(workspace: LiveWorkspace, id: string): Channel {
  const channel = workspace.channels.get(id);
  const isVisible = channel !== undefined && (channel.kind === "public" || isBotIn(workspace, channel));
  return isVisible ? channel : fail("channel_not_found");
}

const readScopes = { public: "channels:read", private: "groups:read", im: "im:read" } as const;

/** The scope depends on the kind of conversation, so it is checked after the lookup. */
function readableChannel(args: ApiArguments, workspace: LiveWorkspace): Channel {
  const { scopes } = workspace.manifest;
  const anyScope = Object.values(readScopes);
  if (!anyScope.some((scope) => scopes.includes(scope))) return failScope(anyScope.join(","), workspace);
  const channel = visibleChannel(workspace, args.text("channel") ?? "");
  const needed = readScopes[channel.kind];
  return scopes.includes(needed) ? channel : failScope(needed, workspace);
}

/** The fields of a channel that the app or a test reads. */
function channelObject(channel: Channel, workspace: LiveWorkspace): JsonObject {
  const created = Math.floor(channel.createdAt / 1000);
  const { id, name, kind, isShared, isArchived: is_archived, memberIds } = channel;
  if (kind === "im") {
    const user = memberIds.find((memberId) => memberId !== workspace.app.botUserId);
    return { id, created, is_im: true, is_org_shared: false, is_archived, user };
  }
  return {
    id,
    name,
    is_im: false,
    is_private: kind === "private",
    is_archived,
    is_member: isBotIn(workspace, channel),
    is_shared: isShared,
    is_ext_shared: isShared,
    is_org_shared: false,
    is_pending_ext_shared: false,
    created,
  };
}

const reading = { scope: "users:read", takesJson: false } as const;
/** Slack does not say how many. */
const mostWithoutLimit = 1000;

const usersMethods: Readonly<Record<string, ApiMethod>> = {
  "users.info": {
    ...reading,
    limit: allowances.tier4,
    run: (args, workspace) => {
      const user = workspace.people.get(args.text("user") ?? "") ?? fail("user_not_found");
      return { user: userObject(user, workspace) };
    },
  },
  "users.list": {
    ...reading,
    limit: allowances.tier2,
    /** A page may hold fewer than its limit, before the end too (PLATFORM.md §12.5). */
    run: (args, workspace) => {
      const { people, team, enterprise } = workspace;
      const teamId = args.text("team_id");
      if (enterprise?.isOrgWide === true && teamId === undefined) return fail("missing_argument");
      if (!args.has("limit") && people.all.length > mostWithoutLimit) return fail("limit_required");
      const { items, response_metadata } = cursorPage(people.all, args, mostWithoutLimit);
      // A workspace's token lists that workspace, whatever it asks for.
      const listed = enterprise?.isOrgWide === true ? teamId : team.id;
      const isHere = (user: User) => !isForeign(user, workspace) && (user.teams ?? [team.id]).includes(listed ?? "");
      const members = items.filter(isHere).map((user) => userObject(user, workspace));
      return { members, cache_ts: Math.floor(workspace.now() / 1000), response_metadata };
    },
  },
  /** The error code is plural, and deactivated people are not found (PLATFORM.md §12.5). */
  "users.lookupByEmail": {
    scope: "users:read.email",
    takesJson: false,
    limit: allowances.tier3,
    run: (args, workspace) => {
      const email = args.text("email")?.toLowerCase() ?? fail("users_not_found");
      const user = workspace.people.find(
        (each) => each.email?.toLowerCase() === email && !each.deleted && !each.isBot && !isForeign(each, workspace),
      );
      return { user: userObject(user ?? fail("users_not_found"), workspace) };
    },
  },
  "usergroups.list": {
    scope: "usergroups:read",
    takesJson: false,
    limit: allowances.tier2,
    run: (args, workspace) => {
      const { team, enterprise, groups } = workspace;
      const teamId = args.text("team_id");
      // A group belongs to one workspace, and an organization's token does not say which (PLATFORM.md §18.4).
      if (enterprise?.isOrgWide === true && teamId === undefined) return fail("missing_argument");
      const here = (teamId ?? team.id) === team.id ? groups.all : [];
      const shown = here.filter((group) => group.isDisabled !== true || args.flag("include_disabled"));
      return { usergroups: shown.map((group) => groupObject(group, args, workspace)) };
    },
  },
};

/** A person as in the Web API (PLATFORM.md §12.5). Deactivated and external people have fewer fields. */
export function userObject(user: User, workspace: WorkspaceState): JsonObject {
  const isExternal = isForeign(user, workspace);
  const base = {
    id: user.id,
    team_id: user.teamId,
    name: user.handle,
    deleted: user.deleted === true,
    profile: profile(user, isExternal, workspace),
    is_bot: user.isBot === true,
    is_app_user: false,
    updated: Math.floor(user.updatedAt / 1000),
  };
  if (user.deleted === true) return base;
  const { tz } = user;
  return {
    ...base,
    real_name: user.realName,
    ...(tz === undefined ? {} : { tz, tz_offset: offsetAt(tz, workspace.now()) * 60 }),
    is_admin: user.isAdmin === true,
    is_owner: false,
    is_restricted: user.isRestricted === true,
    is_ultra_restricted: false,
    ...(isExternal ? { is_stranger: false } : {}),
    ...enterpriseUser(user, workspace),
  };
}

function profile(user: User, isExternal: boolean, { manifest }: WorkspaceState): JsonObject {
  const showsEmail = manifest.scopes.includes("users:read.email") && !isExternal && user.isBot !== true;
  return {
    real_name: user.realName,
    display_name: user.displayName ?? "",
    ...(showsEmail && user.email !== undefined ? { email: user.email } : {}),
  };
}

/** The part that people of an organization have. */
function enterpriseUser(user: User, workspace: WorkspaceState): JsonObject {
  const { enterprise } = workspace;
  if (enterprise === undefined || isForeign(user, workspace) || user.isBot === true) return {};
  const { id: enterprise_id, name: enterprise_name } = enterprise;
  const teams = user.teams ?? [user.teamId];
  return { enterprise_user: { id: user.id, enterprise_id, enterprise_name, teams, is_admin: false, is_owner: false } };
}

/** Slack documents `user_count` as a string. */
function groupObject(
  { id, name, handle, isDisabled, memberIds, updatedAt }: UserGroup,
  args: ApiArguments,
  { team }: LiveWorkspace,
): JsonObject {
  return {
    id,
    team_id: team.id,
    name,
    handle,
    date_delete: isDisabled === true ? Math.floor(updatedAt / 1000) : 0,
    ...(args.flag("include_users") ? { users: memberIds } : {}),
    ...(args.flag("include_count") ? { user_count: String(memberIds.length) } : {}),
  };
}

const viewsMethods: Readonly<Record<string, ApiMethod>> = {
  "views.open": {
    ...base,
    limit: allowances.tier4,
    run: (args, workspace) => {
      const id = args.text("trigger_id") ?? failArguments("missing required field: trigger_id");
      const trigger = workspace.triggers.use(id);
      if (typeof trigger === "string") return fail(`${refusals[trigger]}_trigger_id`);
      return shown(showView(workspace, trigger.userId, "modal", readView(args, workspace, "modal")), workspace);
    },
  },
  "views.update": {
    ...base,
    limit: allowances.tier4,
    run: (args, workspace) => {
      const id = args.text("view_id") ?? failArguments("missing required field: view_id");
      const view = workspace.views.get(id);
      if (view === undefined) return fail("not_found");
      rejectStale(args, view);
      return shown(replaceView(workspace, view.id, readView(args, workspace, view.type)), workspace);
    },
  },
  /** One Home view per person (PLATFORM.md §18.2). */
  "views.publish": {
    ...base,
    limit: allowances.tier4,
    run: (args, workspace) => {
      const user = workspace.people.get(args.text("user_id") ?? "");
      if (user === undefined || user.deleted === true || user.isBot === true)
        return failArguments("invalid `user_id` [json-pointer:/user_id]");
      if (!workspace.manifest.home.home_tab_enabled) return fail("not_enabled");
      const home = viewOf(workspace, user.id, "home");
      if (home !== undefined) rejectStale(args, home);
      return shown(showView(workspace, user.id, "home", readView(args, workspace, "home")), workspace);
    },
  },
};

const refusals = { expired: "expired", used: "exchanged", unknown: "invalid" } as const;

function readView(args: ApiArguments, workspace: LiveWorkspace, type: ViewRecord["type"]): JsonObject {
  if (!args.has("view")) return failArguments("missing required field: view");
  return acceptView(args.json("view"), type, workspace);
}

/** The checks shared by `views.*` and a `response_action` with a view (PLATFORM.md §7.1). Returns the view with Slack's defaults. */
export function acceptView(view: unknown, type: ViewRecord["type"], workspace: LiveWorkspace): JsonObject {
  if (!isJsonObject(view)) return failArguments("must provide an object [json-pointer:/view]");
  if (isViewTooLarge(view)) return fail("view_too_large");
  if ((view.type === "modal" || view.type === "home") && view.type !== type)
    return failArguments(`${wrongViewType} [json-pointer:/view/type]`);
  const problems = validateView(view);
  if (problems.length > 0)
    return failArguments("failed to match all allowed schemas [json-pointer:/view]", ...problems);
  return fillViewDefaults(view, workspace.ids.block);
}

function rejectStale(args: ApiArguments, view: ViewRecord): void {
  if (args.has("hash") && args.text("hash") !== view.hash) fail("hash_conflict");
}

const shown = (view: ViewRecord, workspace: LiveWorkspace): JsonObject => ({ view: viewPayload(view, workspace) });

/** All supported methods. Any other is `unknown_method`. */
const methods: ReadonlyMap<string, ApiMethod> = new Map(
  Object.entries({ ...appMethods, ...chatMethods, ...conversationsMethods, ...usersMethods, ...viewsMethods }),
);
