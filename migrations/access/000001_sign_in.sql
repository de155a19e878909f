-- Orders at the electronic identity, and sessions.

-- A sign-in or a signature in progress.
create table identity_orders (
  order_id uuid primary key,
  provider text not null,
  -- The primary key of the order in the provider's own table below.
  provider_reference text not null,
  purpose text not null check (purpose in ('sign_in', 'sign')),
  state text not null check (state in ('pending', 'complete', 'failed')),
  -- For 'sign': who must sign, the text they see, and the canonical record that they sign.
  member_id uuid references members,
  company_id uuid,
  subject text,
  visible_text text,
  record text,
  -- Binds the order to the browser that began it.
  browser_hash bytea,
  -- The path of the page to return to, validated before it is stored.
  return_to text not null,
  -- SHA-256 of the nonce that BankID's app brings to the return page, and when the browser that began brought it there.
  return_hash bytea,
  returned_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index identity_orders_by_expiry on identity_orders (expires_at);
-- A redirect from an OpenID Connect provider is matched to the browser that began its order.
create index identity_orders_by_reference on identity_orders (provider_reference);
create unique index identity_orders_by_return_hash on identity_orders (return_hash) where return_hash is not null;

-- Orders at the demo provider, which believes every claim.
create table demo_identity_orders (
  reference text primary key,
  state text not null check (state in ('pending', 'approved', 'refused')),
  -- Null for a sign-in.
  visible_text text,
  record_sha256 bytea,
  -- Who approved it.
  person_sealed bytea,
  sealed_under bytea generated always as (substring(person_sealed from 2 for 8)) stored references master_keys,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index demo_identity_orders_by_expiry on demo_identity_orders (expires_at);
create index demo_identity_orders_by_master_key on demo_identity_orders (sealed_under) where sealed_under is not null;

-- Orders at BankID. All instants are by the database's clock, so that processes agree on when to call BankID next and on the
-- second of the QR code.
create table bankid_orders (
  reference text primary key,
  state text not null check (state in ('pending', 'complete', 'failed')),
  -- BankID's hint while the order is pending, then its outcome.
  hint text not null,
  -- The order's secrets, then its result. Null once it has failed.
  content_sealed bytea,
  sealed_under bytea generated always as (substring(content_sealed from 2 for 8)) stored references master_keys,
  -- Of the signature that completed it: one signature completes one order.
  signature_sha256 bytea unique,
  -- When BankID answered with its current order; earlier ones may have expired.
  started_at timestamptz not null,
  -- BankID may be called from then on, by one process at a time: each increments the count, which then fences its writes.
  next_collect_at timestamptz not null,
  collect_count integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index bankid_orders_by_expiry on bankid_orders (expires_at);
create index bankid_orders_by_master_key on bankid_orders (sealed_under) where sealed_under is not null;

create table openid_connect_orders (
  -- The `state` of the authorization request.
  reference text primary key,
  -- Answered: the authorization response has arrived and is being validated.
  state text not null check (state in ('pending', 'answered', 'complete', 'failed')),
  -- While pending, what the response is validated against; once complete, who the person is.
  sealed bytea,
  sealed_under bytea generated always as (substring(sealed from 2 for 8)) stored references master_keys,
  -- Why it failed.
  reason text,
  created_at timestamptz not null,
  -- When the response arrived: if the process that validates it crashes, the order fails some time after.
  answered_at timestamptz,
  expires_at timestamptz not null,
  check ((state = 'failed') = (reason is not null))
);
create index openid_connect_orders_by_expiry on openid_connect_orders (expires_at);
create index openid_connect_orders_by_master_key on openid_connect_orders (sealed_under) where sealed_under is not null;

create table sessions (
  -- SHA-256 of the cookie's token.
  session_hash bytea primary key,
  -- For the list of a person's sessions; it authenticates nothing.
  session_id uuid not null,
  member_id uuid not null references members,
  -- `demo`, `bankid` or `oidc`: the session is invalid once the deployment uses another electronic identity.
  provider text not null,
  -- Signatures begun in the session are requested of this person alone.
  personal_number_sealed bytea not null,
  sealed_under bytea not null
    generated always as (substring(personal_number_sealed from 2 for 8)) stored references master_keys,
  -- The OpenID Connect provider's `sid` and `sub`: HMAC-SHA256, since `sub` may be a personal number.
  logout_sid_mac bytea,
  logout_sub_mac bytea,
  -- Where the session began; the network as /24 or /56.
  browser text,
  system text,
  network text,
  created_at timestamptz not null,
  -- When the person identified themselves, for acts that need a recent sign-in. Null if the provider did not say.
  authenticated_at timestamptz,
  -- The session also ends some time after this.
  last_active_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_by_expiry on sessions (expires_at);
create index sessions_by_member on sessions (member_id, last_active_at);
create index sessions_by_logout_sid on sessions (logout_sid_mac) where logout_sid_mac is not null;
create index sessions_by_logout_sub on sessions (logout_sub_mac) where logout_sub_mac is not null;
create index sessions_by_master_key on sessions (sealed_under);

-- Logout tokens of an OpenID Connect provider, so that none is used twice. One may also arrive while a sign-in that it ends is
-- being completed: such a sign-in then gets no session.
create table used_logout_tokens (
  -- SHA-256 of issuer and `jti`.
  token_hash bytea primary key,
  -- As in sessions.
  logout_sid_mac bytea,
  logout_sub_mac bytea,
  -- The token's `iat`.
  issued_at timestamptz not null,
  expires_at timestamptz not null
);
create index used_logout_tokens_by_expiry on used_logout_tokens (expires_at);
create index used_logout_tokens_by_sid on used_logout_tokens (logout_sid_mac) where logout_sid_mac is not null;
create index used_logout_tokens_by_sub on used_logout_tokens (logout_sub_mac, issued_at) where logout_sub_mac is not null;
