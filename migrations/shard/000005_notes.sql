-- What members say of figures, and the figures that they aim at. Neither refers to samples: both stay when a period is restated
-- or a metric is rebuilt.

create table notes (
  company_id uuid not null references companies,
  note_id uuid not null,
  source_id uuid not null,
  metric text not null,
  -- The period: its first day.
  grain text not null check (grain in ('day', 'week', 'month')),
  period_start date not null,
  -- Of one figure of the period, the values of its labels; empty: of the whole period.
  labels jsonb not null,
  text text not null,
  -- Grows with every change.
  revision integer not null default 1 check (revision >= 1),
  -- Null: the operator.
  author uuid references members (member_id),
  created_at timestamptz not null,
  -- Null until it is changed.
  edited_at timestamptz,
  edited_by uuid references members (member_id),
  primary key (company_id, note_id),
  foreign key (company_id, source_id) references sources
);
create index notes_by_period on notes (company_id, source_id, metric, period_start);

-- One row a metric: its targets are saved together.
create table targets (
  company_id uuid not null references companies,
  source_id uuid not null,
  metric text not null,
  -- By month, `YYYY-MM`, as decimal text: they are compared with figures and never added up.
  months jsonb not null,
  revision integer not null check (revision >= 1),
  saved_by uuid references members (member_id),
  saved_at timestamptz not null,
  primary key (company_id, source_id, metric),
  foreign key (company_id, source_id) references sources
);
