import type { IncomingMessage, RequestListener } from "node:http";
import { HTTPModuleFunctions, isRawBodyError } from "@slack/bolt";

export interface RefuseNullOptions {
  readonly signingSecret: string;
  readonly bodyLimit: number;
  readonly endpoint: string;
}

const { buildNoBodyResponse, bufferIncomingMessage, parseAndVerifyHTTPRequest, parseHTTPRequestBody } =
  HTTPModuleFunctions;

/** Answers 400 to a signed body that is JSON's `null`: Bolt 5.1 would end the whole process over it. All else is the listener's. */
export function refuseNull(listener: RequestListener, options: RefuseNullOptions): RequestListener {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://localhost");
    if (request.method !== "POST" || pathname !== options.endpoint) return listener(request, response);
    return refusalOf(request, options).then((status) => {
      if (status === undefined) listener(request, response);
      else buildNoBodyResponse(response, status);
    });
  };
}

/** The status to refuse with; what was read of the body stays with the request, so that Bolt need not read it again. */
async function refusalOf(request: IncomingMessage, options: RefuseNullOptions): Promise<number | undefined> {
  try {
    await bufferIncomingMessage(request, options.bodyLimit);
  } catch (error) {
    return isRawBodyError(error) ? error.statusCode : 400;
  }
  try {
    const body: unknown = parseHTTPRequestBody(await parseAndVerifyHTTPRequest({ enabled: true, ...options }, request));
    return body === null ? 400 : undefined;
  } catch {
    // Not signed, or not readable: Bolt says so.
    return undefined;
  }
}
