import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { useFormat } from '../company/use-format.ts'
import { en } from '../language/en/invitation.ts'
import { sv } from '../language/sv/invitation.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { useMember } from '../session/member.ts'
import { renewSession } from '../session/use-session.ts'
import { useWrite } from '../session/use-write.ts'
import { Button, Buttons } from '../ui/controls/button.tsx'
import { ButtonLink } from '../ui/controls/button-link.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Fact, Facts } from '../ui/display/facts.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Loaded } from '../ui/feedback/loaded.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'
import { Section } from '../ui/layout/section.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'

addTexts('invitation', { en, sv })

type Invitation = ApiResponse<'POST /console/invitations/show'>

const asRole = { reader: 'asReader', developer: 'asDeveloper', owner: 'asOwner' } as const

/** An invitation, to be accepted (`/invitations#token`). */
export function InvitationPage() {
  // Browsers never send the fragment to a server.
  const token = useLocation({ select: ({ hash }) => hash })
  return (
    <Page width="form">
      {token === '' ? <Unusable reason="none" /> : <OneInvitation key={token} token={token} />}
    </Page>
  )
}

function Unusable({ reason }: { reason: 'none' | 'closed' }) {
  const { t } = useTranslation('invitation')
  return (
    <>
      <PageHead title={t(reason)} />
      <p>{t(reason === 'none' ? 'noneText' : 'closedText')}</p>
    </>
  )
}

function OneInvitation({ token }: { token: string }) {
  const { t } = useTranslation('invitation')
  const { csrf_token, member_id } = useMember()
  const query = useQuery({
    queryKey: ['invitation', member_id, token],
    queryFn: () => callApi('POST /console/invitations/show', { body: { token } }, csrf_token),
    // Accepting it reports changes since.
    staleTime: Infinity,
  })
  const { error } = query
  // 400: not a token at all.
  if (error instanceof ApiError && [400, 404].includes(error.status)) return <Unusable reason="closed" />
  return (
    <>
      {query.data === undefined && <PageHead title={t('tab')} />}
      <Loaded query={query} skeleton={<Skeleton blocks={[{ width: 'wide', height: 220 }]} />}>
        {(invitation) =>
          invitation.current_role === null ? (
            <Acceptable invitation={invitation} token={token} />
          ) : (
            <AlreadyMember invitation={invitation} role={invitation.current_role} />
          )
        }
      </Loaded>
    </>
  )
}

function AlreadyMember({
  invitation: { company },
  role,
}: {
  invitation: Invitation
  role: keyof typeof asRole
}) {
  const { t } = useTranslation('invitation')
  const own = useMember().companies.find(({ orgnr }) => orgnr === company.orgnr)
  const name = isolate(company.name)
  return (
    <>
      <PageHead title={t('already', { company: name })} line={t('alreadyText', { role: t(asRole[role]) })} />
      {own !== undefined && (
        <Buttons>
          <ButtonLink
            to="/companies/$companyId/reports"
            params={{ companyId: own.company_id }}
            variant="primary"
          >
            {t('open', { company: name })}
          </ButtonLink>
        </Buttons>
      )}
    </>
  )
}

function useAccept() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useWrite('POST /console/invitations/accept', {
    onSuccess: async ({ company_id }) => {
      // It lists the member's companies.
      await renewSession(client)
      await navigate({
        to: '/companies/$companyId/reports',
        params: { companyId: company_id },
        // The used token does not stay in the history.
        replace: true,
      })
    },
  })
}

function Acceptable({ invitation, token }: { invitation: Invitation; token: string }) {
  const { t } = useTranslation(['invitation', 'translation'])
  const format = useFormat()
  const { name: own } = useMember()
  const accept = useAccept()
  const { company, created_by, role, expires_at } = invitation
  const name = isolate(company.name)
  const named = { company: name, role: t(asRole[role]) }
  const { error } = accept
  if (error instanceof ApiError && error.status === 404) return <Unusable reason="closed" />
  return (
    <>
      <PageHead
        title={t('title', { company: name })}
        line={
          created_by.name === null
            ? t('lineNameless', named)
            : t('line', { ...named, name: isolate(created_by.name) })
        }
      />
      <Card>
        <Section>
          <Facts>
            <Fact name={t('company')}>
              <bdi>{company.name}</bdi>, {company.orgnr}
            </Fact>
            <Fact name={t('role')}>
              {t(`translation:role.${role}`)}
              <div className="quiet">{t(`opens.${role}`)}</div>
            </Fact>
            <Fact name={t('until')}>{format.instant(expires_at)}</Fact>
          </Facts>
        </Section>
        <Section>
          {own !== null && <p className="quiet">{t('as', { name: isolate(own) })}</p>}
          {error instanceof ApiError && error.status === 409 ? (
            <Note tone="red" role="alert" title={t('failed')}>
              {t('full', { message: error.message })}
            </Note>
          ) : (
            error !== null && <Failure error={error} title={t('failed')} />
          )}
          <Buttons>
            <Button
              variant="primary"
              busy={accept.isPending}
              onClick={() => accept.mutate({ body: { token } })}
            >
              {t('accept')}
            </Button>
            <ButtonLink to="/" variant="quiet">
              {t('later')}
            </ButtonLink>
          </Buttons>
        </Section>
      </Card>
    </>
  )
}
