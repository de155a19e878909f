-- Where an order at the electronic identity leads back to: the path of a page, checked before it is stored.
alter table identity_orders add column return_to text not null;
-- SHA-256 of the nonce that BankID's app brings to the return page, and when the browser that began brought it there.
alter table identity_orders add column return_hash bytea;
alter table identity_orders add column returned_at timestamptz;
create unique index identity_orders_by_return_hash on identity_orders (return_hash) where return_hash is not null;
-- The order itself says it now.
alter table openid_connect_orders drop column return_url;
