import { type WebAPICallResult, WebClient, type WebClientOptions } from "@slack/web-api";
import { slackRefusal } from "./checks/slack-refusal.ts";
import type { SlackFetch } from "./slack-http.ts";

/** Told of every call of Slack when it is over, and how long it took. */
export type OnCall = (method: string, outcome: CallOutcome, ms: number) => void;

/** `refused`: Slack said no. `failed`: there was no answer, or none that can be read. */
export type CallOutcome = "ok" | "refused" | "ratelimited" | "failed";

/** A Web API client that tells of its calls. Its named methods all go through `apiCall`. */
export class MeasuredClient extends WebClient {
  readonly #onCall: OnCall;

  constructor(token: string, options: WebClientOptions, onCall: OnCall) {
    super(token, options);
    this.#onCall = onCall;
  }

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    const record = stopwatch(this.#onCall, method);
    try {
      const result = await super.apiCall(method, options);
      record("ok");
      return result;
    } catch (error) {
      record(outcomeOf[slackRefusal(error).kind]);
      throw error;
    }
  }
}

const outcomeOf = { refused: "refused", busy: "ratelimited", silent: "failed" } as const;

/** For what is posted to a `response_url`. */
export function measuredFetch(fetch: SlackFetch, onCall: OnCall): SlackFetch {
  return async (input, init) => {
    const record = stopwatch(onCall, "response_url");
    try {
      const answer = await fetch(input, init);
      record(outcomeOfStatus(answer.status));
      return answer;
    } catch (error) {
      record("failed");
      throw error;
    }
  };
}

function outcomeOfStatus(status: number): CallOutcome {
  if (status < 300) return "ok";
  if (status === 429) return "ratelimited";
  return status < 500 ? "refused" : "failed";
}

function stopwatch(onCall: OnCall, method: string): (outcome: CallOutcome) => void {
  const startedAt = performance.now();
  return (outcome) => onCall(method, outcome, performance.now() - startedAt);
}
