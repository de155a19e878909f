import { useTranslation } from 'react-i18next'
import type { Connection } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { Badge, PlainState } from '../ui/badge.tsx'
import { Row } from '../ui/page.tsx'
import { Second } from '../ui/table.tsx'

/** Where a connection stands, and since or until when. */
export function ConnectionState({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  const format = useFormat()
  const { state, kind, expires_at, revoked_at } = connection
  const when =
    state === 'made'
      ? t('nothingYet')
      : state === 'revoked'
        ? revoked_at && t('on', { when: format.instantDay(revoked_at) })
        : expires_at && t(state === 'signed' ? 'until' : 'on', { when: format.instantDay(expires_at) })
  return (
    <>
      <Row>
        {state === 'signed' ? (
          <PlainState>{t('signed')}</PlainState>
        ) : state === 'made' ? (
          <Badge tone="outline" icon="signature">
            {t('made')}
          </Badge>
        ) : (
          <Badge>{t(state)}</Badge>
        )}
        {kind === 'sandbox' && (
          <Badge tone="test" icon="test">
            {t('sandbox')}
          </Badge>
        )}
      </Row>
      {when !== null && <Second>{when}</Second>}
    </>
  )
}
