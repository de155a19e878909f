-- Signatures.

-- What was signed, by whom, when, and the provider's evidence. Never changed.
create table signatures (
  signature_id uuid primary key,
  member_id uuid not null references members,
  company_id uuid,
  subject text not null,
  visible_text text not null,
  record text not null,
  record_sha256 bytea not null,
  provider text not null,
  -- Contains a personal number.
  evidence_sealed bytea not null,
  sealed_under bytea not null generated always as (substring(evidence_sealed from 2 for 8)) stored references master_keys,
  signed_at timestamptz not null
);
-- Lists are read newest first by id: version 7 ids grow with time.
create index signatures_by_member on signatures (member_id, signature_id);
create index signatures_by_company on signatures (company_id, signature_id);
create index signatures_by_master_key on signatures (sealed_under);
