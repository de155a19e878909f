-- For the list of a person's sessions: an id that opens nothing, and where the session began (browser, system, and network as
-- /24 or /56). A session ends when it was last active too long ago.
alter table sessions add column session_id uuid not null;
alter table sessions add column last_active_at timestamptz not null;
alter table sessions add column browser text;
alter table sessions add column system text;
alter table sessions add column network text;
-- When the person identified themselves, for acts that need a recent sign-in. Null where the provider did not say.
alter table sessions add column authenticated_at timestamptz;
create index sessions_by_member on sessions (member_id, last_active_at);

-- The notices of a company that an owner has dismissed: up to this event.
alter table memberships add column notices_dismissed_through uuid;
create index audit_events_for_notices on audit_events (company_id, event_id)
  where action in ('connection_rotated', 'source_secret_rotated', 'signed_out_everywhere')
    or (action in ('member_invited', 'member_joined', 'member_role_changed', 'invitation_created')
      and details ->> 'role' = 'owner');
