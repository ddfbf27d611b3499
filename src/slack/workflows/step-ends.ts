import type { OutboxStore } from "../../changes/ports.ts";
import { type StepEnding, storedEnding } from "./step-ending.ts";

/** Ends steps that have no change. Those with one end with it (announce.ts). */
export interface StepEnds {
  /** Queues the end of a step, so that it reaches Slack also after a crash. Does nothing if one is queued. */
  endOnce(executionId: string, ending: StepEnding): Promise<void>;
  /** Whether the end of the step is queued, or was sent. */
  hasEnded(executionId: string): Promise<boolean>;
}

export interface StepEndsPorts {
  readonly store: Pick<OutboxStore, "queue" | "isQueued">;
  readonly now: () => number;
  readonly wake: () => void;
}

export function createStepEnds({ store, now, wake }: StepEndsPorts): StepEnds {
  const hasEnded: StepEnds["hasEnded"] = (executionId) => store.isQueued("step", executionId);
  return {
    hasEnded,
    endOnce: async (executionId, ending) => {
      if (await hasEnded(executionId)) return;
      const message = { changeId: executionId, kind: "step", to: executionId, underChangeId: null } as const;
      await store.queue([{ ...message, note: storedEnding(ending) }], now());
      wake();
    },
  };
}
