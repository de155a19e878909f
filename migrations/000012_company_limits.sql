-- What companies may hold, and what they do hold.

-- Null, or no row: the deployment's default (docs/configuration.md).
create table company_limits (
  company_id uuid primary key references companies (company_id),
  sources bigint,
  connections bigint,
  members bigint,
  -- Of one source.
  shape_versions bigint,
  cells bigint,
  stored_bytes bigint,
  waiting_bytes bigint,
  waiting_deliveries bigint
);

-- Counted by the workers as they read, and what waits every few seconds. What a company holds by few rows (sources,
-- connections, members) is counted when it is asked.
create table company_usage (
  company_id uuid primary key references companies (company_id),
  -- Deliveries that have been read, and what is kept of them.
  deliveries bigint not null default 0,
  stored_bytes bigint not null default 0,
  -- Of every projection: also of one that is being filled, and of a retired one until it is removed.
  cells bigint not null default 0,
  -- Deliveries that have not been read yet.
  waiting_deliveries bigint not null default 0,
  waiting_bytes bigint not null default 0,
  -- When all was counted anew from the tables themselves; null: never.
  recounted_at timestamptz
) with (fillfactor = 50);

-- When what waits was last counted: of the processes of a deployment one does, now and then.
create table usage_counts (
  only_row boolean primary key default true check (only_row),
  counted_at timestamptz not null
);

-- The limit that the company has reached, if any: it stands here since admission reads this row for every push.
alter table companies add column over_limit text
  check (over_limit in ('cells', 'stored_bytes', 'waiting_bytes', 'waiting_deliveries'));

-- Those that count against the limit of a company.
create index connections_not_revoked on connections (company_id) where revoked_at is null;
