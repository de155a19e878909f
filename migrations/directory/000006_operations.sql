-- The operator's switches, and the expiry sweep.

-- What the operator has switched off.
create table deployment_switches (
  name text primary key check (name in ('tokens')),
  off_since timestamptz not null
);

-- The state of the deployment's expiry sweep. Deleted rows cannot be restored, so a process deletes nothing by a clock that
-- may be wrong.
create table expiry_sweep (
  only_row boolean primary key default true check (only_row),
  -- The last time that was beyond doubt, when expired rows were deleted; null before the first sweep.
  time_proven_at timestamptz,
  -- When a process last checked the time, and for how long these checks have agreed since the time was in doubt.
  time_checked_at timestamptz,
  checks_agreed_for_ms bigint not null default 0
);
insert into expiry_sweep default values;
