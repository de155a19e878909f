-- What members and the operator did.

-- What was done in a company. The expiry sweep deletes old events.
create table audit_events (
  company_id uuid not null references companies,
  -- Version 7: grows with time.
  event_id uuid not null,
  -- Null: the operator.
  member_id uuid references members,
  action text not null,
  subject_kind text not null check (subject_kind in ('company', 'source', 'connection', 'member', 'invitation')),
  subject_id uuid not null,
  -- Its name at the time. Null for a member whose name is still read from `members`.
  subject_name text,
  -- What the action leaves open, such as the new role. Never a secret or a personal number.
  details jsonb not null,
  -- Of the last time: an act repeated within an hour is counted in the event that exists.
  occurred_at timestamptz not null,
  -- Null unless it was repeated.
  first_occurred_at timestamptz,
  occurrences integer not null default 1 check (occurrences >= 1),
  primary key (company_id, event_id)
);
-- For deleting the oldest.
create index audit_events_by_age on audit_events (event_id);
-- For finding the event that an act repeats.
create index audit_events_by_subject on audit_events (company_id, subject_id, action, event_id);
create index audit_events_for_notices on audit_events (company_id, event_id)
  where action in ('connection_rotated', 'source_secret_rotated', 'signed_out_everywhere')
    or (action in ('member_invited', 'member_joined', 'member_role_changed', 'invitation_created')
      and details ->> 'role' = 'owner');
