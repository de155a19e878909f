-- The secrets that senders of webhook sources sign with. A row that no longer works is deleted.

create table webhook_secrets (
  company_id uuid not null,
  source_id uuid not null,
  secret_id uuid not null,
  -- AES-256-GCM under the deployment's key: verifying a signature needs the secret itself.
  sealed bytea not null,
  created_at timestamptz not null,
  -- Null for the current one. Set by a rotation: from then on it opens nothing.
  ends_at timestamptz,
  primary key (company_id, source_id, secret_id),
  foreign key (company_id, source_id) references sources
);
create unique index webhook_secrets_current on webhook_secrets (company_id, source_id) where ends_at is null;
create index webhook_secrets_by_end on webhook_secrets (ends_at) where ends_at is not null;
