-- The secrets that senders of webhooks sign with, and the ids that they send.

-- A row that no longer works is deleted.
create table webhook_secrets (
  company_id uuid not null,
  source_id uuid not null,
  secret_id uuid not null,
  -- AES-256-GCM under a master key: verifying a signature needs the secret itself.
  sealed bytea not null,
  created_at timestamptz not null,
  -- Null for the current one. Set by a rotation: from then on the secret is useless.
  ends_at timestamptz,
  sealed_under bytea not null generated always as (substring(sealed from 2 for 8)) stored references master_keys,
  primary key (company_id, source_id, secret_id),
  foreign key (company_id, source_id) references sources
);
create unique index webhook_secrets_current on webhook_secrets (company_id, source_id) where ends_at is null;
create index webhook_secrets_by_end on webhook_secrets (ends_at) where ends_at is not null;
create index webhook_secrets_by_master_key on webhook_secrets (sealed_under);

-- The body that each delivery id was first sent with. An id whose body was stored under another id is its alias.
create table webhook_ids (
  company_id uuid not null,
  source_id uuid not null,
  delivery_id text collate "C" not null,
  received_sha256 bytea not null,
  primary key (company_id, source_id, delivery_id)
);
