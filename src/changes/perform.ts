import type { ServiceClient } from "../service/client.ts";
import { operations } from "../service/operations.ts";
import type { Change, Settlement } from "./change.ts";
import { learned } from "./learn.ts";

/** The step that alters the service: one call, whose outcome becomes the change's settlement. Never throws for an outcome. */
export async function perform(service: ServiceClient, change: Change, now: () => number): Promise<Settlement> {
  const result = await service.send(change.operation, change.request);
  const settledAt = now();
  if (result.kind === "succeeded") {
    const answer = result.answer ?? null;
    return {
      state: "succeeded",
      answer,
      subjectId: subjectOf(change, answer),
      error: null,
      note: result.note ?? null,
      settledAt,
    };
  }
  const { code, message } = result.error;
  const state = result.kind;
  return { state, answer: null, subjectId: change.subjectId, error: { code, message }, note: null, settledAt };
}

/** A created thing's id is first known from the answer. */
function subjectOf(change: Change, answer: unknown): string | null {
  if (operations[change.operation].effect !== "create") return change.subjectId;
  return learned(change.subjectKind, answer)?.id ?? null;
}
