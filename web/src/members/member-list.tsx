import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { LeaveCompany } from '../company/leave-company.tsx'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { Card } from '../ui/layout/card.tsx'
import { Loaded, More } from '../ui/feedback/loaded.tsx'
import { Menu, MenuLink } from '../ui/overlays/popover.tsx'
import { type Column, Second, Table } from '../ui/display/table.tsx'
import { useNow } from '../ui/use-now.ts'
import { ChangeRole } from './change-role.tsx'
import { EndMembership } from './end-membership.tsx'
import { useMemberName } from './use-member-name.ts'
import { InviteMember } from './invite-member.tsx'
import { type Member, useMembers } from './members-query.ts'
import { OpenInvitations } from './open-invitations.tsx'

const route = getRouteApi('/frame/companies/$companyId/members')

/**
 * The members, open invitations, and the dialog that the address names.
 *
 * @param props.onDone called with an announcement for screen readers
 */
export function MemberList({ onDone }: { onDone: (announcement: string) => void }) {
  const { t } = useTranslation('members')
  const company = useCompany()
  const { member_id: own } = useMember()
  const { ask, member: selectedId } = route.useSearch()
  const navigate = useNavigate()
  const list = useMembers(company.company_id)
  const members = list.data?.pages.flatMap(({ members }) => members) ?? []
  const selected = members.find(({ member_id }) => member_id === selectedId)
  // Only certain once all members are loaded.
  const isLastOwner =
    selected?.role === 'owner' &&
    !list.hasNextPage &&
    members.filter(({ role }) => role === 'owner').length === 1
  const columns = useMemberColumns()

  function close(announcement?: string): void {
    void navigate({ to: '.', search: {}, replace: true })
    if (announcement !== undefined) onDone(announcement)
  }

  return (
    <>
      <Loaded query={list}>
        {() => (
          <Card>
            <Table
              caption={t('title')}
              columns={columns}
              rows={members}
              rowKey={({ member_id }) => member_id}
              tall
            />
          </Card>
        )}
      </Loaded>
      <More list={list} />
      {list.data !== undefined && <OpenInvitations onDone={onDone} />}
      {ask === 'invite' && <InviteMember onClose={close} />}
      {ask === 'role' && selected !== undefined && (
        <ChangeRole member={selected} isLastOwner={isLastOwner} onClose={() => close()} />
      )}
      {ask === 'end' && selected?.member_id === own && (
        <LeaveCompany company={company} onClose={() => close()} />
      )}
      {ask === 'end' && selected !== undefined && selected.member_id !== own && (
        <EndMembership member={selected} onClose={close} />
      )}
    </>
  )
}

function useMemberColumns(): Column<Member>[] {
  const { t } = useTranslation(['members', 'translation'])
  const format = useFormat()
  const now = useNow()
  const toName = useMemberName()
  return [
    {
      key: 'name',
      head: t('name'),
      render: (member) => <MemberName member={member} />,
      compare: (a, b) => toName(a).localeCompare(toName(b)),
    },
    {
      key: 'role',
      head: t('role'),
      render: ({ role }) => t(`translation:role.${role}`),
      compare: (a, b) => a.role.localeCompare(b.role),
    },
    {
      key: 'since',
      head: t('since'),
      render: ({ added_at }) => format.instantDay(added_at),
      compare: (a, b) => a.added_at.localeCompare(b.added_at),
      wideOnly: true,
    },
    {
      key: 'signIn',
      head: t('lastSignIn'),
      render: ({ last_sign_in_at: last }) =>
        last === null ? <span className="quiet">{t('never')}</span> : format.near(last, now),
      compare: (a, b) => (a.last_sign_in_at ?? '').localeCompare(b.last_sign_in_at ?? ''),
      wideOnly: true,
    },
    {
      key: 'connections',
      head: t('holds'),
      render: (member) => <SignedConnections member={member} />,
      compare: (a, b) => a.signed_connections - b.signed_connections,
      wideOnly: true,
    },
    {
      key: 'menu',
      head: <span className="unseen">{t('menu.head')}</span>,
      render: (member) => <MemberMenu member={member} />,
      end: true,
    },
  ]
}

function MemberName({ member: { member_id, name, label } }: { member: Member }) {
  const { t } = useTranslation('members')
  const { member_id: own } = useMember()
  const shown = name ?? label
  if (shown === null) return <span className="quiet">{t('notYet')}</span>
  return (
    <>
      <b>
        <bdi>{shown}</bdi>
      </b>
      {name === null && <Second>{t('notYet')}</Second>}
      {member_id === own && <span className="quiet"> {t('you')}</span>}
    </>
  )
}

function SignedConnections({ member: { member_id, signed_connections } }: { member: Member }) {
  const { t } = useTranslation('members')
  const { company_id } = useCompany()
  if (signed_connections === 0) return <span className="quiet">{t('noConnections')}</span>
  return (
    <Link
      to="/companies/$companyId/connections"
      params={{ companyId: company_id }}
      search={{ maker: member_id, state: 'signed' }}
    >
      {t('connections', { count: signed_connections })}
    </Link>
  )
}

function MemberMenu({ member }: { member: Member }) {
  const { t } = useTranslation('members')
  const { company_id } = useCompany()
  const { member_id: own } = useMember()
  const toName = useMemberName()
  const { member_id } = member
  const link = {
    to: '/companies/$companyId/members',
    params: { companyId: company_id },
    replace: true,
  } as const
  return (
    <Menu label={t('menu.label', { name: isolate(toName(member)) })}>
      <MenuLink {...link} search={{ ask: 'role', member: member_id }}>
        {t('menu.role')}
      </MenuLink>
      <MenuLink {...link} search={{ ask: 'end', member: member_id }}>
        {t(member_id === own ? 'menu.leave' : 'menu.remove')}
      </MenuLink>
    </Menu>
  )
}
