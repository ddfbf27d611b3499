import type { OperationName } from "../../src/service/operations.ts";
import { ask } from "./journey.ts";
import type { Curfew } from "./start-curfew.ts";

/** Loses the answers to a call and to all of its retries. The service acts on them ("reset-after") or not. */
export function loseAnswers({ service }: Curfew, operation: OperationName, kind: "reset-before" | "reset-after"): void {
  service.faults.next({ kind, operation, times: 4 });
}

/** The last state that the history shows, and how it was found out: "done: carol looked in the service". */
export async function outcomeOf(curfew: Curfew, changeId: string): Promise<string> {
  const { text } = await ask(curfew, "carol", `history ${changeId}`);
  const found = /Found out: ([^·\n]*?)(?: ·|\n)/.exec(text)?.[1];
  const [last = ""] = [...text.matchAll(/^(done|failed|unknown): /gm)].map(([, state]) => state).slice(-1);
  return found === undefined ? last : `${last}: ${found}`;
}
