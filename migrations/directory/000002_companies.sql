-- Shards, companies, their members, and company limits.

-- The schemas with everything of their companies that grows with deliveries: shard_1, shard_2, …
create table shards (
  shard integer primary key check (shard >= 1),
  -- How many companies it has.
  companies integer not null default 0,
  -- How much they have stored, as last counted.
  stored_bytes bigint not null default 0,
  added_at timestamptz not null
);

create table companies (
  company_id uuid primary key,
  shard integer not null references shards,
  -- Ten digits, or twelve for a sole trader [all.orgnr].
  orgnr text not null unique check (orgnr ~ '^([0-9]{10}|[0-9]{12})$'),
  name text not null,
  -- IANA name. Never changed, since every stored period is computed in it.
  time_zone text not null,
  -- The limit that the company has reached, if any. It is in this row because admission reads it for every push.
  over_limit text check (over_limit in ('cells', 'stored_bytes', 'waiting_bytes', 'waiting_deliveries')),
  created_at timestamptz not null
);
-- Few companies have reached a limit. Each shard compares its own every few seconds.
create index companies_over_limit on companies (shard) where over_limit is not null;

-- Companies that move to another shard, and what is left of moves: a row goes once the rows in the other shard are deleted.
-- Nearly always empty, since the statements that store and parse deliveries look for their companies here
-- (src/people/companies/moves).
create table company_moves (
  company_id uuid primary key references companies,
  move_id uuid not null,
  from_shard integer not null references shards,
  to_shard integer not null references shards,
  -- 'undone': the rows in to_shard are to be deleted; 'moved': those in from_shard, a day after moved_at.
  phase text not null check (phase in ('copying', 'draining', 'held', 'moved', 'undone')),
  -- The shard in which deliveries are accepted, and the one in which they are parsed. Null: for the moment in none.
  accepts_in integer
    generated always as (case phase when 'held' then null when 'moved' then to_shard else from_shard end) stored,
  parses_in integer
    generated always as (
      case phase when 'draining' then null when 'held' then null when 'moved' then to_shard else from_shard end
    ) stored,
  -- How often the company has been held.
  attempt integer not null default 0,
  started_at timestamptz not null,
  -- The mover's last sign of life.
  heartbeat_at timestamptz not null,
  held_at timestamptz,
  moved_at timestamptz,
  check (from_shard <> to_shard),
  check ((phase = 'moved') = (moved_at is not null))
);

create table members (
  member_id uuid primary key,
  -- HMAC-SHA256 of the twelve digits under the deployment's key: members are found by it, but it cannot be reversed.
  personal_number_mac bytea not null unique,
  -- Null until the first sign-in: an invited person is known by number alone.
  name text,
  created_at timestamptz not null,
  last_sign_in_at timestamptz
);

create table memberships (
  company_id uuid not null references companies,
  member_id uuid not null references members,
  role text not null check (role in ('owner', 'developer', 'reader')),
  -- The inviting owner's name for the member, shown until they open the company.
  label text,
  -- Null when the operator added the member.
  added_by uuid references members (member_id),
  added_at timestamptz not null,
  -- Whether the member has opened the company since they were added. Until then the company sees only what its own owners
  -- wrote about them.
  opened boolean not null default false,
  -- The last notice that an owner dismissed (audit_events.event_id).
  notices_dismissed_through uuid,
  primary key (company_id, member_id)
);
create index memberships_by_member on memberships (member_id);

-- Links with which one person may become a member, once. A used, withdrawn or expired one has no effect.
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

-- Null, or no row: the deployment's default (docs/configuration.md).
create table company_limits (
  company_id uuid primary key references companies (company_id),
  sources bigint,
  connections bigint,
  members bigint,
  -- For each source.
  shape_versions bigint,
  cells bigint,
  stored_bytes bigint,
  waiting_bytes bigint,
  waiting_deliveries bigint
);
