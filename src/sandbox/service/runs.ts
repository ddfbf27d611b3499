import type { Account } from "./account.ts";
import type { HandlerContext } from "./handler.ts";
import { type Run, runsBetween } from "./runs-between.ts";
import { scheduledExecution } from "./scheduled-execution.ts";

/** The scheduled runs of the account, with the resources that exclusions skipped. */
export interface Runs {
  /** Performs every run that is due. Call it before any change, because the current exclusions decide what a run skips. */
  catchUp(): void;
  /** The latest runs, oldest first. */
  readonly list: readonly Run[];
}

const maxRuns = 300;
const minuteMs = 60_000;

export function createRuns({ account, now, newId }: HandlerContext): Runs {
  let doneUpTo = now();
  let list: readonly Run[] = [];
  return {
    catchUp: () => {
      const at = now();
      // Schedules name whole minutes, so nothing is due within one.
      if (Math.floor(at / minuteMs) === Math.floor(doneUpTo / minuteMs)) return;
      const runs = runsBetween(account, doneUpTo, at);
      doneUpTo = Math.max(doneUpTo, at);
      for (const run of runs) execute(run, account, newId);
      list = [...list, ...runs].slice(-maxRuns);
    },
    get list() {
      return list;
    },
  };
}

/** A run that skipped every resource leaves the last execution unchanged. */
function execute({ actionId, at, acted, skipped }: Run, { actions }: Account, newId: HandlerContext["newId"]): void {
  const action = actions.get(actionId);
  if (action === undefined || acted.length === 0) return;
  const excluded = skipped.map(({ resourceId }) => resourceId).join(", ");
  const text = excluded === "" ? "Done." : `Done, except for excluded resources: ${excluded}.`;
  const startDate = new Date(at).toISOString();
  const result = { code: "success", text };
  const lastExecution = scheduledExecution(action, { actionExecutionId: newId("ae"), startDate, result });
  actions.set(actionId, { ...action, lastExecution });
}
