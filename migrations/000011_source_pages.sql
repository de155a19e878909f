-- What the pages of a source show: who paused it and why, whether somebody saved it meanwhile, how far a rebuild is.

alter table sources
  -- Grows with every save of its settings or its declaration.
  add column revision integer not null default 1 check (revision >= 1),
  -- Null while it is active, and where the operator paused it.
  add column paused_by uuid references members,
  add column pause_reason text,
  add check (paused_at is not null or (paused_by is null and pause_reason is null));

-- Deliveries that were put into the backlog of a rebuild so far.
alter table projections add column deliveries bigint not null default 0 check (deliveries >= 0);
