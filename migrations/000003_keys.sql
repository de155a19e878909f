-- Master keys, and the keys that are sealed under them. What is sealed begins with a version byte and the fingerprint of its
-- master key, which the column `sealed_under` beside it repeats. That column's reference keeps a process with a key that is
-- gone from sealing anything under it, and a key that something is still sealed under from being retired.

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
  created_at timestamptz not null
);
