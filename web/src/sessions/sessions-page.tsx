import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { useFormat } from '../company/use-format.ts'
import { providerName } from '../identity/order.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/en/sessions.ts'
import { sv } from '../language/sv/sessions.ts'
import { useMember } from '../session/member.ts'
import { useSignOut } from '../session/use-sign-out.ts'
import { Badge } from '../ui/display/badge.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/layout/card.tsx'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { LiveRegion } from '../ui/feedback/live.tsx'
import { Loaded } from '../ui/feedback/loaded.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'
import { focusTitle } from '../ui/layout/page-title.tsx'
import { type Column, Second, Table } from '../ui/display/table.tsx'
import { useNow } from '../ui/use-now.ts'

addTexts('sessions', { en, sv })

type OwnSession = ApiResponse<'GET /console/sessions'>['sessions'][number]

function toKey(memberId: string): string[] {
  return ['sessions', memberId]
}

/** Where the member is signed in (`/sessions`). */
export function SessionsPage() {
  const { t } = useTranslation('sessions')
  const { member_id } = useMember()
  const [isAsking, setAsking] = useState(false)
  const list = useQuery({
    queryKey: toKey(member_id),
    queryFn: () => callApi('GET /console/sessions', {}),
  })
  return (
    <Page>
      <PageHead
        title={t('title')}
        line={t('intro')}
        actions={
          <Button icon="leave" onClick={() => setAsking(true)}>
            {t('everywhere.open')}
          </Button>
        }
      />
      <Loaded query={list}>{({ sessions }) => <SessionTable sessions={sessions} />}</Loaded>
      {isAsking && <SignOutEverywhere onClose={() => setAsking(false)} />}
    </Page>
  )
}

function usePlace(): (session: OwnSession) => string {
  const { t } = useTranslation('sessions')
  return ({ browser, system }) =>
    browser !== null && system !== null ? t('on', { browser, system }) : (browser ?? system ?? t('unknown'))
}

function useSignedOutHere() {
  const navigate = useNavigate()
  return () => void navigate({ to: '/sign-in', ignoreBlocker: true })
}

function SessionTable({ sessions }: { sessions: OwnSession[] }) {
  const { t } = useTranslation('sessions')
  const { csrf_token, member_id } = useMember()
  const client = useQueryClient()
  const toPlace = usePlace()
  const [announcement, setAnnouncement] = useState('')
  const signOutHere = useSignOut(csrf_token, useSignedOutHere())
  const signOut = useMutation({
    mutationFn: ({ session_id }: OwnSession) =>
      callApi('POST /console/sessions/{session_id}/sign-out', { path: { session_id }, body: {} }, csrf_token),
    onSuccess: async (_none, session) => {
      await client.invalidateQueries({ queryKey: toKey(member_id) })
      setAnnouncement(t('signedOut', { where: toPlace(session) }))
      // The button that was pressed is gone.
      focusTitle()
    },
  })
  const columns = useColumns((session) => (
    <Button
      small
      busy={signOut.isPending && signOut.variables.session_id === session.session_id}
      onClick={() => (session.current ? signOutHere.mutate() : signOut.mutate(session))}
    >
      {t('signOut')}
      <span className="unseen">: {toPlace(session)}</span>
    </Button>
  ))
  const error = signOut.error ?? signOutHere.error
  return (
    <>
      <LiveRegion>{announcement}</LiveRegion>
      {error !== null && <Failure error={error} title={t('failed')} />}
      <Card>
        <Table
          caption={t('title')}
          tall
          columns={columns}
          rows={sessions}
          rowKey={({ session_id }) => session_id}
        />
      </Card>
    </>
  )
}

function useColumns(renderSignOut: (session: OwnSession) => ReactNode): Column<OwnSession>[] {
  const { t } = useTranslation('sessions')
  const format = useFormat()
  const now = useNow()
  const toPlace = usePlace()
  return [
    {
      key: 'where',
      head: t('where'),
      render: (session) => (
        <>
          {toPlace(session)} {session.current && <Badge tone="outline">{t('current')}</Badge>}
          {session.network !== null && <Second>{t('network', { network: session.network })}</Second>}
        </>
      ),
      strong: true,
    },
    {
      key: 'with',
      head: t('with'),
      render: ({ provider }) => {
        if (provider === 'demo' || provider === 'oidc') return t(provider)
        return providerName(provider)
      },
      wideOnly: true,
    },
    {
      key: 'signedIn',
      head: t('signedIn'),
      render: ({ signed_in_at }) => format.near(signed_in_at, now),
      wideOnly: true,
    },
    {
      key: 'lastActive',
      head: t('lastActive'),
      render: ({ last_active_at }) => format.near(last_active_at, now),
    },
    {
      key: 'signOut',
      head: <span className="unseen">{t('actions')}</span>,
      render: renderSignOut,
      end: true,
    },
  ]
}

function SignOutEverywhere({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('sessions')
  const { csrf_token } = useMember()
  const signOut = useSignOut(csrf_token, useSignedOutHere(), 'POST /console/sessions/sign-out')
  return (
    <ConfirmDialog
      title={t('everywhere.title')}
      confirm={t('everywhere.do')}
      action={signOut}
      failed={t('everywhere.failed')}
      onConfirm={() => signOut.mutate()}
      onClose={onClose}
    >
      <p>{t('everywhere.text')}</p>
      <p>{t('everywhere.rest')}</p>
    </ConfirmDialog>
  )
}
