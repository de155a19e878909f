-- Service connections and everything that opens a channel.

create table connections (
  company_id uuid not null references companies,
  connection_id uuid not null unique,
  -- Null: bound to no source, so that each call names one.
  source_id uuid,
  name text not null,
  kind text not null check (kind in ('production', 'sandbox', 'demo')),
  credential_kind text not null check (credential_kind in ('client', 'static')),
  -- Fixed when it is made.
  permissions text[] not null,
  -- The client id of client credentials; null with a static credential.
  client_id text unique,
  -- Null only for the demo connection.
  created_by uuid references members (member_id),
  created_at timestamptz not null,
  signature_id uuid references signatures,
  signed_at timestamptz,
  -- One year from the signing.
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by uuid references members (member_id),
  primary key (company_id, connection_id),
  foreign key (company_id, source_id) references sources
);
-- Those that count against the limit of a company.
create index connections_not_revoked on connections (company_id) where revoked_at is null;

-- Further companies that its maker let it act on. One that the maker loses is gone from it.
create table connection_companies (
  connection_id uuid not null references connections (connection_id),
  company_id uuid not null references companies,
  primary key (connection_id, company_id)
);
-- Owners list the connections that act on their company as a further one, newest first, and take it off them.
create index connection_companies_by_company on connection_companies (company_id, connection_id);

-- Static credentials and client secrets, by their SHA-256.
create table credentials (
  credential_hash bytea primary key,
  connection_id uuid not null references connections (connection_id),
  kind text not null check (kind in ('static', 'secret')),
  created_at timestamptz not null,
  -- Set by a rotation: from then on the secret is useless.
  ends_at timestamptz
);
create index credentials_by_connection on credentials (connection_id);

-- Access tokens, by their SHA-256.
create table tokens (
  token_hash bytea primary key,
  connection_id uuid not null references connections (connection_id),
  issued_at timestamptz not null,
  expires_at timestamptz not null
);
create index tokens_by_expiry on tokens (expires_at);

-- Token buckets, shared by all processes. Unlogged: after a crash every bucket is full.
create unlogged table rate_buckets (
  subject text primary key,
  -- Unix microseconds at which the bucket is full again; in the past when it is full.
  full_at_us bigint not null,
  -- How many of the calls of the latest statement got a token.
  granted integer not null,
  -- The rate it was last used with: tokens in a full bucket, and the time in which it gains one.
  burst integer not null,
  interval_us bigint not null
) with (fillfactor = 50);
