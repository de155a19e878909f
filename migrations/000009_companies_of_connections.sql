-- Owners list the connections that act on their company as a further one, newest first, and take it off them.
create index connection_companies_by_company on connection_companies (company_id, connection_id);

-- A further company stays only as long as its connection's maker manages it [conn.end]. A making could outrun the
-- end of a membership, and leave what would act again should the maker come back.
delete from connection_companies further
using connections c
where c.connection_id = further.connection_id
  and not exists (
    select from memberships m
    where m.company_id = further.company_id and m.member_id = c.made_by and m.role in ('owner', 'developer')
  );
