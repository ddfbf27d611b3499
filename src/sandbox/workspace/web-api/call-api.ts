import { isJsonObject, type JsonObject, objectAt, parseJson, stringAt, stringsIn } from "../json-object.ts";
import type { LiveWorkspace } from "../live-workspace.ts";
import { ApiArguments, type ApiMethod, fail, failScope, SlackError } from "./api.ts";
import { appMethods } from "./app.ts";
import { chatMethods } from "./chat.ts";
import { conversationsMethods } from "./conversations.ts";
import { usersMethods } from "./users.ts";
import { viewsMethods } from "./views.ts";

/** All supported methods. Any other is `unknown_method`. */
const methods: ReadonlyMap<string, ApiMethod> = new Map(
  Object.entries({ ...appMethods, ...chatMethods, ...conversationsMethods, ...usersMethods, ...viewsMethods }),
);

export interface ApiRequest {
  /** The last segment of the path. */
  readonly method: string;
  readonly verb: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: JsonObject;
  readonly sent: JsonObject;
}

/** Handles one call. Checks method, token, token type, scope, rate limit, arguments, objects, in this order (PLATFORM.md §20). */
export function callApi(request: ApiRequest, workspace: LiveWorkspace): ApiResponse {
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
