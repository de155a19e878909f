-- Tokens, apps with their codes and calls, and rates.

-- Access tokens of connections with client credentials; those of apps are in `app_tokens`.
create table tokens (
  -- SHA-256.
  token_hash bytea primary key,
  connection_id uuid not null references connections (connection_id),
  issued_at timestamptz not null,
  expires_at timestamptz not null
);
create index tokens_by_expiry on tokens (expires_at);

-- Registered apps. They are public clients, and registration is open to anyone.
create table apps (
  client_id text primary key,
  client_name text not null,
  redirect_uris text[] not null,
  grant_types text[] not null,
  response_types text[] not null,
  registered_at timestamptz not null,
  last_used_at timestamptz not null
);
create index apps_by_last_use on apps (last_used_at);

-- When the deployment's registrations of the last hour were attempted: one row, with no more entries than the limit.
create table registration_hour (
  only_row boolean primary key default true check (only_row),
  tried_at timestamptz[] not null
);
insert into registration_hour (tried_at) values ('{}');

create table authorization_codes (
  code_hash bytea primary key,
  -- Shared with the tokens that it is exchanged for.
  token_family_id uuid not null,
  connection_id uuid not null references app_connections,
  client_id text not null,
  redirect_uri text not null,
  -- BASE64URL(SHA256(code_verifier)), RFC 7636, 4.2.
  code_challenge text not null,
  permissions text[] not null,
  resources text[] not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index authorization_codes_by_expiry on authorization_codes (expires_at);

-- Access and refresh tokens of apps; those of service connections are in `tokens`.
create table app_tokens (
  token_hash bytea primary key,
  kind text not null check (kind in ('access', 'refresh')),
  token_family_id uuid not null,
  connection_id uuid not null references app_connections,
  client_id text not null,
  permissions text[] not null,
  resources text[] not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  -- Of a refresh token: when it was exchanged for the next pair.
  used_at timestamptz,
  revoked_at timestamptz
);
create index app_tokens_by_family on app_tokens (token_family_id);
create index app_tokens_by_expiry on app_tokens (expires_at);

-- Each answered call of an app.
create table app_calls (
  -- No foreign key: admission has just read the connection, connections are never deleted, and the check would be a third of
  -- the cost of each record.
  connection_id uuid not null,
  call_id uuid not null,
  -- Null if the call named no company that it may read.
  company_id uuid,
  method text not null,
  -- Without the query.
  path text not null,
  status integer not null,
  -- Of the error, null for a success.
  code text,
  called_at timestamptz not null,
  primary key (connection_id, call_id)
);

-- The last call of each connection, to the minute. Apart from `connections`, which admission reads for every call.
create table connection_uses (
  company_id uuid not null,
  connection_id uuid not null,
  last_used_at timestamptz not null,
  primary key (company_id, connection_id),
  foreign key (company_id, connection_id) references connections
) with (fillfactor = 50);

-- Token buckets, shared by all processes. Unlogged: after a crash every bucket is full.
create unlogged table rate_buckets (
  subject text primary key,
  -- Unix microseconds at which the bucket is full; in the past if it is full now.
  full_at_us bigint not null,
  -- How many calls of the latest statement were granted.
  granted integer not null,
  -- The bucket's capacity and the time in which it gains one call, as last used.
  burst integer not null,
  interval_us bigint not null
) with (fillfactor = 50);
