import { useTranslation } from 'react-i18next'
import type { Connection } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { Badge, PlainState } from '../ui/display/badge.tsx'
import { Row } from '../ui/layout/page.tsx'
import { Second } from '../ui/display/table.tsx'
import { useNow } from '../ui/use-now.ts'

/** How long the credential before the last rotation still works. */
function overlapMs({ state, previous_credential_ends_at: end }: Connection, now: number): number {
  return state === 'signed' && end !== null ? Date.parse(end) - now : 0
}

function StateBadge({ connection, now }: { connection: Connection; now: number }) {
  const { t } = useTranslation('connections')
  const format = useFormat()
  const { state, expires_in_days, expires_soon } = connection
  if (state === 'unsigned') {
    return (
      <Badge tone="outline" icon="signature">
        {t('unsigned')}
      </Badge>
    )
  }
  if (state !== 'signed') return <Badge>{t(state)}</Badge>
  if (expires_soon) {
    return (
      <Badge tone="amber" icon="clock">
        {t('expires', { when: format.ahead(expires_in_days ?? 0, 'day') })}
      </Badge>
    )
  }
  if (overlapMs(connection, now) > 0) {
    return (
      <Badge tone="outline" icon="diamond">
        {t('rotating')}
      </Badge>
    )
  }
  return <PlainState>{t('signed')}</PlainState>
}

function useStateLine(connection: Connection, now: number): string | undefined {
  const { t } = useTranslation('connections')
  const format = useFormat()
  const { state, expires_at, expires_soon, created_by, revoked_at, revoked_by } = connection
  if (state === 'unsigned') {
    return created_by?.name == null
      ? t('nothingYet')
      : t('nothingYetMaker', { name: isolate(created_by.name) })
  }
  if (state === 'revoked') {
    if (revoked_at === null) return undefined
    const when = format.instantDay(revoked_at)
    return revoked_by?.name == null
      ? t('plain', { when })
      : t('revokedBy', { when, name: isolate(revoked_by.name) })
  }
  const leftMs = overlapMs(connection, now)
  if (leftMs > 0 && !expires_soon) return t('oldWorks', { time: format.length(leftMs) })
  if (expires_at === null) return undefined
  return t(state === 'expired' ? 'plain' : expires_soon ? 'on' : 'until', {
    when: format.instantDay(expires_at),
  })
}

/** The state of a connection, and since or until when. */
export function ConnectionState({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  const now = useNow()
  const line = useStateLine(connection, now)
  return (
    <>
      <Row>
        <StateBadge connection={connection} now={now} />
        {connection.kind === 'sandbox' && (
          <Badge tone="test" icon="test">
            {t('sandbox')}
          </Badge>
        )}
        {connection.kind === 'demo' && <Badge tone="amber">{t('demo')}</Badge>}
      </Row>
      {line !== undefined && <Second>{line}</Second>}
    </>
  )
}
