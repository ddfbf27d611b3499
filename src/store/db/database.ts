import { type Generated, type Kysely, PostgresAdapter } from "kysely";

/** The tables, as the queries see them. Times are epoch ms; `*_json` columns hold JSON text; there are no booleans, so that SQLite and PostgreSQL keep the same values. */
export interface Database {
  change: ChangeTable;
  transition: TransitionTable;
  history_head: HistoryHeadTable;
  entity: EntityTable;
  excluded_resource: ExcludedResourceTable;
  outbox: OutboxTable;
  decision: DecisionTable;
  job: JobTable;
  instance: InstanceTable;
  lock: LockTable;
  resource_group: ResourceGroupTable;
  config_request: ConfigRequestTable;
}

export interface ChangeTable {
  id: string;
  idempotency_key: string;
  words: string;
  operation: string;
  state: string;
  input_json: string;
  request_json: string;
  before_json: string | null;
  answer_json: string | null;
  subject_kind: string;
  subject_id: string | null;
  actor_team: string;
  actor_id: string;
  actor_name: string;
  actor_zone: string;
  channel_id: string | null;
  reason: string | null;
  undoes: string | null;
  role: string;
  rule: string;
  error_code: string | null;
  error_message: string | null;
  note: string | null;
  requested_at: number;
  settled_at: number | null;
  /** What was asked of the approvers; null for a change that needed none. */
  approval_json: string | null;
  /** The instance that performs it, or did last. */
  performer: string | null;
  /** What no other change may hold at the same time (once-key.ts). */
  once_key: string | null;
}

/** An approver's yes or no to a change; each has one. */
export interface DecisionTable {
  change_id: string;
  approver_id: string;
  approver_name: string;
  verdict: string;
  note: string | null;
  at: number;
}

/** What is to be done later, where one instance does all; on PostgreSQL pg-boss keeps it in tables of its own. */
export interface JobTable {
  id: Generated<number>;
  kind: string;
  subject_id: string;
  due_at: number;
  /** When it can be taken: when it is due, or later, as long as somebody has it and after a failure. */
  next_at: number;
  attempts: number;
}

/** A running Curfew that shares this database. `seen_at` is by the database's own clock. */
export interface InstanceTable {
  id: string;
  seen_at: number;
}

/** Who is at a thing of the service right now, so that changes of one thing go one after the other on several instances too. */
export interface LockTable {
  key: string;
  instance: string;
  until: number;
}

/** The history: a row per state a change came into; never updated, and each chained to the one before it (history-chain.ts). */
export interface TransitionTable {
  sequence: Generated<number>;
  change_id: string;
  state: string;
  at: number;
  /** The exact text that the hash covers, so it is text on PostgreSQL too. */
  content_json: string;
  previous_hash: string;
  hash: string;
}

/** One row: where the history ends. Who appends holds it, and so waits for whoever else is appending. */
export interface HistoryHeadTable {
  id: number;
  length: number;
  hash: string;
}

/** The last answer about each of the service's things. */
export interface EntityTable {
  kind: string;
  id: string;
  name: string | null;
  /** Lower-cased, for matching without regard to case. */
  name_key: string | null;
  email: string | null;
  email_key: string | null;
  project_id: string | null;
  owner_id: string | null;
  expires_at: number | null;
  ended_at: number | null;
  /** 1 for what the config file says and the service has not said itself. */
  from_config: number;
  body_json: string;
}

/** Which resources each known exclusion names, so that those of one resource are found among many. */
export interface ExcludedResourceTable {
  exclusion_id: string;
  /** Its id, lower-cased. */
  resource_key: string;
  /** As its exclusion's; one without an end is not here. */
  expires_at: number;
}

/** What is to be told in Slack, in the order it came about. */
export interface OutboxTable {
  id: Generated<number>;
  change_id: string;
  kind: string;
  recipient: string;
  under_change_id: string | null;
  state: string;
  attempts: number;
  due_at: number;
  posted_channel: string | null;
  posted_ts: string | null;
  /** The message in whose thread it was posted. */
  posted_thread: string | null;
  queued_at: number;
  /** When it became a message; null for what becomes none, such as a card drawn again. */
  sent_at: number | null;
  /** The row of kind `summary` in whose thread this card goes; that row keeps where the summary was posted. */
  summary_id: number | null;
  note: string | null;
  error: string | null;
}

/** Resource groups saved from Slack; those of the config file are not here. */
export interface ResourceGroupTable {
  /** Lower-cased. */
  name: string;
  type: string;
  project_id: string;
  ids_json: string;
  saved_by: string;
  saved_at: number;
}

/** A step from one config to a looser one, which the admins are asked about. */
export interface ConfigRequestTable {
  /** Tells of both configs (config-requests.ts). */
  id: string;
  /** Until then one instance is posting its message. */
  posting_until: number;
  posted_channel: string | null;
  posted_ts: string | null;
  /** `use` or `keep`; null as long as nobody decided. */
  verdict: string | null;
  decided_by: string | null;
}

export type Db = Kysely<Database>;

/** Whether it runs on PostgreSQL: for the few statements that the two databases take in different words. */
export function isPostgres(db: Kysely<Database>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
