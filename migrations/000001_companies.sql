-- Companies, the people who act for them, and what those people signed.

create table companies (
  company_id uuid primary key,
  -- Ten digits, or twelve for a sole trader [all.orgnr].
  orgnr text not null unique check (orgnr ~ '^([0-9]{10}|[0-9]{12})$'),
  name text not null,
  -- IANA name. Fixed when the company is made: every stored period is counted in it.
  time_zone text not null,
  created_at timestamptz not null
);

create table members (
  member_id uuid primary key,
  -- HMAC-SHA256 of the twelve digits under the deployment's key: found by, never read back.
  personal_number_mac bytea not null unique,
  -- Null until the first sign-in: an invited person is known by number alone.
  name text,
  created_at timestamptz not null
);

create table memberships (
  company_id uuid not null references companies,
  member_id uuid not null references members,
  role text not null check (role in ('owner', 'developer', 'reader')),
  -- Null when the operator added the member.
  added_by uuid references members (member_id),
  added_at timestamptz not null,
  primary key (company_id, member_id)
);
create index memberships_by_member on memberships (member_id);

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
  -- What the provider needs to go on with the order; AES-256-GCM under the deployment's key.
  provider_state_sealed bytea,
  state text not null check (state in ('pending', 'complete', 'failed')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index identity_orders_by_expiry on identity_orders (expires_at);

-- Orders at the demo provider, which asks nobody and believes what it is told.
create table demo_identity_orders (
  reference text primary key,
  -- Null for a sign-in.
  visible_text text,
  record_sha256 bytea,
  state text not null check (state in ('pending', 'approved', 'refused')),
  -- Who approved it: AES-256-GCM under the deployment's key.
  person_sealed bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index demo_identity_orders_by_expiry on demo_identity_orders (expires_at);

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
  -- AES-256-GCM under the deployment's key: it holds a personal number.
  evidence_sealed bytea not null,
  signed_at timestamptz not null
);
-- Version 7 ids grow with time: lists are read newest first by them.
create index signatures_by_member on signatures (member_id, signature_id);
create index signatures_by_company on signatures (company_id, signature_id);
