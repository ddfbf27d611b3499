import type { App, ReceiverEvent } from "@slack/bolt";
import { type WebAPICallResult, WebClient, type WebClientOptions } from "@slack/web-api";
import { slackRefusal } from "../checks/slack-refusal.ts";
import type { SlackFetch } from "./slack-http.ts";

/** Called after every call of Slack, with its duration. */
export type OnCall = (method: string, outcome: CallOutcome, ms: number) => void;

/** `refused`: Slack answered with an error. `failed`: there was no answer, or an unreadable one. */
export type CallOutcome = "ok" | "refused" | "ratelimited" | "failed";

/** A Web API client that measures its calls. Its named methods all use `apiCall`. */
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

/** Measures posts to a `response_url`. */
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

/** Called after every acknowledged request of Slack, with the time since it was read. */
export type OnAck = (request: string, ms: number) => void;

/** The key in a listener's context for when its request was read, by `performance.now`. */
const arrivedAt = "arrivedAt";

export function arrivalIn(context: Readonly<Record<string, unknown>>): number {
  const at = context[arrivedAt];
  return typeof at === "number" ? at : performance.now();
}

/** The types of a request's body (PLATFORM.md §6); a slash command has none. */
const types: ReadonlySet<unknown> = new Set([
  "block_actions",
  "block_suggestion",
  "event_callback",
  "message_action",
  "shortcut",
  "view_closed",
  "view_submission",
]);

/** Works for both receivers, since both call `processEvent`. */
export function measureAcks(app: App, onAck: OnAck): void {
  const process = app.processEvent.bind(app);
  app.processEvent = (event) => {
    const readAt = performance.now();
    const ack: ReceiverEvent["ack"] = async (answer) => {
      await event.ack(answer);
      onAck(kindOf(event.body), performance.now() - readAt);
    };
    return process({ ...event, ack, customProperties: { ...event.customProperties, [arrivedAt]: readAt } });
  };
}

function kindOf({ type, command }: ReceiverEvent["body"]): string {
  if (typeof command === "string") return "command";
  return types.has(type) ? String(type) : "other";
}
