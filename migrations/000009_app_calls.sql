-- A record is of a connection that the call itself has just looked up, and connections are never deleted: checking each
-- record for it was a third of what writing it costs the database.
alter table app_calls drop constraint app_calls_connection_id_fkey;
