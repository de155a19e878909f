-- Delegated access: apps, members' consents, authorization codes and tokens.

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

-- What a member allows an app, from the signature of the consent. It outlives the app's registration.
create table app_connections (
  connection_id uuid primary key,
  client_id text not null,
  member_id uuid not null references members,
  -- As shown to the member.
  client_name text not null,
  redirect_host text not null,
  permissions text[] not null,
  -- All companies of the member, including later ones; otherwise the chosen ones are in app_connection_companies.
  every_company boolean not null,
  -- Resource indicators (RFC 8707) of other servers that its tokens are for.
  resources text[] not null,
  consented_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_by text check (ended_by in ('member', 'operator', 'expiry')),
  check ((ended_at is null) = (ended_by is null))
);
-- An app and a member have at most one that has not ended.
create unique index app_connections_active on app_connections (client_id, member_id) where ended_at is null;
create index app_connections_by_member on app_connections (member_id, connection_id);
-- The apps that may read a company are found through its members.
create index app_connections_not_ended on app_connections (member_id, connection_id) where ended_at is null;

create table app_connection_companies (
  company_id uuid not null references companies,
  connection_id uuid not null references app_connections,
  primary key (connection_id, company_id)
);

-- The signatures of a connection: the first consent, and each extension.
create table consents (
  consent_id uuid primary key,
  connection_id uuid not null references app_connections,
  signature_id uuid not null references signatures,
  signed_at timestamptz not null
);

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
