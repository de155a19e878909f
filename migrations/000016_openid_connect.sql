-- Signing people in through an OpenID Connect provider, and sessions that it can end.

create table openid_connect_orders (
  -- The `state` of the authorization request.
  reference text primary key,
  -- Answered: its one answer has come, and is being checked.
  state text not null check (state in ('pending', 'answered', 'complete', 'failed')),
  -- Where the person's browser goes on after the answer: an address of this service.
  return_url text not null,
  -- While it is pending, what the answer is checked against; once it is complete, who the person is. AES-256-GCM under a
  -- master key.
  sealed bytea,
  -- Why it has failed.
  reason text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  sealed_under bytea generated always as (substring(sealed from 2 for 8)) stored references master_keys,
  check ((state = 'failed') = (reason is not null))
);
create index openid_connect_orders_by_expiry on openid_connect_orders (expires_at);
create index openid_connect_orders_by_master_key on openid_connect_orders (sealed_under) where sealed_under is not null;

-- An answer is held to the browser that began, which the order knows.
create index identity_orders_by_reference on identity_orders (provider_reference);

-- Logout tokens that were used, so that none is used twice: SHA-256 of issuer and `jti`.
create table used_logout_tokens (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_logout_tokens_by_expiry on used_logout_tokens (expires_at);

-- The personal number of the person who is signed in: a signature that they begin is requested of them alone. AES-256-GCM under
-- a master key.
alter table sessions add column personal_number_sealed bytea not null;
alter table sessions add column sealed_under bytea not null
  generated always as (substring(personal_number_sealed from 2 for 8)) stored references master_keys;
create index sessions_by_master_key on sessions (sealed_under);

-- The OpenID Connect provider's names for the sign-in and for the person: HMAC-SHA256, since the second may be a personal
-- number.
alter table sessions add column logout_sid_mac bytea;
alter table sessions add column logout_sub_mac bytea;
create index sessions_by_logout_sid on sessions (logout_sid_mac) where logout_sid_mac is not null;
create index sessions_by_logout_sub on sessions (logout_sub_mac) where logout_sub_mac is not null;
