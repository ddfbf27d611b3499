import { sql } from "kysely";
import { beginning } from "../../history/history-chain.ts";
import { type Migration, numberKey } from "./migration.ts";

/** An entity's id, name and e-mail address in one text: one scan instead of three. */
const searched = "(lower(id) || '\n' || coalesce(name_key, '') || '\n' || coalesce(email_key, ''))";
export const searchedText = sql.raw(searched);

/** Every table. Partial indexes hold only the rows that queries look up, so they stay small as the history grows. */
export const initial: Migration = (db) => `
create table change (
  id text primary key,
  idempotency_key text not null unique,
  words text not null,
  operation text not null,
  state text not null,
  input_json text not null,
  request_json text not null,
  before_json text,
  answer_json text,
  subject_kind text not null,
  subject_id text,
  actor_team text not null,
  actor_id text not null,
  actor_name text not null,
  actor_zone text not null,
  channel_id text,
  reason text,
  undoes text,
  role text not null,
  rule text not null,
  approval_json text,
  performer text,
  once_key text,
  error_code text,
  error_message text,
  note text,
  requested_at bigint not null,
  settled_at bigint
);
create index change_open on change (state, requested_at) where settled_at is null;
create unique index change_once on change (once_key) where once_key is not null;
create index change_by_time on change (requested_at, id);
create index change_by_actor on change (actor_id, requested_at);
create index change_by_subject on change (subject_kind, subject_id, settled_at);
create table decision (
  change_id text not null references change (id),
  approver_id text not null,
  approver_name text not null,
  verdict text not null,
  note text,
  at bigint not null,
  constraint decision_key primary key (change_id, approver_id)
);
create table transition (
  sequence ${numberKey(db)},
  change_id text not null references change (id),
  state text not null,
  at bigint not null,
  content_json text not null,
  previous_hash text not null,
  hash text not null
);
create index transition_by_change on transition (change_id, sequence);
create table history_head (
  id integer primary key,
  length bigint not null,
  hash text not null,
  constraint history_head_is_one check (id = 1)
);
create table entity (
  kind text not null,
  id text not null,
  name text,
  name_key text,
  email text,
  email_key text,
  project_id text,
  owner_id text,
  expires_at bigint,
  ended_at bigint,
  from_config integer not null,
  body_json text not null,
  constraint entity_key primary key (kind, id)
);
create index entity_by_name on entity (kind, name_key);
create index entity_by_email on entity (kind, email_key) where email_key is not null;
create index entity_by_end on entity (kind, ended_at, expires_at);
create index entity_by_search on entity (kind, coalesce(name_key, id), id, ${searched})
  where ended_at is null and expires_at is null;
create table excluded_resource (
  exclusion_id text not null,
  resource_key text not null,
  expires_at bigint not null,
  constraint excluded_resource_key primary key (exclusion_id, resource_key)
);
create index excluded_resource_by_end on excluded_resource (resource_key, expires_at, exclusion_id);
create table outbox (
  id ${numberKey(db)},
  change_id text not null references change (id),
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
create index outbox_by_kind on outbox (kind, state, due_at);
create index outbox_by_recipient on outbox (state, recipient, id);
create index outbox_by_time on outbox (recipient, sent_at) where sent_at is not null;
create index outbox_by_queue on outbox (recipient, queued_at);
create index outbox_by_summary on outbox (summary_id, id) where summary_id is not null;
create index outbox_by_change on outbox (change_id, kind);
create table job (
  id ${numberKey(db)},
  kind text not null,
  subject_id text not null,
  due_at bigint not null,
  next_at bigint not null,
  attempts integer not null,
  constraint job_once unique (kind, subject_id, due_at)
);
create index job_by_time on job (next_at, id);
create table instance (
  id text primary key,
  seen_at bigint not null
);
create table lock (
  key text primary key,
  instance text not null,
  until bigint not null
);
create table resource_group (
  name text primary key,
  type text not null,
  project_id text not null,
  ids_json text not null,
  saved_by text not null,
  saved_at bigint not null
);
create table config_request (
  id text primary key,
  posting_until bigint not null,
  posted_channel text,
  posted_ts text,
  verdict text,
  decided_by text
);

insert into history_head (id, length, hash) values (1, 0, '${beginning}')`;
