-- What pages show for values of a label, such as Sweden for SE. Exact values stay as they were delivered.

-- One row a label: its names are saved together.
create table label_names (
  company_id uuid not null references companies,
  label text not null,
  -- By value.
  names jsonb not null,
  revision integer not null check (revision >= 1),
  saved_by uuid references members (member_id),
  saved_at timestamptz not null,
  primary key (company_id, label)
);
