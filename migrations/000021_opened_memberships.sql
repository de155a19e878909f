-- Whether a member has opened the company since they were added: until then it learns nothing of the person but what its
-- own owners wrote. Those whose sign-in it was shown already have.
alter table memberships add column opened boolean not null default false;
update memberships set opened = true
from members
where members.member_id = memberships.member_id and members.last_sign_in_at >= memberships.added_at;

-- Names in the history are read from the membership from now on. Former members who acted in the company keep theirs.
update audit_events set subject_name = members.name
from members
where audit_events.subject_kind = 'member' and audit_events.subject_name is null
  and members.member_id = audit_events.subject_id
  and not exists (
    select from memberships
    where memberships.company_id = audit_events.company_id and memberships.member_id = audit_events.subject_id
  )
  and (audit_events.company_id, audit_events.subject_id) in (select company_id, member_id from audit_events);
