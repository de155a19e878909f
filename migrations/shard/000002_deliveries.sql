-- Deliveries as received, what is still to be parsed, and what parsing found.

-- A call that stores deliveries draws one number for all of them (src/engine/deliveries/store/receive-numbers.ts): more apart than a
-- call has deliveries.
create sequence receive_numbers as bigint increment 1024;

-- What is added to the numbers of the sequence. On Citus each node draws from a range of its own, which the upper 16 bits say.
create table receive_numbering (
  only_row boolean primary key default true check (only_row),
  node_range integer not null,
  number_offset bigint not null,
  -- Calls that drew this number or a lesser one store nothing, and draw again.
  settled_to bigint not null default 0
);
insert into receive_numbering (node_range, number_offset) values (0, 0);

-- Contents are stored as they are given, so that parts can be read. Citus passes the storage of a column on to nodes only with a
-- new table, and PostgreSQL 15 has no other way of writing it there.
create temporary table stored_as (content bytea not null);
alter table stored_as alter column content set storage external;

-- A row is written once and never changed.
create table deliveries (
  company_id uuid not null,
  artifact_id uuid not null,
  source_id uuid not null,
  sandbox boolean not null,
  -- Unique within (source, sandbox), so it outlives a connection [push.key-scope].
  idempotency_key text collate "C" not null,
  -- The order in which deliveries were accepted. Statements give it themselves: because of the default, Citus creates the sequence
  -- on every node.
  receive_number bigint not null default nextval('receive_numbers'),
  received_at timestamptz not null,
  -- Null for a webhook.
  connection_id uuid,
  shape_version integer not null,
  delivers text not null,
  dropped_keys text[] not null,
  format text not null,
  -- SHA-256 of the request's body.
  received_sha256 bytea not null,
  -- SHA-256 of the canonical form, if undeclared keys were dropped: the stored content is then not enough for the comparison
  -- of [push.same-body].
  canonical_sha256 bytea,
  like stored_as including storage,
  content_encoding text not null check (content_encoding in ('identity', 'zstd')),
  -- Before compression.
  content_bytes integer not null,
  primary key (company_id, artifact_id)
);
drop table stored_as;
create unique index deliveries_by_key on deliveries (company_id, source_id, sandbox, idempotency_key);
-- Webhooks have no connection: one body is one delivery of its source, under any delivery id [hook.hash].
create unique index deliveries_by_body on deliveries (company_id, source_id, received_sha256)
  where connection_id is null;
-- For lists and rebuilds, in the order of acceptance.
create index deliveries_by_receipt on deliveries (company_id, source_id, sandbox, receive_number);

-- The body that each delivery id first had. An id whose body was stored under another id is an alias of it.
create table webhook_ids (
  company_id uuid not null,
  source_id uuid not null,
  delivery_id text collate "C" not null,
  received_sha256 bytea not null,
  -- Drawn from the receive numbers when the id was first sent: a move finds the ids that are new by it.
  receive_number bigint not null,
  primary key (company_id, source_id, delivery_id)
);
-- Ids are stored nearly in the order of their numbers, so that this costs a webhook next to nothing.
create index webhook_ids_by_number on webhook_ids using brin (receive_number);

-- Deliveries that wait to be parsed; workers claim them fairly, by company and size. projection_id 0: for every active
-- projection of the source.
create table backlog (
  receive_number bigint not null,
  projection_id integer not null,
  company_id uuid not null,
  source_id uuid not null,
  artifact_id uuid not null,
  content_bytes integer not null,
  queued_at timestamptz not null,
  -- How often parsing failed, or was begun and never finished.
  attempts smallint not null default 0,
  -- Not to be parsed before this; null until it has been tried alone.
  not_before timestamptz,
  -- See src/engine/backlog/queues.ts. Set by each statement: a generated column would cost a push 1 to 3 µs.
  queue smallint not null,
  -- In this order, since workers step through it from company to company.
  primary key (queue, company_id, receive_number, projection_id)
);
create index backlog_by_projection on backlog (company_id, source_id, projection_id) where projection_id <> 0;
create index backlog_retries on backlog (company_id, not_before, receive_number) where not_before is not null;

-- What parsing a delivery found, once for each projection.
create table parse_results (
  company_id uuid not null,
  source_id uuid not null,
  projection_id integer not null,
  receive_number bigint not null,
  artifact_id uuid not null,
  state text not null check (state in ('parsed', 'unreadable')),
  -- Why it is unreadable, in a sentence that reveals nothing of the content.
  reason text,
  rows_accepted integer not null,
  rows_refused integer not null,
  rows_date_alone integer not null,
  -- The first 100: row number, field, reason; never a value.
  refusals jsonb not null,
  -- About accepted rows: those without effect on a metric because a field is missing, and those dated far ahead.
  remarks jsonb,
  parsed_at timestamptz not null,
  primary key (company_id, source_id, projection_id, receive_number)
);
-- Few deliveries are in these two, so they cost parsing next to nothing.
create index parse_results_unreadable on parse_results (company_id, source_id, projection_id, receive_number)
  where state = 'unreadable';
create index parse_results_with_refusals on parse_results (company_id, source_id, projection_id, receive_number)
  where rows_refused > 0;
