-- When members looked at reports, to show them what has changed since. One row for each member and report, deleted with the
-- membership.
create table report_looks (
  company_id uuid not null,
  member_id uuid not null,
  source_id uuid not null,
  metric text not null,
  -- Their last look, to the minute.
  looked_at timestamptz not null,
  -- The end of the visit before that. Null: there was none.
  visited_at timestamptz,
  constraint report_looks_pkey primary key (company_id, member_id, source_id, metric)
);
