-- Signing in and signing.

create table sessions (
  session_hash bytea primary key,
  member_id uuid not null references members,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_by_expiry on sessions (expires_at);

-- A sign-in or a signature on its way at the identity provider.
create table identity_orders (
  order_id uuid primary key,
  provider text not null,
  provider_reference text not null,
  purpose text not null check (purpose in ('sign_in', 'sign')),
  -- For 'sign': who must sign, what is shown to them, and the canonical record that is signed.
  member_id uuid references members,
  company_id uuid,
  subject text,
  visible_text text,
  record text,
  -- Binds a sign-in to the browser that began it.
  browser_hash bytea,
  -- What the provider needs to go on with the order; AES-256-GCM under a master key.
  provider_state_sealed bytea,
  state text not null check (state in ('pending', 'complete', 'failed')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  sealed_under bytea generated always as (substring(provider_state_sealed from 2 for 8)) stored references master_keys
);
create index identity_orders_by_expiry on identity_orders (expires_at);
create index identity_orders_by_master_key on identity_orders (sealed_under) where sealed_under is not null;

-- Orders at the demo provider, which asks nobody and believes what it is told.
create table demo_identity_orders (
  reference text primary key,
  -- Null for a sign-in.
  visible_text text,
  record_sha256 bytea,
  state text not null check (state in ('pending', 'approved', 'refused')),
  -- Who approved it: AES-256-GCM under a master key.
  person_sealed bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  sealed_under bytea generated always as (substring(person_sealed from 2 for 8)) stored references master_keys
);
create index demo_identity_orders_by_expiry on demo_identity_orders (expires_at);
create index demo_identity_orders_by_master_key on demo_identity_orders (sealed_under) where sealed_under is not null;

-- What was signed, by whom, when, and the provider's evidence for it. Never changed.
create table signatures (
  signature_id uuid primary key,
  member_id uuid not null references members,
  company_id uuid,
  subject text not null,
  visible_text text not null,
  record text not null,
  record_sha256 bytea not null,
  provider text not null,
  -- AES-256-GCM under a master key: it holds a personal number.
  evidence_sealed bytea not null,
  signed_at timestamptz not null,
  sealed_under bytea not null generated always as (substring(evidence_sealed from 2 for 8)) stored references master_keys
);
-- Version 7 ids grow with time: lists are read newest first by them.
create index signatures_by_member on signatures (member_id, signature_id);
create index signatures_by_company on signatures (company_id, signature_id);
create index signatures_by_master_key on signatures (sealed_under);
