-- Which master keys what is sealed is sealed under: a sealed value begins with a version byte and the fingerprint of its key.

do $$
begin
  if exists (select from members) or exists (select from webhook_secrets) or exists (select from signatures)
    or exists (select from identity_orders) or exists (select from demo_identity_orders)
  then
    raise exception 'what is sealed in this database was sealed by an earlier version and cannot be carried over; '
      'begin with an empty database, or with another NUMERA_DATA_FOLDER';
  end if;
end
$$;

-- The keys that anything may be sealed under: one, and two while the one is changed for the other.
create table master_keys (
  -- Derived from the key. Tells keys apart, and nothing else of them.
  fingerprint bytea primary key check (length(fingerprint) = 8),
  recorded_at timestamptz not null
);

-- Keys that nothing is sealed under any more, so that none of them is taken for a new one.
create table retired_master_keys (
  fingerprint bytea primary key check (length(fingerprint) = 8),
  retired_at timestamptz not null
);

-- Random keys that outlive every master key: what is hashed under one of them cannot be hashed anew.
create table deployment_keys (
  name text primary key,
  -- AES-256-GCM under a master key, like all columns named so.
  sealed bytea not null,
  sealed_under bytea not null generated always as (substring(sealed from 2 for 8)) stored references master_keys,
  made_at timestamptz not null
);

-- The references keep a process with a key that is gone from sealing anything under it, and a key that something is still
-- sealed under from being retired.
alter table webhook_secrets add column sealed_under bytea not null
  generated always as (substring(sealed from 2 for 8)) stored references master_keys;
create index webhook_secrets_by_master_key on webhook_secrets (sealed_under);

alter table signatures add column sealed_under bytea not null
  generated always as (substring(evidence_sealed from 2 for 8)) stored references master_keys;
create index signatures_by_master_key on signatures (sealed_under);

alter table identity_orders add column sealed_under bytea
  generated always as (substring(provider_state_sealed from 2 for 8)) stored references master_keys;
create index identity_orders_by_master_key on identity_orders (sealed_under) where sealed_under is not null;

alter table demo_identity_orders add column sealed_under bytea
  generated always as (substring(person_sealed from 2 for 8)) stored references master_keys;
create index demo_identity_orders_by_master_key on demo_identity_orders (sealed_under) where sealed_under is not null;
