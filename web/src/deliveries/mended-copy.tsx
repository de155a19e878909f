import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { type Connection, companyKey, connectionsQuery } from '../company/lists.ts'
import { isolate } from '../language/isolate.ts'
import { CodeBlock } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Note } from '../ui/note.tsx'
import classes from './delivery.module.css'
import type { DeliveryInFull, DeliveryRows } from './delivery-queries.ts'
import { askForSecret, mendedCommand, type MendedCopy, mendedFile, mendedKey } from './mended-command.ts'
import { mendRows } from './mended-rows.ts'

/** As many refused rows as are known of a delivery. */
const refusalsKnownMax = 100

/**
 * The command that sends a mended copy of a delivery: of events the refused rows alone, of statements the whole of their
 * periods.
 *
 * @param delivers what the source sends now
 */
export function MendedCopyDialog({
  delivery,
  delivers,
  onClose,
}: {
  delivery: DeliveryInFull
  delivers: 'events' | 'statements'
  onClose: () => void
}) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const { artifact_id } = delivery
  const isWhole = delivers === 'statements' || delivery.state === 'unreadable'
  const rows = useQuery({
    queryKey: companyKey(company_id, 'deliveries', artifact_id, 'refused-rows'),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/deliveries/{artifact_id}/rows', {
        path: { company_id, artifact_id },
        query: { refused: 'true', limit: String(refusalsKnownMax) },
      }),
    staleTime: Infinity,
    enabled: !isWhole,
  })
  return (
    <Dialog title={t('curl.title')} onClose={onClose}>
      <div className={classes.dialog}>
        {isWhole ? (
          <>
            <p>{t('curl.statementsText', { file: mendedFile(delivery.format) })}</p>
            <Command delivery={delivery} />
          </>
        ) : (
          <>
            <p>{t('curl.eventsText')}</p>
            <Loaded query={rows}>{(refused) => <RefusedRows delivery={delivery} refused={refused} />}</Loaded>
          </>
        )}
      </div>
    </Dialog>
  )
}

function RefusedRows({ delivery, refused }: { delivery: DeliveryInFull; refused: DeliveryRows }) {
  const { t } = useTranslation('deliveries')
  const { time_zone } = useCompany()
  const { rows, mended, toFill, untold } = mendRows(refused, time_zone)
  if (rows.length === 0) return <Note tone="neutral">{t('curl.none')}</Note>
  const known = rows.length + untold
  return (
    <>
      <ul>
        {mended > 0 && <li>{t('curl.mended', { count: mended })}</li>}
        {toFill.length > 0 && <li>{t('curl.toFill', { fields: toFill.map(isolate).join(', ') })}</li>}
        {untold > 0 && <li>{t('curl.cut', { count: untold })}</li>}
        {(delivery.rows_refused ?? 0) > known && <li>{t('curl.untold', { count: known })}</li>}
      </ul>
      <Command delivery={delivery} rows={rows} />
    </>
  )
}

function credentialOf(connection: Connection | undefined): MendedCopy['credential'] {
  if (connection === undefined) return undefined
  const { credential_kind, client_id } = connection
  if (credential_kind === 'static') return { kind: 'static' }
  return client_id === null ? undefined : { kind: 'client', clientId: client_id }
}

function Command({ delivery, rows }: { delivery: DeliveryInFull; rows?: MendedCopy['rows'] }) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const connections = useQuery(connectionsQuery(company_id)).data
  const [openedAt] = useState(() => new Date().toISOString())
  const { channel, connection, key, shape_version, format, source_id, sandbox } = delivery
  const used = connections?.find(({ connection_id }) => connection_id === connection?.connection_id)
  const name = isolate(connection?.name ?? '')
  const command = mendedCommand({
    origin: location.origin,
    channel,
    sourceId: source_id,
    shapeVersion: shape_version,
    format,
    key: mendedKey(key, openedAt),
    credential: credentialOf(used),
    ...(rows !== undefined && { rows }),
  })
  return (
    <>
      <p>
        {t('curl.secret')}{' '}
        {channel === 'webhook'
          ? t('curl.webhookSecret')
          : used === undefined
            ? t('curl.anySecret')
            : t(used.credential_kind === 'static' ? 'curl.staticSecret' : 'curl.clientSecret', {
                connection: name,
              })}
        {sandbox && ` ${t('curl.testConnection')}`}
      </p>
      <CodeBlock label={t('curl.secretLabel')} code={askForSecret} />
      <CodeBlock label={t('curl.commandLabel')} code={command} />
    </>
  )
}
