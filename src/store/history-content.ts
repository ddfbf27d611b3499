import { z } from "zod";

const facts = z.record(z.string(), z.unknown()).optional();

/** What `content_json` holds: history-chain.ts writes it. */
export const historyContent = z.strictObject({
  changeId: z.string(),
  state: z.string(),
  at: z.number(),
  change: facts,
  decision: facts,
  outcome: facts,
});
export type HistoryContent = z.output<typeof historyContent>;
