-- What a provider needs to go on with an order is the provider's own: each has a table of its orders.
drop index identity_orders_by_master_key;
alter table identity_orders drop column sealed_under;
alter table identity_orders drop column provider_state_sealed;
