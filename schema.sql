-- Written by `npm run schema` from the migrations; not to be edited.

-- Schema directory.

create table app_connection_companies (
  company_id uuid not null,
  connection_id uuid not null,
  constraint app_connection_companies_pkey PRIMARY KEY (connection_id, company_id),
  constraint app_connection_companies_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint app_connection_companies_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES app_connections(connection_id)
);
CREATE INDEX app_connection_companies_by_company ON directory.app_connection_companies USING btree (company_id);

create table app_connections (
  connection_id uuid not null,
  client_id text not null,
  member_id uuid not null,
  client_name text not null,
  redirect_host text not null,
  permissions text[] not null,
  every_company boolean not null,
  resources text[] not null,
  consented_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ended_by text,
  constraint app_connections_pkey PRIMARY KEY (connection_id),
  constraint app_connections_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id),
  constraint app_connections_check CHECK (((ended_at IS NULL) = (ended_by IS NULL))),
  constraint app_connections_ended_by_check CHECK ((ended_by = ANY (ARRAY['member'::text, 'operator'::text, 'expiry'::text])))
);
CREATE UNIQUE INDEX app_connections_active ON directory.app_connections USING btree (client_id, member_id) WHERE (ended_at IS NULL);
CREATE INDEX app_connections_by_member ON directory.app_connections USING btree (member_id, connection_id);
CREATE INDEX app_connections_not_ended ON directory.app_connections USING btree (member_id, connection_id) WHERE (ended_at IS NULL);

create table companies (
  company_id uuid not null,
  shard integer not null,
  orgnr text not null,
  name text not null,
  time_zone text not null,
  over_limit text,
  created_at timestamp with time zone not null,
  fiscal_year_month integer default 1 not null,
  constraint companies_pkey PRIMARY KEY (company_id),
  constraint companies_orgnr_key UNIQUE (orgnr),
  constraint companies_shard_fkey FOREIGN KEY (shard) REFERENCES shards(shard),
  constraint companies_fiscal_year_month_check CHECK (((fiscal_year_month >= 1) AND (fiscal_year_month <= 12))) NOT VALID,
  constraint companies_orgnr_check CHECK ((orgnr ~ '^([0-9]{10}|[0-9]{12})$'::text)),
  constraint companies_over_limit_check CHECK ((over_limit = ANY (ARRAY['cells'::text, 'stored_bytes'::text, 'waiting_bytes'::text, 'waiting_deliveries'::text])))
);
CREATE INDEX companies_over_limit ON directory.companies USING btree (shard) WHERE (over_limit IS NOT NULL);

create table company_deletions (
  company_id uuid not null,
  deletion_id uuid not null,
  first_signed_by uuid not null,
  first_signature_id uuid not null,
  requested_at timestamp with time zone not null,
  second_signature_id uuid,
  scheduled_at timestamp with time zone,
  deletes_at timestamp with time zone,
  begun_at timestamp with time zone,
  deleted_at timestamp with time zone,
  constraint company_deletions_pkey PRIMARY KEY (company_id),
  constraint company_deletions_begun_check CHECK (((begun_at IS NULL) OR (scheduled_at IS NOT NULL))),
  constraint company_deletions_deleted_check CHECK (((deleted_at IS NULL) OR (begun_at IS NOT NULL))),
  constraint company_deletions_scheduled_check CHECK (((scheduled_at IS NULL) = (deletes_at IS NULL)))
);
CREATE INDEX company_deletions_by_end ON directory.company_deletions USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX company_deletions_due ON directory.company_deletions USING btree (deletes_at) WHERE (deleted_at IS NULL);

create table company_limits (
  company_id uuid not null,
  sources bigint,
  connections bigint,
  members bigint,
  shape_versions bigint,
  cells bigint,
  stored_bytes bigint,
  waiting_bytes bigint,
  waiting_deliveries bigint,
  constraint company_limits_pkey PRIMARY KEY (company_id),
  constraint company_limits_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id)
);

create table company_moves (
  company_id uuid not null,
  move_id uuid not null,
  from_shard integer not null,
  to_shard integer not null,
  phase text not null,
  accepts_in integer generated always as (
CASE phase
    WHEN 'held'::text THEN NULL::integer
    WHEN 'moved'::text THEN to_shard
    ELSE from_shard
END) stored,
  parses_in integer generated always as (
CASE phase
    WHEN 'draining'::text THEN NULL::integer
    WHEN 'held'::text THEN NULL::integer
    WHEN 'moved'::text THEN to_shard
    ELSE from_shard
END) stored,
  attempt integer default 0 not null,
  started_at timestamp with time zone not null,
  heartbeat_at timestamp with time zone not null,
  held_at timestamp with time zone,
  moved_at timestamp with time zone,
  constraint company_moves_pkey PRIMARY KEY (company_id),
  constraint company_moves_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint company_moves_from_shard_fkey FOREIGN KEY (from_shard) REFERENCES shards(shard),
  constraint company_moves_to_shard_fkey FOREIGN KEY (to_shard) REFERENCES shards(shard),
  constraint company_moves_check CHECK ((from_shard <> to_shard)),
  constraint company_moves_check1 CHECK (((phase = 'moved'::text) = (moved_at IS NOT NULL))),
  constraint company_moves_phase_check CHECK ((phase = ANY (ARRAY['copying'::text, 'draining'::text, 'held'::text, 'moved'::text, 'undone'::text])))
);

create table connection_companies (
  connection_id uuid not null,
  company_id uuid not null,
  constraint connection_companies_pkey PRIMARY KEY (connection_id, company_id),
  constraint connection_companies_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint connection_companies_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(connection_id)
);
CREATE INDEX connection_companies_by_company ON directory.connection_companies USING btree (company_id, connection_id);

create table connections (
  company_id uuid not null,
  connection_id uuid not null,
  source_id uuid,
  name text not null,
  kind text not null,
  permissions text[] not null,
  credential_kind text not null,
  client_id text,
  created_by uuid,
  created_at timestamp with time zone not null,
  signature_id uuid,
  signed_at timestamp with time zone,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_by uuid,
  constraint connections_pkey PRIMARY KEY (company_id, connection_id),
  constraint connections_client_id_key UNIQUE (client_id),
  constraint connections_connection_id_key UNIQUE (connection_id),
  constraint connections_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint connections_created_by_fkey FOREIGN KEY (created_by) REFERENCES members(member_id),
  constraint connections_revoked_by_fkey FOREIGN KEY (revoked_by) REFERENCES members(member_id),
  constraint connections_signature_id_fkey FOREIGN KEY (signature_id) REFERENCES signatures(signature_id),
  constraint connections_credential_kind_check CHECK ((credential_kind = ANY (ARRAY['client'::text, 'static'::text]))),
  constraint connections_kind_check CHECK ((kind = ANY (ARRAY['production'::text, 'sandbox'::text, 'demo'::text])))
);
CREATE INDEX connections_by_signature ON directory.connections USING btree (signature_id) WHERE (signature_id IS NOT NULL);
CREATE INDEX connections_not_revoked ON directory.connections USING btree (company_id) WHERE (revoked_at IS NULL);
CREATE INDEX connections_signed_by_creator ON directory.connections USING btree (company_id, created_by) WHERE ((signed_at IS NOT NULL) AND (revoked_at IS NULL));

create table consents (
  consent_id uuid not null,
  connection_id uuid not null,
  signature_id uuid not null,
  signed_at timestamp with time zone not null,
  constraint consents_pkey PRIMARY KEY (consent_id),
  constraint consents_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES app_connections(connection_id),
  constraint consents_signature_id_fkey FOREIGN KEY (signature_id) REFERENCES signatures(signature_id)
);
CREATE INDEX consents_by_signature ON directory.consents USING btree (signature_id);

create table credentials (
  credential_hash bytea not null,
  connection_id uuid not null,
  kind text not null,
  last_four text,
  created_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  constraint credentials_pkey PRIMARY KEY (credential_hash),
  constraint credentials_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(connection_id),
  constraint credentials_kind_check CHECK ((kind = ANY (ARRAY['static'::text, 'secret'::text])))
);
CREATE INDEX credentials_by_connection ON directory.credentials USING btree (connection_id);
CREATE INDEX credentials_by_end ON directory.credentials USING btree (ends_at) WHERE (ends_at IS NOT NULL);

create table deployment_keys (
  name text not null,
  sealed bytea not null,
  sealed_under bytea generated always as (SUBSTRING(sealed FROM 2 FOR 8)) stored not null,
  created_at timestamp with time zone not null,
  constraint deployment_keys_pkey PRIMARY KEY (name),
  constraint deployment_keys_sealed_under_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(fingerprint)
);

create table deployment_switches (
  name text not null,
  off_since timestamp with time zone not null,
  constraint deployment_switches_pkey PRIMARY KEY (name),
  constraint deployment_switches_name_check CHECK ((name = 'tokens'::text))
);

create table expiry_sweep (
  only_row boolean default true not null,
  time_proven_at timestamp with time zone,
  time_checked_at timestamp with time zone,
  checks_agreed_for_ms bigint default 0 not null,
  constraint expiry_sweep_pkey PRIMARY KEY (only_row),
  constraint expiry_sweep_only_row_check CHECK (only_row)
);

create table invitations (
  company_id uuid not null,
  invitation_id uuid not null,
  token_hash bytea not null,
  role text not null,
  label text,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  used_by uuid,
  constraint invitations_pkey PRIMARY KEY (company_id, invitation_id),
  constraint invitations_token_hash_key UNIQUE (token_hash),
  constraint invitations_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint invitations_created_by_fkey FOREIGN KEY (created_by) REFERENCES members(member_id),
  constraint invitations_used_by_fkey FOREIGN KEY (used_by) REFERENCES members(member_id),
  constraint invitations_check CHECK (((used_at IS NULL) = (used_by IS NULL))),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'reader'::text])))
);
CREATE INDEX invitations_by_expiry ON directory.invitations USING btree (expires_at);

create table links (
  company_id uuid not null,
  link_id uuid not null,
  kind text not null,
  name text not null,
  token_hash bytea not null,
  report jsonb,
  language text not null,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint links_pkey PRIMARY KEY (company_id, link_id),
  constraint links_token_hash_key UNIQUE (token_hash),
  constraint links_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint links_created_by_fkey FOREIGN KEY (created_by) REFERENCES members(member_id),
  constraint links_kind_check CHECK ((kind = ANY (ARRAY['feed'::text, 'sheet'::text]))),
  constraint links_language_check CHECK ((language = ANY (ARRAY['en'::text, 'sv'::text]))),
  constraint links_report_check CHECK (((kind = 'sheet'::text) = (report IS NOT NULL)))
);
CREATE INDEX links_by_creator ON directory.links USING btree (company_id, created_by);
CREATE INDEX links_by_end ON directory.links USING btree (expires_at);

create table master_keys (
  fingerprint bytea not null,
  recorded_at timestamp with time zone not null,
  constraint master_keys_pkey PRIMARY KEY (fingerprint),
  constraint master_keys_fingerprint_check CHECK ((length(fingerprint) = 8))
);

create table members (
  member_id uuid not null,
  personal_number_mac bytea not null,
  name text,
  created_at timestamp with time zone not null,
  last_sign_in_at timestamp with time zone,
  constraint members_pkey PRIMARY KEY (member_id),
  constraint members_personal_number_mac_key UNIQUE (personal_number_mac)
);

create table memberships (
  company_id uuid not null,
  member_id uuid not null,
  role text not null,
  label text,
  added_by uuid,
  added_at timestamp with time zone not null,
  opened boolean default false not null,
  notices_dismissed_through uuid,
  constraint memberships_pkey PRIMARY KEY (company_id, member_id),
  constraint memberships_added_by_fkey FOREIGN KEY (added_by) REFERENCES members(member_id),
  constraint memberships_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint memberships_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id),
  constraint memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'reader'::text])))
);
CREATE INDEX memberships_by_member ON directory.memberships USING btree (member_id);

create table migrations (
  number integer not null,
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null,
  contract text,
  constraint migrations_pkey PRIMARY KEY (number)
);

create table retired_master_keys (
  fingerprint bytea not null,
  retired_at timestamp with time zone not null,
  constraint retired_master_keys_pkey PRIMARY KEY (fingerprint),
  constraint retired_master_keys_fingerprint_check CHECK ((length(fingerprint) = 8))
);

create table shards (
  shard integer not null,
  companies integer default 0 not null,
  stored_bytes bigint default 0 not null,
  added_at timestamp with time zone not null,
  constraint shards_pkey PRIMARY KEY (shard),
  constraint shards_shard_check CHECK ((shard >= 1))
);

create table signatures (
  signature_id uuid not null,
  member_id uuid not null,
  company_id uuid,
  subject text not null,
  visible_text text not null,
  record text not null,
  record_sha256 bytea not null,
  provider text not null,
  evidence_sealed bytea not null,
  sealed_under bytea generated always as (SUBSTRING(evidence_sealed FROM 2 FOR 8)) stored not null,
  signed_at timestamp with time zone not null,
  constraint signatures_pkey PRIMARY KEY (signature_id),
  constraint signatures_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id),
  constraint signatures_sealed_under_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(fingerprint)
);
CREATE INDEX signatures_by_company ON directory.signatures USING btree (company_id, signature_id);
CREATE INDEX signatures_by_master_key ON directory.signatures USING btree (sealed_under);
CREATE INDEX signatures_by_member ON directory.signatures USING btree (member_id, signature_id);

create table source_names (
  source_id uuid not null,
  company_id uuid not null,
  name text not null,
  constraint source_names_pkey PRIMARY KEY (source_id),
  constraint source_names_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id)
);
CREATE INDEX source_names_by_company ON directory.source_names USING btree (company_id);

-- Schema access.

create table app_calls (
  connection_id uuid not null,
  call_id uuid not null,
  company_id uuid,
  method text not null,
  path text not null,
  status integer not null,
  code text,
  called_at timestamp with time zone not null,
  constraint app_calls_pkey PRIMARY KEY (connection_id, call_id)
);

create table app_tokens (
  token_hash bytea not null,
  kind text not null,
  token_family_id uuid not null,
  connection_id uuid not null,
  client_id text not null,
  permissions text[] not null,
  resources text[] not null,
  issued_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint app_tokens_pkey PRIMARY KEY (token_hash),
  constraint app_tokens_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES app_connections(connection_id),
  constraint app_tokens_kind_check CHECK ((kind = ANY (ARRAY['access'::text, 'refresh'::text])))
);
CREATE INDEX app_tokens_by_expiry ON access.app_tokens USING btree (expires_at);
CREATE INDEX app_tokens_by_family ON access.app_tokens USING btree (token_family_id);

create table apps (
  client_id text not null,
  client_name text not null,
  redirect_uris text[] not null,
  grant_types text[] not null,
  response_types text[] not null,
  registered_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  constraint apps_pkey PRIMARY KEY (client_id)
);
CREATE INDEX apps_by_last_use ON access.apps USING btree (last_used_at);

create table attention_marks (
  company_id uuid not null,
  item text not null,
  version text not null,
  member_id uuid not null,
  marked_at timestamp with time zone not null,
  constraint attention_marks_pkey PRIMARY KEY (company_id, item)
);
CREATE INDEX attention_marks_by_age ON access.attention_marks USING btree (marked_at);

create table audit_events (
  company_id uuid not null,
  event_id uuid not null,
  member_id uuid,
  action text not null,
  subject_kind text not null,
  subject_id uuid not null,
  subject_name text,
  details jsonb not null,
  occurred_at timestamp with time zone not null,
  first_occurred_at timestamp with time zone,
  occurrences integer default 1 not null,
  constraint audit_events_pkey PRIMARY KEY (company_id, event_id),
  constraint audit_events_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint audit_events_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id),
  constraint audit_events_occurrences_check CHECK ((occurrences >= 1)),
  constraint audit_events_subject_kind_check CHECK ((subject_kind = ANY (ARRAY['company'::text, 'source'::text, 'connection'::text, 'member'::text, 'invitation'::text])))
);
CREATE INDEX audit_events_by_age ON access.audit_events USING btree (event_id);
CREATE INDEX audit_events_by_subject ON access.audit_events USING btree (company_id, subject_id, action, event_id);
CREATE INDEX audit_events_for_notices ON access.audit_events USING btree (company_id, event_id) WHERE ((action = ANY (ARRAY['connection_rotated'::text, 'source_secret_rotated'::text, 'signed_out_everywhere'::text])) OR ((action = ANY (ARRAY['member_invited'::text, 'member_joined'::text, 'member_role_changed'::text, 'invitation_created'::text])) AND ((details ->> 'role'::text) = 'owner'::text)));

create table authorization_codes (
  code_hash bytea not null,
  token_family_id uuid not null,
  connection_id uuid not null,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  permissions text[] not null,
  resources text[] not null,
  issued_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint authorization_codes_pkey PRIMARY KEY (code_hash),
  constraint authorization_codes_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES app_connections(connection_id)
);
CREATE INDEX authorization_codes_by_expiry ON access.authorization_codes USING btree (expires_at);

create table bankid_orders (
  reference text not null,
  state text not null,
  hint text not null,
  content_sealed bytea,
  sealed_under bytea generated always as (SUBSTRING(content_sealed FROM 2 FOR 8)) stored,
  signature_sha256 bytea,
  started_at timestamp with time zone not null,
  next_collect_at timestamp with time zone not null,
  collect_count integer not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint bankid_orders_pkey PRIMARY KEY (reference),
  constraint bankid_orders_signature_sha256_key UNIQUE (signature_sha256),
  constraint bankid_orders_sealed_under_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(fingerprint),
  constraint bankid_orders_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'complete'::text, 'failed'::text])))
);
CREATE INDEX bankid_orders_by_expiry ON access.bankid_orders USING btree (expires_at);
CREATE INDEX bankid_orders_by_master_key ON access.bankid_orders USING btree (sealed_under) WHERE (sealed_under IS NOT NULL);

create table connection_uses (
  company_id uuid not null,
  connection_id uuid not null,
  last_used_at timestamp with time zone not null,
  constraint connection_uses_pkey PRIMARY KEY (company_id, connection_id),
  constraint connection_uses_company_id_connection_id_fkey FOREIGN KEY (company_id, connection_id) REFERENCES connections(company_id, connection_id)
) with (fillfactor=50);

create table demo_identity_orders (
  reference text not null,
  state text not null,
  visible_text text,
  record_sha256 bytea,
  person_sealed bytea,
  sealed_under bytea generated always as (SUBSTRING(person_sealed FROM 2 FOR 8)) stored,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint demo_identity_orders_pkey PRIMARY KEY (reference),
  constraint demo_identity_orders_sealed_under_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(fingerprint),
  constraint demo_identity_orders_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'approved'::text, 'refused'::text])))
);
CREATE INDEX demo_identity_orders_by_expiry ON access.demo_identity_orders USING btree (expires_at);
CREATE INDEX demo_identity_orders_by_master_key ON access.demo_identity_orders USING btree (sealed_under) WHERE (sealed_under IS NOT NULL);

create table deployment_events (
  event_id uuid not null,
  occurred_at timestamp with time zone not null,
  action text not null,
  details jsonb not null,
  constraint deployment_events_pkey PRIMARY KEY (event_id)
);

create table identity_orders (
  order_id uuid not null,
  provider text not null,
  provider_reference text not null,
  purpose text not null,
  state text not null,
  member_id uuid,
  company_id uuid,
  subject text,
  visible_text text,
  record text,
  browser_hash bytea,
  return_to text not null,
  return_hash bytea,
  returned_at timestamp with time zone,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint identity_orders_pkey PRIMARY KEY (order_id),
  constraint identity_orders_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id),
  constraint identity_orders_purpose_check CHECK ((purpose = ANY (ARRAY['sign_in'::text, 'sign'::text]))),
  constraint identity_orders_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'complete'::text, 'failed'::text])))
);
CREATE INDEX identity_orders_by_expiry ON access.identity_orders USING btree (expires_at);
CREATE INDEX identity_orders_by_reference ON access.identity_orders USING btree (provider_reference);
CREATE UNIQUE INDEX identity_orders_by_return_hash ON access.identity_orders USING btree (return_hash) WHERE (return_hash IS NOT NULL);

create table link_uses (
  company_id uuid not null,
  link_id uuid not null,
  used_on date not null,
  expires_at timestamp with time zone not null,
  constraint link_uses_pkey PRIMARY KEY (company_id, link_id)
);
CREATE INDEX link_uses_by_end ON access.link_uses USING btree (expires_at);

create table migrations (
  number integer not null,
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null,
  contract text,
  constraint migrations_pkey PRIMARY KEY (number)
);

create table openid_connect_orders (
  reference text not null,
  state text not null,
  sealed bytea,
  sealed_under bytea generated always as (SUBSTRING(sealed FROM 2 FOR 8)) stored,
  reason text,
  created_at timestamp with time zone not null,
  answered_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint openid_connect_orders_pkey PRIMARY KEY (reference),
  constraint openid_connect_orders_sealed_under_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(fingerprint),
  constraint openid_connect_orders_check CHECK (((state = 'failed'::text) = (reason IS NOT NULL))),
  constraint openid_connect_orders_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'answered'::text, 'complete'::text, 'failed'::text])))
);
CREATE INDEX openid_connect_orders_by_expiry ON access.openid_connect_orders USING btree (expires_at);
CREATE INDEX openid_connect_orders_by_master_key ON access.openid_connect_orders USING btree (sealed_under) WHERE (sealed_under IS NOT NULL);

create table processes (
  process_id uuid not null,
  release text not null,
  directory_migration integer not null,
  access_migration integer not null,
  shard_migration integer not null,
  seen_at timestamp with time zone not null,
  constraint processes_pkey PRIMARY KEY (process_id)
);
CREATE INDEX processes_by_age ON access.processes USING btree (seen_at);

create unlogged table rate_buckets (
  subject text not null,
  full_at_us bigint not null,
  granted integer not null,
  burst integer not null,
  interval_us bigint not null,
  constraint rate_buckets_pkey PRIMARY KEY (subject)
) with (fillfactor=50);

create table registration_hour (
  only_row boolean default true not null,
  tried_at timestamp with time zone[] not null,
  constraint registration_hour_pkey PRIMARY KEY (only_row),
  constraint registration_hour_only_row_check CHECK (only_row)
);

create table report_looks (
  company_id uuid not null,
  member_id uuid not null,
  source_id uuid not null,
  metric text not null,
  looked_at timestamp with time zone not null,
  visited_at timestamp with time zone,
  constraint report_looks_pkey PRIMARY KEY (company_id, member_id, source_id, metric)
);

create table saved_views (
  company_id uuid not null,
  view_id uuid not null,
  member_id uuid,
  name text not null,
  source_id uuid,
  metric text,
  search text not null,
  pinned boolean not null,
  place integer not null,
  revision integer not null,
  changed_by uuid not null,
  changed_at timestamp with time zone not null,
  constraint saved_views_pkey PRIMARY KEY (company_id, view_id),
  constraint saved_views_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES members(member_id),
  constraint saved_views_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint saved_views_membership_fkey FOREIGN KEY (company_id, member_id) REFERENCES memberships(company_id, member_id) ON DELETE CASCADE,
  constraint saved_views_report_check CHECK (((source_id IS NULL) = (metric IS NULL)))
);
CREATE INDEX saved_views_by_member ON access.saved_views USING btree (company_id, member_id);

create table sessions (
  session_hash bytea not null,
  session_id uuid not null,
  member_id uuid not null,
  provider text not null,
  personal_number_sealed bytea not null,
  sealed_under bytea generated always as (SUBSTRING(personal_number_sealed FROM 2 FOR 8)) stored not null,
  logout_sid_mac bytea,
  logout_sub_mac bytea,
  browser text,
  system text,
  network text,
  created_at timestamp with time zone not null,
  authenticated_at timestamp with time zone,
  last_active_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint sessions_pkey PRIMARY KEY (session_hash),
  constraint sessions_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id),
  constraint sessions_sealed_under_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(fingerprint)
);
CREATE INDEX sessions_by_expiry ON access.sessions USING btree (expires_at);
CREATE INDEX sessions_by_logout_sid ON access.sessions USING btree (logout_sid_mac) WHERE (logout_sid_mac IS NOT NULL);
CREATE INDEX sessions_by_logout_sub ON access.sessions USING btree (logout_sub_mac) WHERE (logout_sub_mac IS NOT NULL);
CREATE INDEX sessions_by_master_key ON access.sessions USING btree (sealed_under);
CREATE INDEX sessions_by_member ON access.sessions USING btree (member_id, last_active_at);

create table tokens (
  token_hash bytea not null,
  connection_id uuid not null,
  issued_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint tokens_pkey PRIMARY KEY (token_hash),
  constraint tokens_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(connection_id)
);
CREATE INDEX tokens_by_connection ON access.tokens USING btree (connection_id);
CREATE INDEX tokens_by_expiry ON access.tokens USING btree (expires_at);

create table used_logout_tokens (
  token_hash bytea not null,
  logout_sid_mac bytea,
  logout_sub_mac bytea,
  issued_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint used_logout_tokens_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX used_logout_tokens_by_expiry ON access.used_logout_tokens USING btree (expires_at);
CREATE INDEX used_logout_tokens_by_sid ON access.used_logout_tokens USING btree (logout_sid_mac) WHERE (logout_sid_mac IS NOT NULL);
CREATE INDEX used_logout_tokens_by_sub ON access.used_logout_tokens USING btree (logout_sub_mac, issued_at) WHERE (logout_sub_mac IS NOT NULL);

-- Schema shard_1.

create sequence receive_numbers as bigint;

create table backlog (
  receive_number bigint not null,
  projection_id integer not null,
  company_id uuid not null,
  source_id uuid not null,
  artifact_id uuid not null,
  content_bytes integer not null,
  queued_at timestamp with time zone not null,
  attempts smallint default 0 not null,
  not_before timestamp with time zone,
  queue smallint not null,
  constraint backlog_pkey PRIMARY KEY (queue, company_id, receive_number, projection_id)
);
CREATE INDEX backlog_by_projection ON shard_1.backlog USING btree (company_id, source_id, projection_id) WHERE (projection_id <> 0);
CREATE INDEX backlog_retries ON shard_1.backlog USING btree (company_id, not_before, receive_number) WHERE (not_before IS NOT NULL);

create table company_usage (
  company_id uuid not null,
  deliveries bigint default 0 not null,
  stored_bytes bigint default 0 not null,
  cells bigint default 0 not null,
  waiting_deliveries bigint default 0 not null,
  waiting_bytes bigint default 0 not null,
  recounted_at timestamp with time zone,
  constraint company_usage_pkey PRIMARY KEY (company_id),
  constraint company_usage_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id)
) with (fillfactor=50);
CREATE INDEX company_usage_by_recount ON shard_1.company_usage USING btree (recounted_at NULLS FIRST);

create table contributions (
  company_id uuid not null,
  cell_id uuid not null,
  receive_number bigint not null,
  artifact_id uuid not null,
  received_at timestamp with time zone not null,
  value numeric not null,
  event_at numeric,
  rows integer not null,
  constraint contributions_pkey PRIMARY KEY (company_id, cell_id, receive_number)
);

create table deliveries (
  company_id uuid not null,
  artifact_id uuid not null,
  source_id uuid not null,
  sandbox boolean not null,
  idempotency_key text collate "C" not null,
  receive_number bigint default nextval('receive_numbers'::regclass) not null,
  received_at timestamp with time zone not null,
  connection_id uuid,
  shape_version integer not null,
  delivers text not null,
  dropped_keys text[] not null,
  format text not null,
  received_sha256 bytea not null,
  canonical_sha256 bytea,
  content bytea not null,
  content_encoding text not null,
  content_bytes integer not null,
  constraint deliveries_pkey PRIMARY KEY (company_id, artifact_id),
  constraint deliveries_content_encoding_check CHECK ((content_encoding = ANY (ARRAY['identity'::text, 'zstd'::text])))
);
alter table deliveries alter column content set storage external;
CREATE UNIQUE INDEX deliveries_by_body ON shard_1.deliveries USING btree (company_id, source_id, received_sha256) WHERE (connection_id IS NULL);
CREATE UNIQUE INDEX deliveries_by_key ON shard_1.deliveries USING btree (company_id, source_id, sandbox, idempotency_key);
CREATE INDEX deliveries_by_receipt ON shard_1.deliveries USING btree (company_id, source_id, sandbox, receive_number);

create table distinct_values (
  company_id uuid not null,
  cell_id uuid not null,
  value_hash bytea not null,
  first_receive_number bigint not null,
  first_received_at timestamp with time zone not null,
  constraint distinct_values_pkey PRIMARY KEY (company_id, cell_id, value_hash)
);

create table label_names (
  company_id uuid not null,
  label text not null,
  names jsonb not null,
  revision integer not null,
  saved_by uuid,
  saved_at timestamp with time zone not null,
  constraint label_names_pkey PRIMARY KEY (company_id, label),
  constraint label_names_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint label_names_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES members(member_id),
  constraint label_names_revision_check CHECK ((revision >= 1))
);

create table migrations (
  number integer not null,
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null,
  contract text,
  constraint migrations_pkey PRIMARY KEY (number)
);

create table notes (
  company_id uuid not null,
  note_id uuid not null,
  source_id uuid not null,
  metric text not null,
  grain text not null,
  period_start date not null,
  labels jsonb not null,
  text text not null,
  revision integer default 1 not null,
  author uuid,
  created_at timestamp with time zone not null,
  edited_at timestamp with time zone,
  edited_by uuid,
  constraint notes_pkey PRIMARY KEY (company_id, note_id),
  constraint notes_author_fkey FOREIGN KEY (author) REFERENCES members(member_id),
  constraint notes_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint notes_company_id_source_id_fkey FOREIGN KEY (company_id, source_id) REFERENCES sources(company_id, source_id),
  constraint notes_edited_by_fkey FOREIGN KEY (edited_by) REFERENCES members(member_id),
  constraint notes_grain_check CHECK ((grain = ANY (ARRAY['day'::text, 'week'::text, 'month'::text]))),
  constraint notes_revision_check CHECK ((revision >= 1))
);
CREATE INDEX notes_by_period ON shard_1.notes USING btree (company_id, source_id, metric, period_start);

create table parse_results (
  company_id uuid not null,
  source_id uuid not null,
  projection_id integer not null,
  receive_number bigint not null,
  artifact_id uuid not null,
  state text not null,
  reason text,
  rows_accepted integer not null,
  rows_refused integer not null,
  rows_date_alone integer not null,
  refusals jsonb not null,
  remarks jsonb,
  parsed_at timestamp with time zone not null,
  constraint parse_results_pkey PRIMARY KEY (company_id, source_id, projection_id, receive_number),
  constraint parse_results_state_check CHECK ((state = ANY (ARRAY['parsed'::text, 'unreadable'::text])))
);
CREATE INDEX parse_results_unreadable ON shard_1.parse_results USING btree (company_id, source_id, projection_id, receive_number) WHERE (state = 'unreadable'::text);
CREATE INDEX parse_results_with_refusals ON shard_1.parse_results USING btree (company_id, source_id, projection_id, receive_number) WHERE (rows_refused > 0);

create table period_deliveries (
  company_id uuid not null,
  source_id uuid not null,
  projection_id integer not null,
  sandbox boolean not null,
  metric text collate "C" not null,
  period_start date not null,
  receive_number bigint not null,
  artifact_id uuid not null,
  received_at timestamp with time zone not null,
  constraint period_deliveries_pkey PRIMARY KEY (company_id, source_id, projection_id, sandbox, metric, period_start, receive_number)
);

create table period_owners (
  company_id uuid not null,
  source_id uuid not null,
  projection_id integer not null,
  sandbox boolean not null,
  metric text collate "C" not null,
  period_start date not null,
  receive_number bigint not null,
  artifact_id uuid not null,
  deliveries integer not null,
  constraint period_owners_pkey PRIMARY KEY (company_id, source_id, projection_id, sandbox, metric, period_start)
);

create table projections (
  company_id uuid not null,
  source_id uuid not null,
  projection_id integer not null,
  shape_version integer not null,
  state text not null,
  samples_version bigint not null,
  deliveries bigint default 0 not null,
  enumerated_to bigint default 0 not null,
  enumerated boolean not null,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  constraint projections_pkey PRIMARY KEY (company_id, source_id, projection_id),
  constraint projections_company_id_source_id_shape_version_fkey FOREIGN KEY (company_id, source_id, shape_version) REFERENCES shapes(company_id, source_id, shape_version),
  constraint projections_deliveries_check CHECK ((deliveries >= 0)),
  constraint projections_state_check CHECK ((state = ANY (ARRAY['building'::text, 'current'::text, 'trial'::text, 'retired'::text])))
);
CREATE INDEX projections_retired ON shard_1.projections USING btree (company_id, created_at, source_id) WHERE (state = 'retired'::text);
CREATE INDEX projections_unfinished ON shard_1.projections USING btree (company_id, created_at, source_id) WHERE (state = ANY (ARRAY['building'::text, 'trial'::text]));

create table receive_numbering (
  only_row boolean default true not null,
  node_range integer not null,
  number_offset bigint not null,
  settled_to bigint default 0 not null,
  constraint receive_numbering_pkey PRIMARY KEY (only_row),
  constraint receive_numbering_only_row_check CHECK (only_row)
);

create table refused_calls (
  company_id uuid not null,
  call_id uuid not null,
  caller_id uuid not null,
  signed boolean not null,
  source_id uuid,
  connection_id uuid,
  channel text not null,
  method text not null,
  path text not null,
  status integer not null,
  code text not null,
  field text,
  calls integer not null,
  called_at timestamp with time zone not null,
  constraint refused_calls_pkey PRIMARY KEY (company_id, call_id),
  constraint refused_calls_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint refused_calls_channel_check CHECK ((channel = ANY (ARRAY['push'::text, 'webhook'::text, 'read'::text])))
);
CREATE INDEX refused_calls_by_age ON shard_1.refused_calls USING btree (called_at);
CREATE INDEX refused_calls_by_caller ON shard_1.refused_calls USING btree (company_id, caller_id, signed, call_id);

create table samples (
  company_id uuid not null,
  cell_id uuid not null,
  source_id uuid not null,
  projection_id integer not null,
  sandbox boolean not null,
  period_start date not null,
  metric text collate "C" not null,
  labels text collate "C" not null,
  value numeric,
  event_at numeric,
  value_receive_number bigint,
  artifact_id uuid not null,
  receive_number bigint not null,
  label_order text collate "C" generated always as (
CASE
    WHEN (strpos(labels, '\'::text) = 0) THEN replace(labels, '"'::text, chr(1))
    ELSE replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(labels, '\\'::text, chr(2)), '\"'::text, chr(3)), '"'::text, chr(1)), chr(3), '"'::text), '\b'::text, (chr(1) || '~08'::text)), '\t'::text, (chr(1) || '~09'::text)), '\n'::text, (chr(1) || '~0a'::text)), '\f'::text, (chr(1) || '~0c'::text)), '\r'::text, (chr(1) || '~0d'::text)), '\u00'::text, (chr(1) || '~'::text)), chr(2), '\'::text)
END) stored not null,
  constraint samples_pkey PRIMARY KEY (company_id, cell_id)
) with (fillfactor=80);
CREATE INDEX samples_by_period ON shard_1.samples USING btree (company_id, source_id, projection_id, sandbox, period_start DESC, metric);

create table shapes (
  company_id uuid not null,
  source_id uuid not null,
  shape_version integer not null,
  delivers text not null,
  fields jsonb not null,
  event_time text not null,
  metrics jsonb not null,
  saved_by uuid,
  saved_at timestamp with time zone not null,
  constraint shapes_pkey PRIMARY KEY (company_id, source_id, shape_version),
  constraint shapes_company_id_source_id_fkey FOREIGN KEY (company_id, source_id) REFERENCES sources(company_id, source_id),
  constraint shapes_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES members(member_id),
  constraint shapes_delivers_check CHECK ((delivers = ANY (ARRAY['events'::text, 'statements'::text])))
);

create table sources (
  company_id uuid not null,
  source_id uuid not null,
  name text not null,
  system_kind text not null,
  channel text not null,
  format text,
  revision integer default 1 not null,
  shape_version integer not null,
  projection_id integer not null,
  last_projection_id integer default 1 not null,
  distinct_salt bytea not null,
  created_at timestamp with time zone not null,
  paused_at timestamp with time zone,
  paused_by uuid,
  pause_reason text,
  constraint sources_pkey PRIMARY KEY (company_id, source_id),
  constraint sources_source_id_key UNIQUE (source_id),
  constraint sources_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint sources_paused_by_fkey FOREIGN KEY (paused_by) REFERENCES members(member_id),
  constraint sources_channel_check CHECK ((channel = ANY (ARRAY['push'::text, 'webhook'::text]))),
  constraint sources_check CHECK (((paused_at IS NOT NULL) OR ((paused_by IS NULL) AND (pause_reason IS NULL)))),
  constraint sources_projection_id_check CHECK ((projection_id >= 1)),
  constraint sources_revision_check CHECK ((revision >= 1)),
  constraint sources_shape_version_check CHECK ((shape_version >= 1))
);

create table targets (
  company_id uuid not null,
  source_id uuid not null,
  metric text not null,
  months jsonb not null,
  revision integer not null,
  saved_by uuid,
  saved_at timestamp with time zone not null,
  constraint targets_pkey PRIMARY KEY (company_id, source_id, metric),
  constraint targets_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint targets_company_id_source_id_fkey FOREIGN KEY (company_id, source_id) REFERENCES sources(company_id, source_id),
  constraint targets_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES members(member_id),
  constraint targets_revision_check CHECK ((revision >= 1))
);

create table usage_counts (
  only_row boolean default true not null,
  counted_at timestamp with time zone not null,
  constraint usage_counts_pkey PRIMARY KEY (only_row),
  constraint usage_counts_only_row_check CHECK (only_row)
);

create table webhook_ids (
  company_id uuid not null,
  source_id uuid not null,
  delivery_id text collate "C" not null,
  received_sha256 bytea not null,
  receive_number bigint not null,
  constraint webhook_ids_pkey PRIMARY KEY (company_id, source_id, delivery_id)
);
CREATE INDEX webhook_ids_by_number ON shard_1.webhook_ids USING brin (receive_number);

create table webhook_secrets (
  company_id uuid not null,
  source_id uuid not null,
  secret_id uuid not null,
  sealed bytea not null,
  sealed_under bytea generated always as (SUBSTRING(sealed FROM 2 FOR 8)) stored not null,
  created_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  constraint webhook_secrets_pkey PRIMARY KEY (company_id, source_id, secret_id),
  constraint webhook_secrets_company_id_source_id_fkey FOREIGN KEY (company_id, source_id) REFERENCES sources(company_id, source_id),
  constraint webhook_secrets_sealed_under_fkey FOREIGN KEY (sealed_under) REFERENCES master_keys(fingerprint)
);
CREATE INDEX webhook_secrets_by_end ON shard_1.webhook_secrets USING btree (ends_at) WHERE (ends_at IS NOT NULL);
CREATE INDEX webhook_secrets_by_master_key ON shard_1.webhook_secrets USING btree (sealed_under);
CREATE UNIQUE INDEX webhook_secrets_current ON shard_1.webhook_secrets USING btree (company_id, source_id) WHERE (ends_at IS NULL);
