import type { OperationName } from "../../service/operations.ts";
import { ApiError } from "./api-error.ts";
import type { HandlerContext } from "./handler.ts";
import { handlers } from "./handlers.ts";
import { type RequestParts, readInput } from "./read-input.ts";
import type { Route } from "./route-request.ts";

export interface ServiceRequest extends Omit<RequestParts, "parameters"> {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
}

export interface ServiceAnswer {
  readonly status: number;
  /** Sent as JSON; a string is sent unchanged, as HTML. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Authenticates, routes, checks and performs a request. Every failure becomes an error answer. */
export function answerRequest(
  request: ServiceRequest,
  route: Route | undefined,
  apiKey: string,
  context: HandlerContext,
): ServiceAnswer {
  try {
    requireKey(request.authorization, apiKey);
    if (route === undefined)
      throw new ApiError(404, "InvalidRequest", `There is no operation at ${request.method} ${request.path}.`);
    return perform(route.operation, { ...request, parameters: route.parameters }, context);
  } catch (error) {
    return errorAnswer(error);
  }
}

/** API.md, "Authentication". */
function requireKey(authorization: string | undefined, apiKey: string): void {
  if (authorization !== `AccessKey ${apiKey}`) {
    throw new ApiError(401, "InvalidAccessKey", "The access key is missing or invalid.");
  }
}

function perform<O extends OperationName>(operation: O, parts: RequestParts, context: HandlerContext): ServiceAnswer {
  const answer = handlers[operation](readInput(operation, parts), context);
  return answer === undefined ? { status: 204 } : { status: 200, body: answer };
}

function errorAnswer(error: unknown): ServiceAnswer {
  if (!(error instanceof ApiError)) {
    return { status: 500, body: { errorCode: "InternalError", message: String(error) } };
  }
  const { status, code, message, modelState } = error;
  return { status, body: { errorCode: code, message, ...(modelState && { modelState }) } };
}
