import type { ReadService } from "../../directory/read-service.ts";
import { outcomeWords } from "../action.ts";
import { instant } from "../exclusion/exclusion-body.ts";

/** Clocks differ a little, and a run begins a little after it was due. */
export const toleranceMs = 60_000;

/** What the service says of the run of an action that was due then: "complete, success". Null where it does not say. */
export async function outcomeOfRun(actionId: string, dueAt: number, read: ReadService): Promise<string | null> {
  const run = await reportedRun(actionId, read);
  return run && run.at >= dueAt - toleranceMs ? (run.outcome ?? null) : null;
}

/** The last run of an action that the service reports; `at`: when it began, in epoch ms. */
export async function reportedRun(actionId: string, read: ReadService) {
  const found = await read("GetAction", { id: actionId, include: ["lastExecution"] });
  const run = found.kind === "succeeded" ? found.answer?.lastExecution : undefined;
  const at = instant(run?.startDate);
  if (at === undefined) return undefined;
  // Public clients show both (API.md, "Observed").
  const isWell = run?.result?.code === "success" || run?.result?.code === 0;
  return { at, outcome: outcomeWords(run) || undefined, isWell };
}
