-- Deliveries as they were received. A row is written once and never changed.

create sequence receive_numbers as bigint;

create table deliveries (
  company_id uuid not null,
  artifact_id uuid not null,
  source_id uuid not null,
  sandbox boolean not null,
  -- Unique within (source, sandbox flag), so it outlives a connection [push.key-scope].
  idempotency_key text collate "C" not null,
  -- The order in which deliveries were accepted.
  receive_number bigint not null,
  received_at timestamptz not null,
  -- Null for a webhook delivery.
  connection_id uuid,
  shape_version integer not null,
  delivers text not null,
  dropped_keys text[] not null,
  format text not null check (format in ('json', 'json_lines', 'csv', 'sie')),
  -- SHA-256 of the request's body as received.
  received_sha256 bytea not null,
  -- SHA-256 of the canonical form, kept if undeclared keys were dropped: without them the content no longer serves for
  -- the comparison of [push.same-body].
  canonical_sha256 bytea,
  -- The stored content, zstd-compressed when content_encoding says so.
  content bytea not null,
  content_encoding text not null check (content_encoding in ('identity', 'zstd')),
  -- Before compression.
  content_bytes integer not null,
  primary key (company_id, artifact_id)
);
alter table deliveries alter column content set storage external;
create unique index deliveries_by_key on deliveries (company_id, source_id, sandbox, idempotency_key);
-- Webhook deliveries have no connection: a body is one delivery of its source under any ids [hook.hash].
create unique index deliveries_by_body on deliveries (company_id, source_id, received_sha256)
  where connection_id is null;
-- A source's deliveries in the order they were accepted: for the developer page's list and for rebuilds.
create index deliveries_by_receipt on deliveries (company_id, source_id, sandbox, receive_number);

-- What is still to be parsed; workers claim it fairly, by company and size. projection_id 0 stands for every active
-- projection of the source.
create table backlog (
  receive_number bigint not null,
  projection_id integer not null,
  company_id uuid not null,
  source_id uuid not null,
  artifact_id uuid not null,
  content_bytes integer not null,
  queued_at timestamptz not null,
  -- How often parsing it failed, or was begun and never finished.
  attempts smallint not null default 0,
  -- Not to be tried before this; null until it was tried by itself once.
  not_before timestamptz,
  -- A number of src/engine/backlog/queues.ts, set by the statement that writes the row: a generated column would cost pushes 1 to 3 µs.
  queue smallint not null,
  -- Workers step from company to company through it.
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
  parsed_at timestamptz not null,
  primary key (company_id, source_id, projection_id, receive_number)
);
create index parse_results_by_artifact on parse_results (company_id, artifact_id);
