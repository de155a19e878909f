-- What was done to the deployment, by its operator or by the service itself. The expiry sweep deletes old events.
create table deployment_events (
  -- Version 7: grows with time.
  event_id uuid not null,
  occurred_at timestamptz not null,
  action text not null,
  -- Never a secret or a personal number.
  details jsonb not null,
  constraint deployment_events_pkey primary key (event_id)
);
