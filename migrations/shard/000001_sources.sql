-- Sources: their declarations, and the secrets of webhook senders.

create table sources (
  company_id uuid not null references companies,
  source_id uuid not null unique,
  name text not null,
  -- Free text: "web shop", "ledger".
  system_kind text not null,
  channel text not null check (channel in ('push', 'webhook')),
  -- Null: recognised from a delivery's first bytes [push.document]. No check here or on deliveries.format: a new format would need a
  -- migration.
  format text,
  -- Grows with every save of the settings or the declaration.
  revision integer not null default 1 check (revision >= 1),
  -- The current shape version; every version from 1 to it exists in shapes.
  shape_version integer not null check (shape_version >= 1),
  -- The current projection (projections.projection_id).
  projection_id integer not null check (projection_id >= 1),
  -- The number of the latest projection. Numbers are never reused, even when a projection is removed: a worker that still has the
  -- number must not write into another one.
  last_projection_id integer not null default 1,
  -- Mixed into the hashes of distinct values, so that they cannot be guessed across sources.
  distinct_salt bytea not null,
  created_at timestamptz not null,
  paused_at timestamptz,
  -- Null while the source is active, or if the operator paused it.
  paused_by uuid references members,
  pause_reason text,
  primary key (company_id, source_id),
  check (paused_at is not null or (paused_by is null and pause_reason is null))
);

-- One row for each save of a declaration. Never changed.
create table shapes (
  company_id uuid not null,
  source_id uuid not null,
  shape_version integer not null,
  delivers text not null check (delivers in ('events', 'statements')),
  fields jsonb not null,
  event_time text not null,
  metrics jsonb not null,
  -- Null when the operator saved it.
  saved_by uuid references members (member_id),
  saved_at timestamptz not null,
  primary key (company_id, source_id, shape_version),
  foreign key (company_id, source_id) references sources
);

-- The secrets with which senders of webhooks sign. A row whose secret no longer works is deleted.
create table webhook_secrets (
  company_id uuid not null,
  source_id uuid not null,
  secret_id uuid not null,
  -- Verifying a signature needs the secret itself, so it is sealed, not hashed.
  sealed bytea not null,
  sealed_under bytea not null generated always as (substring(sealed from 2 for 8)) stored references master_keys,
  created_at timestamptz not null,
  -- Null for the current secret. A rotation sets it: the secret works until then.
  ends_at timestamptz,
  primary key (company_id, source_id, secret_id),
  foreign key (company_id, source_id) references sources
);
create unique index webhook_secrets_current on webhook_secrets (company_id, source_id) where ends_at is null;
create index webhook_secrets_by_end on webhook_secrets (ends_at) where ends_at is not null;
create index webhook_secrets_by_master_key on webhook_secrets (sealed_under);
