-- Service connections and their credentials.

create table connections (
  company_id uuid not null references companies,
  connection_id uuid not null unique,
  -- Null: bound to no source, so each call names one. No foreign key: sources are in the shard of their company.
  source_id uuid,
  name text not null,
  kind text not null check (kind in ('production', 'sandbox', 'demo')),
  -- Never changed.
  permissions text[] not null,
  credential_kind text not null check (credential_kind in ('client', 'static')),
  -- Of client credentials; null with a static credential.
  client_id text unique,
  -- Null only for the demo connection.
  created_by uuid references members (member_id),
  created_at timestamptz not null,
  signature_id uuid references signatures,
  signed_at timestamptz,
  -- One year after the signature.
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by uuid references members (member_id),
  primary key (company_id, connection_id)
);
-- Those that count against the company's limit.
create index connections_not_revoked on connections (company_id) where revoked_at is null;
-- For the number of connections of each member.
create index connections_signed_by_creator on connections (company_id, created_by)
  where signed_at is not null and revoked_at is null;

-- Further companies that a connection acts on. A row is deleted when the connection's creator no longer manages the company.
create table connection_companies (
  connection_id uuid not null references connections (connection_id),
  company_id uuid not null references companies,
  primary key (connection_id, company_id)
);
-- For the owners of a further company: the connections that act on it, newest first.
create index connection_companies_by_company on connection_companies (company_id, connection_id);

-- Static credentials and client secrets.
create table credentials (
  -- SHA-256.
  credential_hash bytea primary key,
  connection_id uuid not null references connections (connection_id),
  kind text not null check (kind in ('static', 'secret')),
  -- Shown to tell credentials apart.
  last_four text,
  created_at timestamptz not null,
  -- Set by a rotation: the credential works until then.
  ends_at timestamptz
);
create index credentials_by_connection on credentials (connection_id);
create index credentials_by_end on credentials (ends_at) where ends_at is not null;

-- The company and the name of each source, where only its id is known: in the address of a webhook, and in a connection.
create table source_names (
  source_id uuid primary key,
  company_id uuid not null references companies,
  name text not null
);
