-- A logout token may come while a sign-in that it ends is being finished: before there is a session to end. What it ended is
-- kept, so that none is made any more: HMAC-SHA256 of the provider's names, as in sessions, and when the provider made the
-- token (its `iat`). Null in tokens that were used before.
alter table used_logout_tokens add column logout_sid_mac bytea;
alter table used_logout_tokens add column logout_sub_mac bytea;
alter table used_logout_tokens add column issued_at timestamptz;
create index used_logout_tokens_by_sid on used_logout_tokens (logout_sid_mac) where logout_sid_mac is not null;
create index used_logout_tokens_by_sub on used_logout_tokens (logout_sub_mac, issued_at) where logout_sub_mac is not null;

-- When the answer came that is being checked, so that one whose process has ended is not waited for. Null until then, and in
-- orders that were answered before.
alter table openid_connect_orders add column answered_at timestamptz;
