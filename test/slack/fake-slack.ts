import { WebClient } from "@slack/web-api";
import { boltLogger } from "../../src/slack/connection/slack-connection.ts";
import { quietLog } from "../changes/build.ts";

export interface SlackCall {
  readonly method: string;
  readonly args: Readonly<Record<string, string>>;
}

/** A JSON answer, or a whole response. */
export type SlackAnswer = object | Response;

/** Slack's own client, set up like Curfew's, with answers that a test writes. */
export function createFakeSlack(answer: (call: SlackCall) => SlackAnswer | Promise<SlackAnswer>) {
  const calls: SlackCall[] = [];
  const client = new WebClient("xoxb-test", {
    logger: boltLogger(quietLog),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: async (url, init) => {
      const body = typeof init?.body === "string" ? init.body : "";
      const call = {
        method: new URL(url).pathname.replace(/^\/api\//, ""),
        args: Object.fromEntries(new URLSearchParams(body)),
      };
      calls.push(call);
      const result = await answer(call);
      return result instanceof Response ? result : Response.json(result);
    },
  });
  return { client, calls };
}
