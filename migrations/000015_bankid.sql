-- Orders at BankID. All instants are by the database's clock, so that processes agree on when BankID is asked again and
-- on the second of the QR code.
create table bankid_orders (
  reference text primary key,
  state text not null check (state in ('pending', 'complete', 'failed')),
  -- BankID's hint while it is pending, then how it ended.
  word text not null,
  -- What is needed to go on with it, then its result: AES-256-GCM under a master key. Null once it has failed.
  content_sealed bytea,
  -- Of the signature that it was completed with: one completes one order.
  signature_sha256 bytea unique,
  -- When BankID answered with the order that is under way now: there may have been others before.
  started_at timestamptz not null,
  -- BankID is not asked before, and by one process at a time: each takes the next number.
  next_collect_at timestamptz not null,
  collects integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  sealed_under bytea generated always as (substring(content_sealed from 2 for 8)) stored references master_keys
);
create index bankid_orders_by_expiry on bankid_orders (expires_at);
create index bankid_orders_by_master_key on bankid_orders (sealed_under) where sealed_under is not null;
