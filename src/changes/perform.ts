import type { ServiceClient } from "../service/client.ts";
import { operations } from "../service/operations.ts";
import type { Change, Settlement } from "./change.ts";
import { learned } from "./learn.ts";

/** The step that alters the service: one call, whose outcome becomes the change's settlement. Never throws. */
export async function perform(service: ServiceClient, change: Change, now: () => number): Promise<Settlement> {
  const result = await service.send(change.operation, change.request).catch(unexpected);
  const common = { subjectId: change.subjectId, isSubjectGone: false, error: null, note: null, settledAt: now() };
  switch (result.kind) {
    case "succeeded": {
      const answer = result.answer ?? null;
      const subjectId = subjectOf(change, answer);
      return { ...common, state: "succeeded", answer, subjectId, note: result.note ?? null };
    }
    case "failed":
    case "unknown": {
      const { code, message, status } = result.error;
      const isSubjectGone = result.kind === "failed" && status === 404;
      return { ...common, state: result.kind, answer: null, isSubjectGone, error: { code, message } };
    }
  }
}

/** The client does not throw; should it all the same, nobody knows what reached the service. */
function unexpected(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "unknown", error: { code: "Unexpected", message, status: undefined } } as const;
}

/** A created thing's id is first known from the answer. */
function subjectOf(change: Change, answer: unknown): string | null {
  if (operations[change.operation].effect !== "create") return change.subjectId;
  return learned(change.subjectKind, answer)?.id ?? null;
}
