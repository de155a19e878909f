-- Deliveries as they were received. A row is written once and never changed.

create sequence receive_numbers as bigint;

create table deliveries (
  company_id uuid not null,
  artifact_id uuid not null,
  source_id uuid not null,
  sandbox boolean not null,
  -- Unique within (source, sandbox flag), so that it outlives a connection [push.key-scope].
  idempotency_key text collate "C" not null,
  -- The order in which deliveries were taken.
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
  -- SHA-256 of the canonical form, kept where undeclared keys were dropped: without them the
  -- comparison of [push.same-body] can no longer be made from the content.
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
-- A source's deliveries in the order they were taken: the developer page's list, and aggregating all of them anew.
create index deliveries_by_receipt on deliveries (company_id, source_id, sandbox, receive_number);

-- What is still to be read. projection_id 0 stands for every active projection of the source.
create table backlog (
  receive_number bigint not null,
  projection_id integer not null,
  company_id uuid not null,
  source_id uuid not null,
  artifact_id uuid not null,
  content_bytes integer not null,
  queued_at timestamptz not null,
  -- What was just received comes before what is only rebuilt.
  primary key (projection_id, receive_number, company_id)
);
create index backlog_by_projection on backlog (company_id, source_id, projection_id) where projection_id <> 0;

-- What reading a delivery found out, once for each projection.
create table parse_results (
  company_id uuid not null,
  source_id uuid not null,
  projection_id integer not null,
  receive_number bigint not null,
  artifact_id uuid not null,
  state text not null check (state in ('parsed', 'unreadable')),
  -- Why it is unreadable, as a sentence that tells nothing of the content.
  reason text,
  rows_accepted integer not null,
  rows_refused integer not null,
  rows_date_alone integer not null,
  -- The first 100: row number, field, reason; never a value.
  refusals jsonb not null,
  read_at timestamptz not null,
  primary key (company_id, source_id, projection_id, receive_number)
);
create index parse_results_by_artifact on parse_results (company_id, artifact_id);
