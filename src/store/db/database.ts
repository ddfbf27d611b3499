import { type Generated, type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";

/** The tables. Times are epoch ms, `*_json` columns hold JSON text. No booleans: SQLite and PostgreSQL must store the same values. */
export interface Database {
  change: ChangeTable;
  transition: TransitionTable;
  history_head: HistoryHeadTable;
  entity: EntityTable;
  excluded_resource: ExcludedResourceTable;
  outbox: OutboxTable;
  decision: DecisionTable;
  notice: NoticeTable;
  job: JobTable;
  instance: InstanceTable;
  lock: LockTable;
  people_list: PeopleListTable;
  resource_group: ResourceGroupTable;
  config_request: ConfigRequestTable;
  receipt: ReceiptTable;
  heard_message: HeardMessageTable;
  watched_action: WatchedActionTable;
  bulletin: BulletinTable;
  own_warning: OwnWarningTable;
  caller_request: CallerRequestTable;
  belonging: BelongingTable;
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
  /** How an unknown outcome was found out. */
  verified_json: string | null;
  requested_at: number;
  settled_at: number | null;
  /** The approval that was requested; null when none was needed. */
  approval_json: string | null;
  /** The instance that performs it, or performed it last. */
  performer: string | null;
  /** The series that it is a step of. */
  parent_id: string | null;
  /** The step of a workflow that waits for it. */
  execution_id: string | null;
  /** The thread in which it was asked for. */
  asked_in_json: string | null;
  /** Unique among changes that are not over (`onceKeyOf` in change-row.ts). */
  once_key: string | null;
}

/** One decision per approver and change. */
export interface DecisionTable {
  change_id: string;
  approver_id: string;
  approver_name: string;
  verdict: string;
  note: string | null;
  at: number;
}

/** A direct message about a change of somebody's account: one per person, when it was asked for and when it was made. */
export interface NoticeTable {
  change_id: string;
  user_id: string;
  name: string;
  /** What it was about: "asked" or "made". */
  about: string;
  /** 1 for the owner, 0 for somebody with a later address of the account. */
  is_owner: number;
  at: number;
}

/** Scheduled jobs. */
export interface JobTable {
  id: Generated<number>;
  kind: string;
  subject_id: string;
  due_at: number;
  /** When it can be taken: `due_at`, or later while a worker has it and after a failure. */
  next_at: number;
  attempts: number;
  /** How often it was taken since it was last put off. */
  tries: Generated<number>;
}

/** A running Curfew that shares this database. `seen_at` comes from the database's clock. */
export interface InstanceTable {
  id: string;
  seen_at: number;
}

/** The instance that is changing an entity. Serializes changes to one entity across instances. */
export interface LockTable {
  key: string;
  instance: string;
  until: number;
}

/** One row: the workspace's people, sealed, and which reading of them it is. */
export interface PeopleListTable {
  id: number;
  begun: number;
  done: number;
  people: string;
}

/** The history: one row per audit event, never updated, each chained to the row before (history-chain.ts). */
export interface TransitionTable {
  /** Its place in the history: 1, 2, 3 and so on. */
  sequence: number;
  /** Null for an event that is about no change. */
  change_id: string | null;
  /** The change's new state, or what happened. */
  state: string;
  at: number;
  /** The exact text that the hash covers, so not `jsonb` on PostgreSQL. */
  content_json: string;
  previous_hash: string;
  hash: string;
  /** The texts of the content that may be about people, with the salt of their hash in it; without a salt once some are forgotten. */
  texts_json: string | null;
  /** A hash over what is left of both, where something is forgotten. */
  forgotten: string | null;
}

/** One row: the end of the history. Appending locks it, so appends run one at a time. */
export interface HistoryHeadTable {
  id: number;
  length: number;
  hash: string;
}

/** The service's last answer about each entity. */
export interface EntityTable {
  kind: string;
  id: string;
  name: string | null;
  /** Lower-cased, for case-insensitive matching. */
  name_key: string | null;
  email: string | null;
  email_key: string | null;
  project_id: string | null;
  owner_id: string | null;
  expires_at: number | null;
  ended_at: number | null;
  /** Whose the row is: 0 the service's, 1 only the config file's, 2 only an import's. */
  from_config: number;
  body_json: string;
  /** What the last import said, in the shape of the service's answers. */
  imported_json: string | null;
}

/** The resources of each exclusion in the directory. Finds a resource's exclusions by index. */
export interface ExcludedResourceTable {
  exclusion_id: string;
  /** The resource id, lower-cased. */
  resource_key: string;
  /** The exclusion's end; exclusions without one have no rows here. */
  expires_at: number;
}

/** Messages to send to Slack, in order. */
export interface OutboxTable {
  id: Generated<number>;
  /** Of its change or of its bulletin. */
  change_id: string;
  kind: string;
  recipient: string;
  under_change_id: string | null;
  state: string;
  attempts: number;
  /** How often it was claimed since it was last put off. */
  tries: Generated<number>;
  due_at: number;
  posted_channel: string | null;
  posted_ts: string | null;
  /** The thread it was posted in. */
  posted_thread: string | null;
  queued_at: number;
  /** When it was posted; null for what posts no message, such as a card update. */
  sent_at: number | null;
  /** The `summary` row whose thread this card goes in. That row keeps where the summary was posted. */
  summary_id: number | null;
  note: string | null;
  error: string | null;
}

/** Resource groups saved from Slack, not those of the config file. */
export interface ResourceGroupTable {
  /** Lower-cased. */
  name: string;
  type: string;
  project_id: string;
  ids_json: string;
  /** Null where nobody named them. */
  actions_json: string | null;
  saved_by: string;
  saved_at: number;
}

/** A step from one config to a looser one, which the admins must confirm. */
export interface ConfigRequestTable {
  /** Identifies both configs (config-requests.ts). */
  id: string;
  /** The lease of the instance that posts its message. */
  posting_until: number;
  posted_channel: string | null;
  posted_ts: string | null;
  /** `use` or `keep`; null while undecided. */
  verdict: string | null;
  decided_by: string | null;
}

/** A request that is being handled (receipts.ts). */
export interface ReceiptTable {
  id: string;
  /** The instance that handles it; empty for one that the next round takes. */
  instance: string;
  kind: string;
  words: string;
  /** For a line, the words of each field. */
  said_json: string | null;
  actor_id: string;
  channel_id: string | null;
  received_at: number;
  asked_in_json: string | null;
  /** How many instances have begun to handle it and not ended. */
  tries: Generated<number>;
}

/** A message to Curfew, so that it is answered once although Slack may deliver it to several instances. */
export interface HeardMessageTable {
  key: string;
  /** The instance that answers it. */
  instance: string;
  at: number;
  is_answered: number;
}

/** An action of the service as the watcher saw it last. */
export interface WatchedActionTable {
  id: string;
  facts_json: string;
  next_at: number | null;
  /** When it was due last, as far as that was seen. */
  last_at: number | null;
  missing_since: number | null;
}

/** A message that is about no change. */
export interface BulletinTable {
  id: string;
  kind: string;
  content_json: string;
  at: number;
  /** When it is no longer current; null when nothing more is to be done with it. */
  over_at: number | null;
}

/** To what the database belongs. */
export interface BelongingTable {
  name: string;
  value: string;
}

/** A person wants a direct message before a group's runs. */
export interface OwnWarningTable {
  user_id: string;
  group_name: string;
  before_ms: number;
  channel_id: string | null;
  /** The stops that it is for; null for all. */
  from_ms: number | null;
  to_ms: number | null;
}

/** What a pipeline asked for with an Idempotency-Key. */
export interface CallerRequestTable {
  id: string;
  body_hash: string;
  received_at: number;
  /** Null while it is being handled. */
  answer_json: string | null;
}

export type Db = Kysely<Database>;

/** For the few statements that differ between the two databases. */
export function isPostgres(db: Kysely<Database>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Whether a column holds this id, as the service compares ids: without regard to case. */
export const isSameId = (column: string, id: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) = lower(${id})`;

/** To follow `in`, or as a table with the column `value`: as one parameter, however many there are. */
export const textsIn = (db: Kysely<Database>, texts: readonly string[]): RawBuilder<string> =>
  isPostgres(db)
    ? sql<string>`(select jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb) as value)`
    : sql<string>`(select value from json_each(${JSON.stringify(texts)}))`;

/** For an upsert: these columns of the row that could not be inserted. */
export const excluded = <T extends keyof Database>(...columns: readonly (keyof Database[T] & string)[]) =>
  Object.fromEntries(columns.map((column) => [column, sql.ref<never>(`excluded.${column}`)]));
