-- What people signed in with (`demo`, `bankid`, `oidc`): a session opens nothing once another electronic identity is configured.
alter table sessions add column provider text not null;
