import { z } from "zod";
import type { ReadService } from "../../directory/read-service.ts";
import { type Operation, operations } from "../../service/operations.ts";
import type { ServiceChange, Settlement } from "../change.ts";

const place = z.object({ planId: z.string(), selectorId: z.string() });

/**
 * Reads what a change was about. Undefined while that does not show whether it was done: it may
 * still be done, or something else changed it since.
 */
export async function readBack(
  { read, now }: { readonly read: ReadService; readonly now: () => number },
  change: ServiceChange,
): Promise<Settlement | Error | undefined> {
  const { readBack: operation, body }: Operation = operations[change.operation];
  const input = place.safeParse(change.request);
  if (!operation || !body || !input.success) return undefined;
  const result = await read(operation, input.data, change.actor.userId);
  if (result.kind !== "succeeded") return result.error;
  const fields = Object.keys(body.shape);
  const found = { answer: result.answer ?? null, subjectId: change.subjectId, isSubjectGone: false, note: null };
  const settled = { ...found, settledAt: now() };
  const asked = fields.filter((field) => field in change.request);
  if (isSame(change.request, result.answer, asked)) return { ...settled, state: "succeeded", error: null };
  const mayStillBeDone = settled.settledAt - (change.settledAt ?? change.requestedAt) < lateMs;
  if (mayStillBeDone || !isSame(change.before, result.answer, fields)) return undefined;
  return { ...settled, state: "failed", answer: null, error: notDone };
}

/** The service may still do what it took so long to answer. */
const lateMs = 10 * 60_000;

const notDone = { code: "NotDone", message: "Curfew looked, and the service still has what it had before." };

/** Whether both have the same values in these fields. The order of lists makes no difference, and what is empty is as good as missing. */
function isSame(one: unknown, other: unknown, fields: readonly string[]): boolean {
  const [values, others] = [one, other].map((body) => new Map<string, unknown>(Object.entries(body ?? {})));
  return fields.every((field) => normal(values?.get(field)) === normal(others?.get(field)));
}

function normal(value: unknown): string {
  if (Array.isArray(value)) return value.map(normal).sort().join("\n");
  if (typeof value !== "object" || value === null) return String(value ?? "");
  const entries = Object.entries(value).map(([name, each]) => `${name}=${normal(each)}`);
  return entries.sort().join("\t");
}
