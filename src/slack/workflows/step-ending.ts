import type { WebClient } from "@slack/web-api";
import { z } from "zod";
import { type Change, endSetBy, isOver, isRemoval } from "../../changes/change.ts";
import { describeChange } from "../../changes/change-command.ts";
import type { OutboxMessage } from "../../changes/outbox-message.ts";
import { howToFindOut } from "../../changes/outcomes/follow-up.ts";
import type { OutboxStore } from "../../changes/ports.ts";
import type { Problem } from "../../commands/answer.ts";
import type { SendResult } from "../../outbox.ts";
import { slackRefusal } from "../checks/slack-refusal.ts";
import { changeSentence } from "../messages/cards/change-state.ts";
import type { Message } from "../messages/message.ts";
import { endWords, sentenceInWords } from "../messages/outcome-message.ts";
import { textsIn, withoutMarks } from "../messages/plain-text.ts";
import { clip } from "../messages/text.ts";

const stepEnding = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("completed"), outputs: z.record(z.string(), z.union([z.string(), z.number()])) }),
  z.strictObject({ kind: z.literal("failed"), error: z.string() }),
]);

/** How a step ends: with its outputs, or with an error that its workflow's owners read. */
export type StepEnding = z.infer<typeof stepEnding>;

export const storedEnding = (ending: StepEnding): string => JSON.stringify(ending);
export const readEnding = (text: string): StepEnding => stepEnding.parse(JSON.parse(text));

/** Slack names no limit; a message with it must not be too long. */
const maxText = 2500;

export const completedWith = (message: Message): StepEnding => ({
  kind: "completed",
  outputs: { outcome: clip(wordsOf(message), maxText) },
});
/** For a step that asks for what holds already. */
export const completedAs = (message: Message, { exclusion, endsAt }: NonNullable<Problem["met"]>): StepEnding => ({
  kind: "completed",
  outputs: { ...exclusionOutputs(exclusion, endsAt), outcome: clip(wordsOf(message), maxText) },
});
export const failedWith = (error: string): StepEnding => ({ kind: "failed", error: clip(error, maxText) });

/** Undefined while the change is open: the step waits. */
export function endingOf(change: Change): StepEnding | undefined {
  const { state, id } = change;
  if (!isOver(state)) return undefined;
  if (state === "succeeded") return { kind: "completed", outputs: outputsOf(change) };
  const said = `${changeSentence(change, undefined)}${denial(change)} ${nextStep(change)}`;
  return failedWith(`${said.replace(/\s+/g, " ").trimEnd()} (change ${id})`);
}

function outputsOf(change: Change): Extract<StepEnding, { kind: "completed" }>["outputs"] {
  const { id, subjectKind, subjectId, note } = change;
  const { done, warning } = describeChange(change);
  const start = `${done.charAt(0).toUpperCase()}${done.slice(1)}${sentenceInWords(endWords(change), change.actor.timeZone)} (change ${id}).`;
  const outcome = [start, warning ?? [], note ?? []].flat().join(" ");
  const endsAt = isRemoval(change) ? undefined : endSetBy(change);
  return {
    change_id: id,
    ...exclusionOutputs(subjectKind === "exclusion" ? (subjectId ?? undefined) : undefined, endsAt),
    outcome: clip(outcome, maxText),
  };
}

const exclusionOutputs = (id: string | undefined, endsAt: number | undefined) => ({
  ...(id === undefined ? {} : { exclusion_id: id }),
  ...(endsAt === undefined ? {} : { ends_at: Math.floor(endsAt / 1000) }),
});

function denial({ state, decisions }: Change): string {
  const denied = state === "denied" ? decisions.find(({ verdict }) => verdict === "denied") : undefined;
  return denied ? ` ${denied.approverName} denied it${denied.note ? `: “${denied.note}”` : ""}.` : "";
}

function nextStep(change: Change): string {
  switch (change.state) {
    case "unknown":
    case "partly":
      return howToFindOut(change).join(" ") || "Look at its card before you run the workflow again.";
    case "denied":
      return "Ask them before you run the workflow again.";
    default:
      return "Run the workflow again if it is still needed.";
  }
}

/** A message in plain words, where no buttons and no markup can be shown. */
export function wordsOf({ text, blocks }: Message): string {
  const lines = blocks.flatMap(textsIn).map(inWords).filter(Boolean);
  return lines.length > 0 ? lines.join("\n") : inWords(text);
}

/** Links as their label, and code without its marks: Workflow Builder shows neither. */
const inWords = (text: string): string =>
  withoutMarks(text.replace(/<https?:[^|>]*\|([^>]*)>/g, "$1").replace(/(^|[\s(])`([^`\n]+)`/g, "$1$2")).trim();

/** Ends steps that have no change. Those with one end with it (announce.ts). */
export type StepEnds = ReturnType<typeof createStepEnds>;

export interface StepEndsPorts {
  readonly store: Pick<OutboxStore, "queue" | "isQueued">;
  readonly now: () => number;
}

export function createStepEnds({ store, now }: StepEndsPorts) {
  const hasEnded = (executionId: string) => store.isQueued("step", executionId);
  return {
    /** Whether the end of the step is queued, or was sent. */
    hasEnded,
    /** Queues the end of a step, so that it reaches Slack also after a crash. Does nothing if one is queued. */
    endOnce: async (executionId: string, ending: StepEnding) => {
      if (await hasEnded(executionId)) return;
      const message = { changeId: executionId, kind: "step", to: executionId, underChangeId: null } as const;
      await store.queue([{ ...message, note: storedEnding(ending) }], now());
    },
  };
}

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
