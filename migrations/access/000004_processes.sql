-- Which processes serve and parse, so that `numera migrate --contract` waits for those of older releases. One row each, deleted
-- when the process stops; of one that was killed, a day later.
create table processes (
  process_id uuid constraint processes_pkey primary key,
  -- The version in its package.json.
  release text not null,
  -- The last migration of each schema that it knows.
  directory_migration integer not null,
  access_migration integer not null,
  shard_migration integer not null,
  seen_at timestamptz not null
);
create index processes_by_age on processes (seen_at);
