-- What companies use of their limits, and the calls of their systems.

-- What a company has of what is limited. Workers update it as they parse; waiting deliveries are counted every few seconds.
-- Sources, connections and members are few and are counted when needed.
create table company_usage (
  company_id uuid primary key references companies (company_id),
  -- Parsed deliveries, and their stored size.
  deliveries bigint not null default 0,
  stored_bytes bigint not null default 0,
  -- Of every projection, including one being filled and a retired one until it is removed.
  cells bigint not null default 0,
  -- Deliveries that have not been parsed yet.
  waiting_deliveries bigint not null default 0,
  waiting_bytes bigint not null default 0,
  -- When everything was last counted from the tables themselves; null: never.
  recounted_at timestamptz
) with (fillfactor = 50);
-- For those that are due to be recounted.
create index company_usage_by_recount on company_usage (recounted_at nulls first);

-- When waiting deliveries were last counted, by one process of the deployment.
create table usage_counts (
  only_row boolean primary key default true check (only_row),
  counted_at timestamptz not null
);

-- Refused calls of a company's systems: pushes and reads over its connections, webhooks to its addresses. Never a body, a
-- query or a credential.
create table refused_calls (
  company_id uuid not null references companies,
  call_id uuid not null,
  -- The connection, or of a webhook its source. The latest calls of each caller are kept; unsigned webhooks are counted
  -- separately, so that a stranger who knows an address cannot displace what its sender has to see.
  caller_id uuid not null,
  signed boolean not null,
  -- Null if the call named none of the company's.
  source_id uuid,
  -- Null for a webhook.
  connection_id uuid,
  channel text not null check (channel in ('push', 'webhook', 'read')),
  method text not null,
  path text not null,
  status integer not null,
  code text not null,
  field text,
  -- Identical calls within a second are one row.
  calls integer not null,
  -- When the last of them was made.
  called_at timestamptz not null,
  primary key (company_id, call_id)
);
create index refused_calls_by_caller on refused_calls (company_id, caller_id, signed, call_id);
create index refused_calls_by_age on refused_calls (called_at);
