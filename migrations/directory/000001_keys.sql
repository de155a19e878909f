-- Master keys, and the keys that are sealed under them. A sealed value begins with a version byte and the fingerprint of its
-- master key, which the column `sealed_under` repeats. Its foreign key prevents a process with a removed key from sealing
-- anything, and a key that still seals something from being retired.

-- One key, or two while one replaces the other.
create table master_keys (
  -- Derived from the key; reveals nothing of it.
  fingerprint bytea primary key check (length(fingerprint) = 8),
  recorded_at timestamptz not null
);

-- Keys that seal nothing any more. They are refused if configured again.
create table retired_master_keys (
  fingerprint bytea primary key check (length(fingerprint) = 8),
  retired_at timestamptz not null
);

-- Random keys that outlive every master key, since values hashed under them cannot be hashed again.
create table deployment_keys (
  name text primary key,
  -- AES-256-GCM under a master key, like every sealed column.
  sealed bytea not null,
  sealed_under bytea not null generated always as (substring(sealed from 2 for 8)) stored references master_keys,
  created_at timestamptz not null
);
