import type { ChangeTable, DecisionTable, NoticeTable } from "../db/database.ts";

export type RecordedFacts = ReturnType<typeof recordedFacts>;
export type DecisionFacts = ReturnType<typeof decisionFacts>;
export type NoticeFacts = ReturnType<typeof noticeFacts>;
export type OutcomeFacts = ReturnType<typeof outcomeFacts>;

/**
 * The facts that a change's row keeps from its first record on. Without the idempotency key, which is made of Slack's short-lived ids.
 * Facts may be added, never removed: existing histories are compared with these.
 */
export function recordedFacts(row: ChangeTable) {
  return {
    ...requestFacts(row),
    operation: row.operation,
    input: parsed(row.input_json),
    request: parsed(row.request_json),
    before: parsed(row.before_json),
    subjectKind: row.subject_kind,
    approval: parsed(row.approval_json),
    ...(row.parent_id === null ? {} : { parent: row.parent_id }),
    ...(row.asked_in_json === null ? {} : { askedIn: parsed(row.asked_in_json) }),
  };
}

/** The facts that a change and its history state in the same way. */
export function requestFacts(row: ChangeTable) {
  return {
    words: row.words,
    actor: { teamId: row.actor_team, userId: row.actor_id, name: row.actor_name, timeZone: row.actor_zone },
    channelId: row.channel_id,
    reason: row.reason,
    undoes: row.undoes,
    role: row.role,
    rule: row.rule,
    requestedAt: row.requested_at,
  };
}

/** One approver's decision. */
export function decisionFacts(row: Omit<DecisionTable, "change_id">) {
  return {
    approverId: row.approver_id,
    approverName: row.approver_name,
    verdict: row.verdict,
    note: row.note,
    at: row.at,
  };
}

/** One direct message about a change of somebody's account. */
export function noticeFacts(row: Omit<NoticeTable, "change_id">) {
  return { userId: row.user_id, name: row.name, about: row.about, isOwner: row.is_owner === 1, at: row.at };
}

export type OutcomeColumns = Pick<
  ChangeTable,
  "answer_json" | "subject_id" | "error_code" | "error_message" | "note" | "verified_json" | "settled_at"
>;

/** The facts that settling, or another end, adds. */
export function outcomeFacts(row: OutcomeColumns) {
  return {
    answer: parsed(row.answer_json),
    subjectId: row.subject_id,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message },
    note: row.note,
    verified: parsed(row.verified_json),
    settledAt: row.settled_at,
  };
}

/** Invalid JSON stays text: a damaged row must not stop a check. */
function parsed(json: string | null): unknown {
  if (json === null) return null;
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
