-- Delegated access: members' consents.

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
