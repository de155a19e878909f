-- What deliveries say (contributions), and what reads return (samples).

-- A row for each cell that any delivery has said something about. cell_id is the first 16 bytes of
-- SHA-256 over (source, projection, metric, period, labels, sandbox flag).
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
  -- Null: the delivery that owns the period does not mention the cell.
  value numeric,
  -- For 'last': the event time of the value, in exact epoch seconds.
  event_at numeric,
  -- For 'last': the delivery that the value is from; it decides between equal event times.
  value_receive_number bigint,
  -- The delivery whose rows last changed the cell.
  artifact_id uuid not null,
  receive_number bigint not null,
  -- The order of samples within a metric and period: by their labels' values, sorted by label name, in code point order.
  -- The JSON of the labels sorts differently: a quotation mark ends a value and is greater than a space, and escapes
  -- begin with a backslash.
  --
  -- Here U+0001 replaces each quotation mark of the JSON. Nothing in a value is less, so a value comes before its
  -- extensions. The names make no difference, since all cells of a metric in a projection have the same. Control
  -- characters, which JSON escapes, become U+0001, '~' and two digits: greater than the end of a value, which is followed
  -- by ',' or '}', and less than all other characters. Meanwhile U+0002 and U+0003 stand for '\\' and '\"'; JSON has no
  -- such characters.
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
-- Without the labels, which may be longer than an index entry can hold: only the cells of one metric and period are
-- left to be sorted. Without the value, so that changing it touches no index.
create index samples_by_period on samples (company_id, source_id, projection_id, sandbox, period_start desc, metric);

-- What one delivery says about one cell. Rows are only ever added.
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

-- The members of distinct counts of events sources, each with the first delivery that had it.
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

-- For statements sources: the delivery that owns a period. Its row lock lets one worker at a time settle a period.
create table period_owners (
  company_id uuid not null,
  source_id uuid not null,
  projection_id integer not null,
  sandbox boolean not null,
  metric text collate "C" not null,
  period_start date not null,
  receive_number bigint not null,
  artifact_id uuid not null,
  -- How many deliveries touch the period; it is restated from the second on.
  deliveries integer not null,
  primary key (company_id, source_id, projection_id, sandbox, metric, period_start)
);
