-- What the developer page looks for among millions of deliveries, and the calls that never became one.

-- Most deliveries have neither: these cost a push nothing, and parsing only where there is something to find.
create index parse_results_unreadable on parse_results (company_id, source_id, projection_id, receive_number)
  where state = 'unreadable';
create index parse_results_with_refusals on parse_results (company_id, source_id, projection_id, receive_number)
  where rows_refused > 0;

-- Calls of a company's systems that were refused: pushes and reads over its connections, webhooks to its addresses. Never
-- a body, a query or a credential.
create table refused_calls (
  company_id uuid not null references companies,
  call_id uuid not null,
  -- Whose last calls are kept: the connection, or of a webhook its source. Unsigned webhooks are kept apart, so that whoever
  -- knows an address cannot push out what its sender has to see.
  caller_id uuid not null,
  signed boolean not null,
  -- Null where the call named none of the company's.
  source_id uuid,
  -- Null for a webhook.
  connection_id uuid,
  channel text not null check (channel in ('push', 'webhook', 'read')),
  method text not null,
  path text not null,
  status integer not null,
  code text not null,
  field text,
  -- Like calls of one second are one row.
  calls integer not null,
  -- Of the last of them.
  called_at timestamptz not null,
  primary key (company_id, call_id)
);
create index refused_calls_by_caller on refused_calls (company_id, caller_id, signed, call_id);
create index refused_calls_by_age on refused_calls (called_at);
