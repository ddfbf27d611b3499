import type { Account } from "./account.ts";
import type { HandlerContext } from "./handler.ts";
import { type Run, runsBetween } from "./runs-between.ts";
import { scheduledExecution } from "./scheduled-execution.ts";

/** What the schedules of the account did, and what exclusions kept them from. */
export interface Runs {
  /** Lets every run happen that is due by now. Has to come before anything is changed, since exclusions decide. */
  catchUp(): void;
  /** The latest, oldest first. */
  readonly list: readonly Run[];
}

const kept = 300;
const minuteMs = 60_000;

export function createRuns({ account, now, newId }: HandlerContext): Runs {
  let doneUpTo = now();
  let list: readonly Run[] = [];
  return {
    catchUp: () => {
      const at = now();
      // Schedules name whole minutes: within one, nothing comes due.
      if (Math.floor(at / minuteMs) === Math.floor(doneUpTo / minuteMs)) return;
      const runs = runsBetween(account, doneUpTo, at);
      doneUpTo = Math.max(doneUpTo, at);
      for (const run of runs) execute(run, account, newId);
      list = [...list, ...runs].slice(-kept);
    },
    get list() {
      return list;
    },
  };
}

/** One that was skipped whole leaves the last execution as it was. */
function execute({ actionId, at, acted, skipped }: Run, { actions }: Account, newId: HandlerContext["newId"]): void {
  const action = actions.get(actionId);
  if (action === undefined || acted.length === 0) return;
  const left = skipped.map(({ resourceId }) => resourceId).join(", ");
  const text = left === "" ? "Done." : `Done, but for what is excluded: ${left}.`;
  const startDate = new Date(at).toISOString();
  const result = { code: "success", text };
  const lastExecution = scheduledExecution(action, { actionExecutionId: newId("ae"), startDate, result });
  actions.set(actionId, { ...action, lastExecution });
}
