-- How far the expiry sweep has come, in the whole deployment: one row. A machine may start with a wrong clock; what is
-- deleted by it is gone for good.

create table expiry_sweep (
  only_row boolean primary key default true check (only_row),
  -- The last instant that a sweep has deleted by; null before the first one.
  proven_at timestamptz,
  -- When a process last looked, and for how long the looks have agreed with each other since the time was in doubt.
  seen_at timestamptz,
  agreed_ms bigint not null default 0
);
insert into expiry_sweep default values;
