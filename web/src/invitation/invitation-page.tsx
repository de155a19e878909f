import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { useFormat } from '../company/use-format.ts'
import { en } from '../language/invitation.en.ts'
import { sv } from '../language/invitation.sv.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { useMember } from '../session/member.ts'
import { renewSession } from '../session/use-session.ts'
import { Button, Buttons } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Card } from '../ui/card.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Failure } from '../ui/failure.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Note } from '../ui/note.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

addTexts('invitation', { en, sv })

type Invitation = ApiResponse<'POST /console/invitations/show'>

const asRole = { reader: 'asReader', developer: 'asDeveloper', owner: 'asOwner' } as const

/** Where an invitation’s link leads (`/invitations#token`): shows what it invites to, and lets one accept. */
export function InvitationPage() {
  // The token is in the fragment, which browsers send nowhere.
  const token = useLocation({ select: ({ hash }) => hash })
  return (
    <Page width="form">
      {token === '' ? <Unusable reason="none" /> : <OneInvitation key={token} token={token} />}
    </Page>
  )
}

/** Why there is nothing to accept. */
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
    // It is looked at once; what has changed since is said when it is accepted.
    staleTime: Infinity,
  })
  const { error } = query
  // A token that is none at all is refused before it is looked for.
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

function useAccept(token: string) {
  const { csrf_token } = useMember()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => callApi('POST /console/invitations/accept', { body: { token } }, csrf_token),
    onSuccess: async ({ company_id }) => {
      // The company is one of the session's from now on.
      await renewSession(client)
      await navigate({
        to: '/companies/$companyId/reports',
        params: { companyId: company_id },
        // A used token need not stay in the history.
        replace: true,
      })
    },
  })
}

function Acceptable({ invitation, token }: { invitation: Invitation; token: string }) {
  const { t } = useTranslation(['invitation', 'translation'])
  const format = useFormat()
  const { name: own } = useMember()
  const accept = useAccept(token)
  const { company, made_by, role, expires_at } = invitation
  const name = isolate(company.name)
  const named = { company: name, role: t(asRole[role]) }
  const { error } = accept
  if (error instanceof ApiError && error.status === 404) return <Unusable reason="closed" />
  return (
    <>
      <PageHead
        title={t('title', { company: name })}
        line={
          made_by.name === null
            ? t('lineNobody', named)
            : t('line', { ...named, name: isolate(made_by.name) })
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
            <Button variant="primary" busy={accept.isPending} onClick={() => accept.mutate()}>
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
