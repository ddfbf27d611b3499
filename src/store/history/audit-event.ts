import { z } from "zod";
import type { Anchor } from "../../changes/audit.ts";
import type { TransitionTable } from "../db/database.ts";
import { beginning, contentIn } from "./history-chain.ts";

const id = z.string().nullish();
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** An event of the history as the log and `audit export --after` show it: ids, and no names, addresses, reasons or notes. */
export const auditEventSchema = z
  .strictObject({
    audit: z.literal(true),
    cursor: z.int().min(1).describe("1, 2, 3 and so on: a number that is missing is an event that was not collected"),
    hash: hash.describe("Of the whole entry in the history, chained to the one before"),
    previousHash: hash.describe("The hash of the event with the cursor before; of a gap it is 0"),
    at: z.string().describe("When it happened: 2026-11-28T08:00:00.000Z"),
    event: z
      .string()
      .describe(
        "change: asked for, or in another state; decision: of an approver; notice: to somebody with an address of the account; refused; config-held: it waits for the admins; config-decided: by an admin; config-in-force; imported: a file, into the directory; pruned: old entries were deleted; forgotten: texts about a person; gap: they were, before this collector had them, in `audit export --after` alone; limited, bad-token: how often within a minute",
      ),
    config: hash.optional().describe("Of the config in force: SHA-256 of the file's text"),
    newer: hash.optional().describe("Of the config that waits"),
    change: z.string().optional().describe("The id of the change"),
    state: z.string().optional().describe("Its state from now on"),
    command: z.string().optional(),
    operation: z.string().optional(),
    actor: z
      .string()
      .optional()
      .describe(
        "Who did it: a Slack id, caller:<name>, workflow:steps, operator:<how>, or curfew where a config loosens nothing",
      ),
    team: z.string().optional(),
    channel: id,
    role: z.string().optional(),
    rule: z.string().optional().describe("Where in the config the rule stands that decided"),
    undoes: id.describe("The change that this one undoes"),
    parent: z.string().optional().describe("The series that it is a step of"),
    subjectKind: z.string().optional(),
    subject: id.describe("The service's id of what was changed"),
    verdict: z.string().optional().describe("Of an approver about a change, or of an admin about a config: use, keep"),
    notified: z.string().optional().describe("Who got the notice"),
    error: id.describe("Why it failed, as a code"),
    loosens: z.array(z.string()).optional().describe("What the config loosens"),
    pruned: z.int().optional().describe("How many entries were deleted in all"),
    through: z.int().optional().describe("The cursor of the last deleted entry. The history is whole from there on"),
    anchor: hash.optional().describe("Its hash: keep it elsewhere, with `through`"),
    kept: z.int().optional().describe("How many entries are left from before it, or have forgotten texts"),
    seal: hash.optional().describe("A hash over those"),
    person: z.array(z.string()).optional().describe("The ids of who was forgotten"),
    count: z.int().optional().describe("How often within the minute, or how many entries were imported"),
  })
  .meta({ title: "Curfew audit event" });

export type AuditEvent = z.output<typeof auditEventSchema>;

/** The parts of the history's facts that are shown; what is not named here is left out. */
const shown = z.object({
  change: z
    .object({
      ...{ words: z.string(), operation: z.string(), channelId: id, role: z.string(), rule: z.string(), undoes: id },
      ...{ subjectKind: z.string(), parent: z.string().optional() },
      actor: z.object({ userId: z.string(), teamId: z.string() }),
    })
    .optional(),
  decision: z.object({ approverId: z.string(), verdict: z.string() }).optional(),
  notified: z.object({ userId: z.string() }).optional(),
  outcome: z.object({ subjectId: id, error: z.object({ code: z.string() }).nullish() }).optional(),
  event: z.record(z.string(), z.unknown()).optional(),
});

/** Throws for content that Curfew did not write. */
export function auditEvent({ sequence, hash, previous_hash: previousHash, ...row }: TransitionTable): AuditEvent {
  const content = contentIn(row);
  const { change, decision, notified, outcome, event } = shown.parse(content);
  const { changeId, state, at, config } = content;
  const kind = decision ? "decision" : notified ? "notice" : "change";
  return auditEventSchema.parse({
    ...{ audit: true, cursor: sequence, hash, previousHash, at: new Date(at).toISOString() },
    ...{ event: changeId === undefined ? state : kind, config },
    ...(changeId === undefined ? event : { change: changeId, state }),
    ...(change && requestShown(change)),
    ...(decision && { actor: decision.approverId, verdict: decision.verdict }),
    ...(notified && { notified: notified.userId }),
    ...(outcome && { subject: outcome.subjectId, error: outcome.error?.code ?? null }),
  });
}

/** Stands for the pruned entries up to the anchor, before the first event that follows it. */
export function gapEvent({ through, anchor, pruned }: Anchor, { at }: Pick<TransitionTable, "at">): AuditEvent {
  const place = { cursor: through, hash: anchor, previousHash: beginning, at: new Date(at).toISOString() };
  return { audit: true, ...place, event: "gap", through, anchor, pruned };
}

function requestShown({ words, actor, channelId, ...facts }: NonNullable<z.output<typeof shown>["change"]>) {
  return { command: words, actor: actor.userId, team: actor.teamId, channel: channelId, ...facts };
}
