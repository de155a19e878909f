-- Inviting by a link, what was done in a company and by whom, and what tells members and credentials apart.

-- Null until they sign in with a service that records it.
alter table members add column last_sign_in_at timestamptz;
-- What whoever invited them calls them, for as long as they have not signed in.
alter table memberships add column label text;

-- Links that one person may use once to become a member. What is used or withdrawn or over opens nothing.
create table invitations (
  company_id uuid not null references companies,
  invitation_id uuid not null,
  -- SHA-256 of the token in the link.
  token_hash bytea not null unique,
  role text not null check (role in ('owner', 'developer', 'reader')),
  label text,
  created_by uuid not null references members (member_id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by uuid references members (member_id),
  primary key (company_id, invitation_id),
  check ((used_at is null) = (used_by is null))
);
create index invitations_by_expiry on invitations (expires_at);

-- To tell credentials apart; null where they were made before it was kept.
alter table credentials add column last_four text;

-- When a connection was last used, to the minute. Apart from its row, which admission reads for every call.
create table connection_uses (
  company_id uuid not null,
  connection_id uuid not null,
  last_used_at timestamptz not null,
  primary key (company_id, connection_id),
  foreign key (company_id, connection_id) references connections
) with (fillfactor = 50);

-- Those that a member of a company holds are counted.
create index connections_signed_by_maker on connections (company_id, created_by)
  where signed_at is not null and revoked_at is null;

-- Who may read a company through an app is found by its members.
create index app_connections_not_ended on app_connections (member_id, connection_id) where ended_at is null;

-- What members, and the operator, have done in a company. Never changed; deleted by the expiry sweep.
create table audit_events (
  company_id uuid not null references companies,
  event_id uuid not null,
  at timestamptz not null,
  -- Null: the operator.
  member_id uuid references members,
  action text not null,
  subject_kind text not null check (subject_kind in ('company', 'source', 'connection', 'member', 'invitation')),
  subject_id uuid not null,
  -- As it was called then; null for a member, whose name is their own.
  subject_name text,
  -- What the action leaves open, such as the role that was given. Never a secret or a personal number.
  details jsonb not null,
  primary key (company_id, event_id)
);
-- Version 7 ids grow with time: the oldest are deleted by them.
create index audit_events_by_age on audit_events (event_id);
