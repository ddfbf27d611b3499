import { isJsonObject, type JsonObject, objectAt, parseJson, stringAt, stringsIn } from "../json-object.ts";
import { createApiArguments } from "./api-arguments.ts";
import { type ApiAnswer, type ApiMethod, type ApiWorkspace, fail, failScope } from "./api-method.ts";
import { apiMethods } from "./api-methods.ts";

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
  readonly answer: ApiAnswer;
}

/** Handles one call. Checks method, token, token type, scope, rate limit, arguments, objects, in this order (PLATFORM.md §20). */
export function callApi(request: ApiRequest, workspace: ApiWorkspace): ApiResponse & { readonly sent: JsonObject } {
  const { values, warning, error } = readArguments(request);
  const { token: _token, ...sent } = values;
  const method = apiMethods.get(request.method);
  if (method === undefined) return { ...plain(fail("unknown_method", { req_method: request.method })), sent };
  const headers = {
    "x-oauth-scopes": workspace.manifest.scopes.join(","),
    "x-accepted-oauth-scopes": method.scope ?? "",
  };
  const refused = error ?? refusal(method, request, values, workspace);
  if (refused !== undefined) return { ...plain(typeof refused === "string" ? fail(refused) : refused, headers), sent };
  const wait = workspace.limits.take(request.method, method.limit);
  if (wait !== null) return { ...limited(wait), sent };
  const answer = method.run(createApiArguments(values), workspace);
  if (typeof answer.retry_after === "number") return { ...limited(answer.retry_after), sent };
  return { ...plain(withWarning(answer, warning), headers), sent };
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
  if (mime !== "application/x-www-form-urlencoded") {
    return { values: fromQuery, error: mime === "" ? "missing_post_type" : "invalid_post_type" };
  }
  const values = { ...fromQuery, ...Object.fromEntries(new URLSearchParams(body)) };
  return { values, ...(hasCharset ? { warning: "superfluous_charset" } : {}) };
}

function refusal(
  method: ApiMethod,
  request: ApiRequest,
  values: JsonObject,
  workspace: ApiWorkspace,
): ApiAnswer | string | undefined {
  const { app, manifest, executions } = workspace;
  const token = request.authorization?.replace(/^Bearer /i, "") ?? stringAt(values.token);
  if (token === undefined || token === "") return "not_authed";
  const isBot = token === app.botToken || executions.holdsToken(token);
  if (!isBot && token !== app.appToken) return "invalid_auth";
  if ((token === app.appToken) !== (method.token === "app")) return "not_allowed_token_type";
  if (method.token === "app" && request.verb === "GET") return "insecure_request";
  if (method.scope !== null && !manifest.scopes.includes(method.scope)) return failScope(method.scope, workspace);
  const isJson = request.contentType.toLowerCase().startsWith("application/json");
  return isJson && !method.takesJson ? "invalid_post_type" : undefined;
}

function plain(answer: ApiAnswer, headers: Readonly<Record<string, string>> = {}): ApiResponse {
  return { status: 200, headers, answer };
}

function limited(seconds: number): ApiResponse {
  return { status: 429, headers: { "retry-after": String(seconds) }, answer: fail("ratelimited") };
}

function withWarning(answer: ApiAnswer, warning: string | undefined): ApiAnswer {
  if (warning === undefined) return answer;
  const metadata = objectAt(answer.response_metadata);
  const warnings = [...stringsIn(metadata.warnings), warning];
  return { ...answer, warning: warnings.join(","), response_metadata: { ...metadata, warnings } };
}
