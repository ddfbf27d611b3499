import type { WebClient } from "@slack/web-api";
import type { Change } from "../../changes/change.ts";
import type { OutboxMessage } from "../../changes/outbox-message.ts";
import type { SendResult } from "../../outbox/send-result.ts";
import { slackRefusal } from "../checks/slack-refusal.ts";
import { endingOf, readEnding, type StepEnding } from "./step-ending.ts";

export interface EndOfStep {
  readonly kind: "step";
  readonly executionId: string;
  readonly ending: StepEnding;
  readonly changeId: string | undefined;
}

/** The end of a step, from its change or from what was queued; nothing while its change is open. */
export function endOfStep(
  { to: executionId, note = "" }: OutboxMessage,
  change: Change | undefined,
): EndOfStep | { readonly kind: "nothing" } {
  const ending = change ? endingOf(change) : readEnding(note);
  return ending ? { kind: "step", executionId, ending, changeId: change?.id } : { kind: "nothing" };
}

/** Ends a step in Slack, with the bot's own token. Throws what a retry may solve. */
export async function sendEnd(client: WebClient, { executionId, ending, changeId }: EndOfStep): Promise<SendResult> {
  try {
    await end(client, executionId, ending);
    return { kind: "sent" };
  } catch (error) {
    const refusal = slackRefusal(error);
    if (refusal.kind !== "refused") throw error;
    // Somebody ended it in Slack, or Slack's answer to an earlier try was lost.
    if (refusal.code === "execution_not_in_running_state") return { kind: "sent" };
    if (!final.has(refusal.code)) throw error;
    if (refusal.code === wrongOutputs)
      await end(client, executionId, { kind: "failed", error: wrongManifest(changeId) });
    return { kind: "never", error: refusal.code };
  }
}

const wrongOutputs = "parameter_validation_failed";
/** PLATFORM.md §18.1. */
const final: ReadonlySet<string> = new Set(["function_execution_not_found", "access_denied", wrongOutputs]);

async function end(client: WebClient, function_execution_id: string, ending: StepEnding): Promise<void> {
  if (ending.kind === "failed") await client.functions.completeError({ function_execution_id, error: ending.error });
  else await client.functions.completeSuccess({ function_execution_id, outputs: ending.outputs });
}

function wrongManifest(changeId: string | undefined): string {
  const done = changeId === undefined ? "It was answered, but" : `It was done (change ${changeId}), but`;
  return `${done} Slack does not take the outputs of this step. Do not run it again. Ask the people who run Curfew to install its present manifest.`;
}
