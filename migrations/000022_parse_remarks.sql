-- What parsing points out about rows that it accepted: those that added nothing to a metric because a field was missing,
-- and those dated far ahead. Null for what was parsed before this was counted; rebuilding the source counts it.
alter table parse_results add column remarks jsonb;
