-- Projections of a source's deliveries, and what they consist of: contributions, and the samples that reads return.

-- A source's samples under the metrics of one shape version. A building projection is filled while the current one is read,
-- and replaces it in one statement [fold.change].
create table projections (
  company_id uuid not null,
  source_id uuid not null,
  projection_id integer not null,
  shape_version integer not null,
  state text not null check (state in ('building', 'current', 'trial', 'retired')),
  -- Grows with every change of its samples: a rendered answer is valid for one version.
  samples_version bigint not null,
  -- Stored deliveries are put into the backlog in parts: how many so far, up to which receive number, and whether that was all.
  -- Before that it cannot be complete.
  deliveries bigint not null default 0 check (deliveries >= 0),
  enumerated_to bigint not null default 0,
  enumerated boolean not null,
  created_at timestamptz not null,
  -- When another projection replaced it. Reads that began before may take a little longer.
  retired_at timestamptz,
  primary key (company_id, source_id, projection_id),
  foreign key (company_id, source_id, shape_version) references shapes
);
create index projections_unfinished on projections (company_id, created_at, source_id) where state in ('building', 'trial');
create index projections_retired on projections (company_id, created_at, source_id) where state = 'retired';

-- One row for each cell that any delivery contributed to. cell_id is the first 16 bytes of SHA-256 over (source, projection,
-- metric, period, labels, sandbox).
create table samples (
  company_id uuid not null,
  cell_id uuid not null,
  source_id uuid not null,
  projection_id integer not null,
  sandbox boolean not null,
  period_start date not null,
  metric text collate "C" not null,
  -- Canonical JSON: sorted keys, no white space.
  labels text collate "C" not null,
  -- Null: the delivery that owns the period has no row for the cell.
  value numeric,
  -- For 'last': the event time of the value, in exact epoch seconds.
  event_at numeric,
  -- For 'last': the delivery of the value, which decides between equal event times.
  value_receive_number bigint,
  -- The delivery whose rows last changed the cell.
  artifact_id uuid not null,
  receive_number bigint not null,
  -- Sorts the samples of a metric and period by their labels' values, by label name, in code point order. The labels' JSON
  -- would sort differently: the quotation mark that ends a value is greater than a space, and escapes begin with a backslash.
  --
  -- U+0001 replaces each quotation mark of the JSON. It is less than any character of a value, so a value sorts before its
  -- extensions. Names make no difference, since all cells of a metric in a projection have the same ones. Control characters,
  -- which JSON escapes, become U+0001, '~' and two digits: greater than the end of a value, which is followed by ',' or '}',
  -- and less than all other characters. U+0002 and U+0003 replace '\\' and '\"' in between; JSON contains neither.
  label_order text collate "C" not null generated always as (
    case
      when strpos(labels, '\') = 0 then replace(labels, '"', chr(1))
      else
        replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
          replace(labels, '\\', chr(2)),
          '\"', chr(3)),
          '"', chr(1)),
          chr(3), '"'),
          '\b', chr(1) || '~08'),
          '\t', chr(1) || '~09'),
          '\n', chr(1) || '~0a'),
          '\f', chr(1) || '~0c'),
          '\r', chr(1) || '~0d'),
          '\u00', chr(1) || '~'),
          chr(2), '\')
    end
  ) stored,
  primary key (company_id, cell_id)
) with (fillfactor = 80);
-- Without the labels, which may be too long for an index entry: only the cells of one metric and period are left to sort.
-- Without the value, so that changing it updates no index.
create index samples_by_period on samples (company_id, source_id, projection_id, sandbox, period_start desc, metric);

-- What one delivery says about one cell. Rows are only added.
create table contributions (
  company_id uuid not null,
  cell_id uuid not null,
  receive_number bigint not null,
  artifact_id uuid not null,
  received_at timestamptz not null,
  value numeric not null,
  event_at numeric,
  rows integer not null,
  primary key (company_id, cell_id, receive_number)
);

-- The values counted by distinct counts of events sources, each with the first delivery that contained it.
create table distinct_values (
  company_id uuid not null,
  cell_id uuid not null,
  value_hash bytea not null,
  first_receive_number bigint not null,
  first_received_at timestamptz not null,
  primary key (company_id, cell_id, value_hash)
);

-- For statements sources: every delivery with an accepted row in a period.
create table period_deliveries (
  company_id uuid not null,
  source_id uuid not null,
  projection_id integer not null,
  sandbox boolean not null,
  metric text collate "C" not null,
  period_start date not null,
  receive_number bigint not null,
  artifact_id uuid not null,
  received_at timestamptz not null,
  primary key (company_id, source_id, projection_id, sandbox, metric, period_start, receive_number)
);

-- For statements sources: the delivery that owns a period. Its row lock serialises workers for the period.
create table period_owners (
  company_id uuid not null,
  source_id uuid not null,
  projection_id integer not null,
  sandbox boolean not null,
  metric text collate "C" not null,
  period_start date not null,
  receive_number bigint not null,
  artifact_id uuid not null,
  -- How many deliveries have contributed; from the second on, the period is restated.
  deliveries integer not null,
  primary key (company_id, source_id, projection_id, sandbox, metric, period_start)
);
