-- Companies, the people who act for them, and what companies may hold.

create table companies (
  company_id uuid primary key,
  -- Ten digits, or twelve for a sole trader [all.orgnr].
  orgnr text not null unique check (orgnr ~ '^([0-9]{10}|[0-9]{12})$'),
  name text not null,
  -- IANA name. Fixed when the company is made: every stored period is counted in it.
  time_zone text not null,
  created_at timestamptz not null,
  -- The limit that the company has reached, if any: it stands here since admission reads this row for every push.
  over_limit text check (over_limit in ('cells', 'stored_bytes', 'waiting_bytes', 'waiting_deliveries'))
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

-- What a company may hold. Null, or no row: the deployment's default (docs/configuration.md).
create table company_limits (
  company_id uuid primary key references companies (company_id),
  sources bigint,
  connections bigint,
  members bigint,
  -- Of one source.
  shape_versions bigint,
  cells bigint,
  stored_bytes bigint,
  waiting_bytes bigint,
  waiting_deliveries bigint
);

-- What a company does hold. Counted by the workers as they parse, and what waits every few seconds. What a company holds
-- by few rows (sources, connections, members) is counted when it is asked.
create table company_usage (
  company_id uuid primary key references companies (company_id),
  -- Deliveries that have been parsed, and what is kept of them.
  deliveries bigint not null default 0,
  stored_bytes bigint not null default 0,
  -- Of every projection: also of one that is being filled, and of a retired one until it is removed.
  cells bigint not null default 0,
  -- Deliveries that have not been parsed yet.
  waiting_deliveries bigint not null default 0,
  waiting_bytes bigint not null default 0,
  -- When all was counted anew from the tables themselves; null: never.
  recounted_at timestamptz
) with (fillfactor = 50);

-- When what waits was last counted: of the processes of a deployment one does, now and then.
create table usage_counts (
  only_row boolean primary key default true check (only_row),
  counted_at timestamptz not null
);
