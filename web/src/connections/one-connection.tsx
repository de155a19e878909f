import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { useCompany } from '../company/company.ts'
import type { Connection } from '../company/lists.ts'
import { useLinks } from '../company/use-links.ts'
import { useFormat } from '../company/use-format.ts'
import { usualDevice } from '../identity/device.ts'
import type { Device } from '../identity/order.ts'
import { FailedOrder, type OrderFailure } from '../identity/failed-order.tsx'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { Button } from '../ui/controls/button.tsx'
import { ButtonLink } from '../ui/controls/button-link.tsx'
import { Card } from '../ui/layout/card.tsx'
import { CopyableId } from '../ui/display/copy.tsx'
import { Fact, Facts } from '../ui/display/facts.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { LiveRegion } from '../ui/feedback/live.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'
import { focusTitle } from '../ui/layout/page-title.tsx'
import { Section } from '../ui/layout/section.tsx'
import { useNow } from '../ui/use-now.ts'
import { type ConnectionAction, possibleActions } from './actions.ts'
import { CannotSign } from './signing/cannot-sign.tsx'
import { ConnectionPath } from './connection-path.tsx'
import type { ConnectionSearch } from './list/connections-search.ts'
import { ConnectionState } from './connection-state.tsx'
import type { NextStep } from './signing/next-step.ts'
import { RecentCalls } from './recent-calls.tsx'
import { ReleaseConnection } from './release-connection.tsx'
import { RevokeConnection } from './revoke-connection.tsx'
import { RotateConnection } from './rotate-connection.tsx'
import { useBeginSigning } from './signing/use-begin-signing.ts'
import { FixedFacts, SignatureFacts, useIsOwnSignature } from './signing/what-is-signed.tsx'

const route = getRouteApi('/frame/companies/$companyId/connections/$connectionId')

interface StepProps {
  connection: Connection
  step: NextStep
  onStep: (next: NextStep) => void
}

/** @param props.onChanged called without a connection where the page no longer knows it */
export function OneConnection({
  connection,
  step,
  onStep,
  onChanged,
}: StepProps & { onChanged: (changed?: Connection) => void }) {
  const { t } = useTranslation('connections')
  const company = useCompany()
  const { member_id } = useMember()
  const navigate = useNavigate()
  const { ask } = route.useSearch()
  const actions = possibleActions(connection, company, member_id)
  function show(search: ConnectionSearch): void {
    void navigate({ to: '.', search, replace: true })
  }
  const dialog = { connection, onClose: () => show({}) }
  const isRevoked = connection.state === 'revoked'
  const [wasRevoked] = useState(isRevoked)
  useEffect(() => {
    // The button that had the focus is gone.
    if (isRevoked && document.activeElement === document.body) focusTitle()
  }, [isRevoked])
  return (
    <>
      <PageHead
        title={<bdi>{connection.name}</bdi>}
        tab={connection.name}
        path={<ConnectionPath name={connection.name} />}
        actions={<Actions connection={connection} actions={actions} onAsk={(ask) => show({ ask })} />}
      />
      <LiveRegion>
        {isRevoked && !wasRevoked && t('revoke.done', { name: isolate(connection.name) })}
      </LiveRegion>
      <SigningNotes connection={connection} canSign={actions.has('sign')} step={step} onStep={onStep} />
      <Notes connection={connection} />
      <Card>
        <Section>
          <AllFacts connection={connection} />
        </Section>
      </Card>
      {connection.state !== 'unsigned' && connection.company.company_id === company.company_id && (
        <RecentCalls connection={connection} />
      )}
      {ask === 'rotate' && actions.has('rotate') && (
        <RotateConnection
          {...dialog}
          onRotated={(changed, value) => {
            show({})
            onStep({ secret: { value, by: 'rotation' } })
            onChanged(changed)
          }}
        />
      )}
      {ask === 'revoke' && actions.has('revoke') && (
        <RevokeConnection
          {...dialog}
          onRevoked={(changed) => {
            show({})
            onChanged(changed)
          }}
        />
      )}
      {ask === 'release' && actions.has('release') && (
        <ReleaseConnection {...dialog} onReleased={() => onChanged()} />
      )}
    </>
  )
}

function Actions({
  connection,
  actions,
  onAsk,
}: {
  connection: Connection
  actions: ReadonlySet<ConnectionAction>
  onAsk: (ask: NonNullable<ConnectionSearch['ask']>) => void
}) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const links = useLinks()
  const isOwn = connection.company.company_id === company_id
  return (
    <>
      {actions.has('successor') && (
        <ButtonLink
          to="/companies/$companyId/connections/new"
          params={{ companyId: company_id }}
          search={{ successor: connection.connection_id }}
          variant={connection.state !== 'signed' || connection.expires_soon ? 'primary' : 'secondary'}
        >
          {t('action.successor')}
        </ButtonLink>
      )}
      {connection.state === 'signed' && isOwn && connection.source !== null && (
        <ButtonLink {...links.sourceStart(connection.source.source_id)}>{t('action.quickStart')}</ButtonLink>
      )}
      {actions.has('rotate') && (
        <Button icon="repeat" onClick={() => onAsk('rotate')}>
          {t('action.rotate')}
        </Button>
      )}
      {(['revoke', 'release'] as const).map(
        (ask) =>
          actions.has(ask) && (
            <Button key={ask} variant="danger" onClick={() => onAsk(ask)}>
              {t(`action.${ask}`)}
            </Button>
          ),
      )}
    </>
  )
}

/** A connection that is not signed yet: what failed, and who can sign. */
function SigningNotes({
  connection: { connection_id, company, state, created_by },
  canSign,
  step: { signingFault },
  onStep,
}: StepProps & { canSign: boolean }) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const begin = useBeginSigning(connection_id, onStep)
  const isToSign = state === 'unsigned' && canSign
  // The failure has its own button.
  const hasFailed = signingFault !== undefined && isOrderFailure(signingFault)
  return (
    <>
      {signingFault !== undefined && (
        <SigningFault
          fault={signingFault}
          onRetry={isToSign && begin.canSign ? begin.start : undefined}
          isBusy={begin.isPending}
        />
      )}
      {isToSign && !begin.canSign && <CannotSign />}
      {isToSign && begin.canSign && !hasFailed && (
        <Note
          tone="amber"
          icon="signature"
          action={
            <Button variant="primary" small busy={begin.isPending} onClick={() => begin.start()}>
              {t(begin.isDemo ? 'action.sign' : 'action.signBankId')}
            </Button>
          }
        >
          {t('oneNote.sign')}
        </Note>
      )}
      {state === 'unsigned' && !canSign && company.company_id === company_id && (
        <Note tone="amber" icon="signature">
          {created_by?.name == null || !created_by.is_member
            ? t('oneNote.signGone')
            : t('oneNote.signOther', { name: isolate(created_by.name) })}
        </Note>
      )}
    </>
  )
}

function Notes({ connection: { company, state, created_by, kind } }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  return (
    <>
      {company.company_id !== company_id && (
        <Note>{t('oneNote.foreign', { name: isolate(company.name) })}</Note>
      )}
      {state === 'signed' && created_by?.name != null && !created_by.is_member && (
        <Note tone="neutral">{t('oneNote.gone', { name: isolate(created_by.name) })}</Note>
      )}
      {kind === 'sandbox' && (
        <Note tone="neutral" icon="test">
          {t('oneNote.sandbox')}
        </Note>
      )}
    </>
  )
}

/** Whether the order itself failed. One that is not found is over. */
function isOrderFailure(fault: NonNullable<NextStep['signingFault']>): fault is OrderFailure | ApiError {
  return fault instanceof Error
    ? fault instanceof ApiError && fault.status === 404
    : fault !== 'completed_before'
}

function SigningFault({
  fault,
  onRetry,
  isBusy,
}: {
  fault: NonNullable<NextStep['signingFault']>
  onRetry: ((device: Device) => void) | undefined
  isBusy: boolean
}) {
  const { t } = useTranslation('connections')
  const { identity } = useMember()
  const title = t('signing.failed')
  if (fault === 'completed_before') return <Note role="alert">{t('signing.before')}</Note>
  if (!isOrderFailure(fault)) return <Failure error={fault as Error} title={title} />
  const failure = fault instanceof Error ? { reason: 'ended', device: usualDevice() } : fault
  return (
    <FailedOrder
      title={title}
      failure={failure}
      provider={identity.demo ? 'demo' : 'bankid'}
      isSigning
      onRetry={onRetry && (() => onRetry(failure.device))}
      isBusy={isBusy}
    />
  )
}

function AllFacts({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  const format = useFormat()
  const now = useNow()
  const isOwn = useIsOwnSignature(connection)
  const {
    client_id,
    credentials,
    credential_kind,
    last_used_at,
    created_at,
    created_by,
    revoked_at,
    revoked_by,
  } = connection
  const createdAt = format.instant(created_at)
  return (
    <Facts>
      <Fact name={t('state')}>
        <ConnectionState connection={connection} />
      </Fact>
      <FixedFacts connection={connection} />
      {client_id !== null && (
        <Fact name={t('fact.clientId')}>
          <CopyableId id={client_id} label={t('fact.clientId')} />
        </Fact>
      )}
      {credentials.length > 0 && (
        <Fact name={t(credential_kind === 'client' ? 'fact.credential' : 'fact.staticCredential')}>
          {credentials.map(({ last_four, created_at, ends_at }) => (
            <div key={created_at}>
              {last_four === null ? (
                t('fact.unknownEnding')
              ) : (
                <code>{t('fact.ending', { lastFour: last_four })}</code>
              )}{' '}
              <span className="quiet">
                {ends_at === null
                  ? t('fact.since', { when: format.instant(created_at) })
                  : t('fact.worksUntil', { when: format.instant(ends_at) })}
              </span>
            </div>
          ))}
        </Fact>
      )}
      <Fact name={t('fact.lastUsed')}>
        {last_used_at === null ? t('never') : format.near(last_used_at, now)}
      </Fact>
      <Fact name={t('fact.created')}>
        {created_by?.name == null
          ? createdAt
          : t('fact.by', { when: createdAt, name: isolate(created_by.name) })}
      </Fact>
      <SignatureFacts connection={connection} />
      {revoked_at !== null && (
        <Fact name={t('fact.revoked')}>
          {revoked_by?.name == null
            ? t('fact.byOperator', { when: format.instant(revoked_at) })
            : t('fact.by', { when: format.instant(revoked_at), name: isolate(revoked_by.name) })}
        </Fact>
      )}
      {isOwn && (
        <Fact name="">
          <Link to="/signatures">{t('fact.yourSignatures')}</Link>
        </Fact>
      )}
    </Facts>
  )
}
