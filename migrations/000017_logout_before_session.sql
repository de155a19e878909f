-- A logout token may arrive while a sign-in that it ends is being finished, before there is a session to end. What it ended is
-- stored, so that such a sign-in gets no session: HMAC-SHA256 of the provider's names, as in sessions, and when the provider
-- issued the token (its `iat`).
alter table used_logout_tokens add column logout_sid_mac bytea;
alter table used_logout_tokens add column logout_sub_mac bytea;
alter table used_logout_tokens add column issued_at timestamptz not null;
create index used_logout_tokens_by_sid on used_logout_tokens (logout_sid_mac) where logout_sid_mac is not null;
create index used_logout_tokens_by_sub on used_logout_tokens (logout_sub_mac, issued_at) where logout_sub_mac is not null;

-- When the answer arrived that is being checked: if the process that checks it ends, the order fails after a while.
alter table openid_connect_orders add column answered_at timestamptz;
