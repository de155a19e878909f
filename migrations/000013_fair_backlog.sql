-- The backlog is claimed fairly, by company and by size, and knows what was tried before.

alter table backlog
  -- How often reading it was begun and not brought to an end, or failed.
  add column attempts smallint not null default 0,
  -- Not to be tried before; null until it was tried by itself once.
  add column not_before timestamptz,
  -- As src/backlog/lanes.ts has them: what was just received, small or large; what is rebuilt, small or large; what was
  -- tried before.
  add column lane smallint not null generated always as (
    case
      when not_before is not null then 4
      when projection_id = 0 then case when content_bytes <= 65536 then 0 else 1 end
      else case when content_bytes <= 65536 then 2 else 3 end
    end
  ) stored;

-- Workers step from company to company in it.
alter table backlog drop constraint backlog_pkey;
alter table backlog add primary key (lane, company_id, receive_number, projection_id);
create index backlog_retries on backlog (company_id, not_before, receive_number) where not_before is not null;

-- A source's deliveries are put into the backlog of a new projection in parts, up to this receive number so far.
alter table projections add column enumerated_to bigint not null default 0;
-- Unfinished projections company by company, and those to be removed.
drop index projections_by_state;
create index projections_unfinished on projections (company_id, projection_id) where state in ('building', 'trial');
create index projections_retired on projections (company_id, projection_id) where state = 'retired';
