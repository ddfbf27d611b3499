import { isPostgres } from "../database.ts";
import { type Migration, numberKey } from "./migration.ts";

/** In order, after the first. Never edit a migration after its release. */
export const laterMigrations: readonly Migration[] = [
  // 002: the actions that act on the resources of a saved group; null where nobody named them.
  () => "alter table resource_group add column actions_json text",
  // 003: requests that were recorded before they were acknowledged, until they are answered or a change takes their place.
  () => `
create table receipt (
  id text primary key,
  instance text not null,
  kind text not null,
  words text not null,
  said_json text,
  actor_id text not null,
  channel_id text,
  received_at bigint not null
)`,
  // 004: how the outcome of a change became known that had been unknown; null for all others.
  () => "alter table change add column verified_json text",
  // 005: who was notified of a change of their account.
  () => `
create table notice (
  change_id text not null references change (id),
  user_id text not null,
  name text not null,
  about text not null,
  is_owner integer not null,
  at bigint not null,
  constraint notice_key primary key (change_id, user_id, about)
)`,
  // 006: the steps of a series are changes that name it.
  () => `
alter table change add column parent_id text;
create index change_parent on change (parent_id)`,
  // 007: what the last import said about an entity; null where none named it.
  () => "alter table entity add column imported_json text",
  // 008: the service's actions as they were seen last, and messages that are about no change.
  (db) => `
create table watched_action (
  id text primary key,
  facts_json text not null,
  next_at bigint,
  last_at bigint,
  missing_since bigint
);
create table bulletin (
  id text primary key,
  kind text not null,
  content_json text not null,
  at bigint not null,
  over_at bigint
);
create index bulletin_by_end on bulletin (over_at, kind);
${isPostgres(db) ? "alter table outbox drop constraint outbox_change_id_fkey" : rebuiltOutbox(numberKey(db))}`,
  // 009: the warnings that people want for themselves.
  () => `
create table own_warning (
  user_id text not null,
  group_name text not null,
  before_ms bigint not null,
  channel_id text,
  constraint own_warning_key primary key (user_id, group_name)
);
create index bulletin_by_time on bulletin (kind, at)`,
  // 010: the thread in which a change was asked for, and the messages that were answered already.
  () => `
alter table change add column asked_in_json text;
alter table receipt add column asked_in_json text;
create table heard_message (
  key text primary key,
  instance text not null,
  at bigint not null,
  is_answered integer not null
);
create index heard_message_by_age on heard_message (at)`,
  // 011: the requests of pipelines, with the answers that repeats get.
  () => `
create table caller_request (
  id text primary key,
  body_hash text not null,
  received_at bigint not null,
  answer_json text
);
create index caller_request_by_time on caller_request (received_at)`,
  // 012: the step of a workflow that waits for a change.
  () => "alter table change add column execution_id text",
  // 013: the service compares ids without regard to case.
  () => `
create index entity_by_id_key on entity (lower(id), kind);
create index change_by_subject_key on change (subject_kind, lower(subject_id))`,
  // 014: how often each was begun without an end, so that one which ends the process is not begun for ever.
  () => `
alter table receipt add column tries integer not null default 1;
alter table job add column tries integer not null default 0;
alter table outbox add column tries integer not null default 0`,
];

const columns = `id, change_id, kind, recipient, under_change_id, state, attempts, due_at, queued_at, sent_at, summary_id, posted_channel,
  posted_ts, posted_thread, note, error`;

/** A message may belong to a bulletin rather than to a change, and SQLite cannot drop a constraint. */
const rebuiltOutbox = (key: string): string => `create table new_outbox (
  id ${key},
  change_id text not null,
  kind text not null,
  recipient text not null,
  under_change_id text,
  state text not null,
  attempts integer not null,
  due_at bigint not null,
  queued_at bigint not null,
  sent_at bigint,
  summary_id bigint,
  posted_channel text,
  posted_ts text,
  posted_thread text,
  note text,
  error text
);
insert into new_outbox (${columns}) select ${columns} from outbox;
drop table outbox;
alter table new_outbox rename to outbox;
create index outbox_by_kind on outbox (kind, state, due_at);
create index outbox_by_recipient on outbox (state, recipient, id);
create index outbox_by_time on outbox (recipient, sent_at) where sent_at is not null;
create index outbox_by_queue on outbox (recipient, queued_at);
create index outbox_by_summary on outbox (summary_id, id) where summary_id is not null;
create index outbox_by_change on outbox (change_id, kind)`;
