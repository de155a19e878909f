-- The state of the expiry sweep of the whole deployment: one row. A machine may start with a wrong clock, and what is
-- deleted by that is gone for good.

create table expiry_sweep (
  only_row boolean primary key default true check (only_row),
  -- The instant that the last sweep deleted by; null before the first one.
  proven_at timestamptz,
  -- When a process last looked at the time, and for how long these looks have agreed since it was in doubt.
  seen_at timestamptz,
  agreed_ms bigint not null default 0
);
insert into expiry_sweep default values;
