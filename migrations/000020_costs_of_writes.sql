-- What members do on the pages costs the same however often they have done it.

-- The expiry sweep deletes credentials that have ended.
create index credentials_by_end on credentials (ends_at) where ends_at is not null;

-- The same act again within an hour is counted in the entry that is there: how often, and when it was first done; null
-- where it was done once. `at` and the id are those of the last time.
alter table audit_events add column times integer not null default 1 check (times >= 1);
alter table audit_events add column first_at timestamptz;
-- Finds the last entry about a subject that says the same.
create index audit_events_by_subject on audit_events (company_id, subject_id, action, event_id);

-- When samples were last read from a retired projection; null where they never were.
alter table projections add column retired_at timestamptz;
