import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import { type Connection, companyKey, connectionsQuery } from '../../company/lists.ts'
import { isolate } from '../../language/isolate.ts'
import { CodeBlock } from '../../ui/display/copy.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { Loaded } from '../../ui/feedback/loaded.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import type { DeliveryInFull, DeliveryRows } from '../delivery-queries.ts'
import { correctRows } from './correct-rows.ts'
import {
  askForSecret,
  type CorrectedCopy,
  createCorrectionCommand,
  createCorrectionKey,
  getCorrectedFile,
} from './correction-command.ts'
import classes from './delivery.module.css'

/** The most refused rows that are known of a delivery. */
const refusalsKnownMax = 100

/**
 * The command that sends a corrected copy of a delivery: of events only the refused rows, of statements the whole of their
 * periods.
 *
 * @param delivers what the source sends now
 */
export function CorrectionDialog({
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
  const refused = useQuery({
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
      {isWhole ? (
        <>
          <p>{t('curl.statementsText', { file: getCorrectedFile(delivery.format) })}</p>
          <Command delivery={delivery} />
        </>
      ) : (
        <>
          <p>{t('curl.eventsText')}</p>
          <Loaded query={refused}>{(page) => <RefusedRows delivery={delivery} page={page} />}</Loaded>
        </>
      )}
    </Dialog>
  )
}

function RefusedRows({ delivery, page }: { delivery: DeliveryInFull; page: DeliveryRows }) {
  const { t } = useTranslation('deliveries')
  const { time_zone } = useCompany()
  const { rows, corrected, toFill, leftOut } = correctRows(page, time_zone)
  if (rows.length === 0) return <Note tone="neutral">{t('curl.none')}</Note>
  const known = rows.length + leftOut
  return (
    <>
      <ul className={classes.remarks}>
        {corrected > 0 && <li>{t('curl.corrected', { count: corrected })}</li>}
        {toFill.length > 0 && <li>{t('curl.toFill', { fields: toFill.map(isolate).join(', ') })}</li>}
        {leftOut > 0 && <li>{t('curl.cut', { count: leftOut })}</li>}
        {(delivery.rows_refused ?? 0) > known && <li>{t('curl.untold', { count: known })}</li>}
      </ul>
      <Command delivery={delivery} rows={rows} />
    </>
  )
}

function toCredential(connection: Connection | undefined): CorrectedCopy['credential'] {
  if (connection === undefined) return undefined
  const { credential_kind, client_id } = connection
  if (credential_kind === 'static') return { kind: 'static' }
  return client_id === null ? undefined : { kind: 'client', clientId: client_id }
}

function Command({ delivery, rows }: { delivery: DeliveryInFull; rows?: CorrectedCopy['rows'] }) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const connections = useQuery(connectionsQuery(company_id)).data
  const [openedAt] = useState(() => new Date().toISOString())
  const { channel, connection, key, shape_version, format, source_id, sandbox } = delivery
  const used = connections?.find(({ connection_id }) => connection_id === connection?.connection_id)
  const command = createCorrectionCommand({
    origin: location.origin,
    channel,
    sourceId: source_id,
    shapeVersion: shape_version,
    format,
    key: createCorrectionKey(key, openedAt),
    credential: toCredential(used),
    ...(rows !== undefined && { rows }),
  })
  const name = isolate(connection?.name ?? '')
  const ofConnection = used?.credential_kind === 'static' ? 'curl.staticSecret' : 'curl.clientSecret'
  return (
    <>
      <p>
        {t('curl.secret')}{' '}
        {channel === 'webhook'
          ? t('curl.webhookSecret')
          : t(used === undefined ? 'curl.anySecret' : ofConnection, { connection: name })}
        {sandbox && ` ${t('curl.testConnection')}`}
      </p>
      <CodeBlock label={t('curl.secretLabel')} code={askForSecret} />
      <CodeBlock label={t('curl.commandLabel')} code={command} />
    </>
  )
}
