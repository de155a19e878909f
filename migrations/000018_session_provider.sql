-- What people signed in with (`demo`, `bankid`, `oidc`): a session opens nothing once another electronic identity is configured.
-- Null in sessions that were made before, which go on for their 12 hours.
alter table sessions add column provider text;
