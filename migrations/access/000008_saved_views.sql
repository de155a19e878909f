-- Reports that members keep under a name: the parameters of their addresses.
create table saved_views (
  company_id uuid not null references companies,
  view_id uuid not null,
  -- Whose own it is; null for the company's. It ends with their membership.
  member_id uuid,
  name text not null,
  -- Of the report of one metric; both null for a combined report.
  source_id uuid,
  metric text,
  -- The query of its address.
  search text not null,
  -- Whether it stands first on the company's start page.
  pinned boolean not null,
  -- Its place among the company's, or the member's own; those with the same one are in the order of their ids.
  place integer not null,
  -- Counts its changes, so that two members do not overwrite each other's.
  revision integer not null,
  changed_by uuid not null references members (member_id),
  changed_at timestamptz not null,
  constraint saved_views_pkey primary key (company_id, view_id),
  constraint saved_views_membership_fkey foreign key (company_id, member_id) references memberships on delete cascade,
  constraint saved_views_report_check check ((source_id is null) = (metric is null))
);
create index saved_views_by_member on saved_views (company_id, member_id);
