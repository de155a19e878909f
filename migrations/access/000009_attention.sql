-- What members have done of what needs attention, and when read-only links were used.

-- An item that a member marked as done. It is open again once it has another version.
create table attention_marks (
  company_id uuid not null,
  -- The item, such as `late 01977c1e-…`.
  item text not null,
  version text not null,
  member_id uuid not null,
  marked_at timestamptz not null,
  constraint attention_marks_pkey primary key (company_id, item)
);
-- For the expiry sweep.
create index attention_marks_by_age on attention_marks (marked_at);

-- The day of the last use of each read-only link. Apart from `links`, which is on every node.
create table link_uses (
  company_id uuid not null,
  link_id uuid not null,
  used_on date not null,
  -- That of the link.
  expires_at timestamptz not null,
  constraint link_uses_pkey primary key (company_id, link_id)
);
-- For the expiry sweep.
create index link_uses_by_end on link_uses (expires_at);
