-- Read-only links: addresses with a secret, which programs without a credential fetch.
create table links (
  company_id uuid not null references companies,
  link_id uuid not null,
  kind text not null,
  name text not null,
  -- SHA-256.
  token_hash bytea not null,
  -- What a spreadsheet shows; null for a feed.
  report jsonb,
  language text not null,
  created_by uuid not null references members (member_id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint links_pkey primary key (company_id, link_id),
  constraint links_token_hash_key unique (token_hash),
  constraint links_kind_check check (kind in ('feed', 'sheet')),
  constraint links_report_check check ((kind = 'sheet') = (report is not null)),
  constraint links_language_check check (language in ('en', 'sv'))
);
-- For those of a member who leaves, and for the expiry sweep.
create index links_by_creator on links (company_id, created_by);
create index links_by_end on links (expires_at);
