-- Webhook deliveries, which have no connection: a body is one delivery of its source, whatever its ids [hook.hash].

create unique index deliveries_by_body on deliveries (company_id, source_id, received_sha256)
  where connection_id is null;

-- The body that each delivery id was first sent with. An id whose body was stored under another one is its alias.
create table webhook_ids (
  company_id uuid not null,
  source_id uuid not null,
  delivery_id text collate "C" not null,
  received_sha256 bytea not null,
  primary key (company_id, source_id, delivery_id)
);
