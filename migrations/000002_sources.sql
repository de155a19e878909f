-- Sources: what they declare, and how their deliveries are aggregated.

create table sources (
  company_id uuid not null references companies,
  source_id uuid not null unique,
  name text not null,
  -- A label of the company's own choosing: "web shop", "ledger".
  system_kind text not null,
  channel text not null check (channel in ('push', 'webhook')),
  -- Null: found from the first bytes [push.document].
  format text check (format in ('json', 'json_lines', 'csv', 'sie')),
  -- The current shape version; every version from 1 to it exists in shapes.
  shape_version integer not null check (shape_version >= 1),
  -- The current projection (projections.projection_id).
  projection_id integer not null check (projection_id >= 1),
  -- Mixed into the hashes of distinct values, so that they cannot be guessed across sources.
  distinct_salt bytea not null,
  paused_at timestamptz,
  created_at timestamptz not null,
  primary key (company_id, source_id)
);

-- One row for each save of a declaration. Never changed.
create table shapes (
  company_id uuid not null,
  source_id uuid not null,
  shape_version integer not null,
  fields jsonb not null,
  event_time text not null,
  metrics jsonb not null,
  delivers text not null check (delivers in ('events', 'statements')),
  -- Null when the operator saved it.
  saved_by uuid references members (member_id),
  saved_at timestamptz not null,
  primary key (company_id, source_id, shape_version),
  foreign key (company_id, source_id) references sources
);

-- One way of aggregating a source's deliveries: the metrics and the mode of one shape version.
-- A building projection is filled beside the current one and takes its place in one step [fold.change].
create table projections (
  company_id uuid not null,
  source_id uuid not null,
  projection_id integer not null,
  shape_version integer not null,
  state text not null check (state in ('building', 'current', 'trial', 'retired')),
  -- All stored deliveries are in the backlog for it; before that it cannot be complete.
  enumerated boolean not null,
  -- Grows with every change of its samples: rendered answers are valid for one version.
  samples_version bigint not null,
  created_at timestamptz not null,
  -- Its deliveries are put into the backlog in parts; so far up to this receive number.
  enumerated_to bigint not null default 0,
  primary key (company_id, source_id, projection_id),
  foreign key (company_id, source_id, shape_version) references shapes
);
-- Unfinished projections company by company, and those to be removed.
create index projections_unfinished on projections (company_id, projection_id) where state in ('building', 'trial');
create index projections_retired on projections (company_id, projection_id) where state = 'retired';
-- A source's first projection has the number 1. Numbers are never reused, even when the projection is gone: a worker that
-- still has the number must not write into another one.
create sequence projection_ids as integer minvalue 2;
