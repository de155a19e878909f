-- Companies that are to be deleted, and those that were.

-- A company whose deletion an owner has signed. Withdrawing deletes the row. It outlives the company, so what it names has no
-- foreign keys; the expiry sweep deletes it with its signatures (`recordKeptMs`).
create table company_deletions (
  company_id uuid not null,
  -- What both owners sign.
  deletion_id uuid not null,
  first_signed_by uuid not null,
  first_signature_id uuid not null,
  requested_at timestamptz not null,
  -- Null until a second owner has signed, or where the operator has confirmed the only owner's signature.
  second_signature_id uuid,
  -- From then on nothing is delivered to the company or changed in it.
  scheduled_at timestamptz,
  -- When the 30 days are over: the beginning of a day of the company.
  deletes_at timestamptz,
  -- From then on it cannot be withdrawn.
  begun_at timestamptz,
  -- When nothing was left of the company.
  deleted_at timestamptz,
  constraint company_deletions_pkey primary key (company_id),
  constraint company_deletions_scheduled_check check ((scheduled_at is null) = (deletes_at is null)),
  constraint company_deletions_begun_check check (begun_at is null or scheduled_at is not null),
  constraint company_deletions_deleted_check check (deleted_at is null or begun_at is not null)
);
-- For the expiry sweep.
create index company_deletions_due on company_deletions (deletes_at) where deleted_at is null;
create index company_deletions_by_end on company_deletions (deleted_at) where deleted_at is not null;
