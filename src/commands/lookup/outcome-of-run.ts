import type { ReadService } from "../../directory/read-service.ts";
import { instant } from "../exclusion/exclusion-body.ts";

/** Clocks differ a little. */
const toleranceMs = 60_000;

/** What the service says of the run of an action that was due then: "complete, success". Null where it does not say. */
export async function outcomeOfRun(actionId: string, dueAt: number, read: ReadService): Promise<string | null> {
  const found = await read("GetAction", { id: actionId, include: ["lastExecution"] });
  const { status, result, startDate } = (found.kind === "succeeded" && found.answer?.lastExecution) || {};
  const startedAt = instant(startDate);
  if (startedAt === undefined || startedAt < dueAt - toleranceMs) return null;
  return [status, result?.code].filter(Boolean).join(", ") || null;
}
