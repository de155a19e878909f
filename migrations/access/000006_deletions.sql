-- For deleting the connections of a company, and for checking that no token refers to them.
create index concurrently tokens_by_connection on tokens (connection_id);
