import { useFormat } from '../../company/use-format.ts'
import { isolate } from '../../language/isolate.ts'
import { useTexts } from '../../language/language.ts'
import { Fact, Facts } from '../../ui/display/facts.tsx'
import kit from '../../ui/display/table.module.css'
import classes from './evidence-document.module.css'
import type { DetailedDelivery, Evidence, ProvenDelivery } from './evidence-query.ts'
import { Part } from './evidence-part.tsx'
import { EvidenceRows } from './evidence-rows.tsx'

function FigureHead({ children }: { children: string }) {
  return (
    <th scope="col" className={kit.end}>
      {children}
    </th>
  )
}

/** What each delivery gave, the earliest first, and what of it counts. */
export function DeliveriesTable({ evidence: { content } }: { evidence: Evidence }) {
  const t = useTexts('evidence')
  const format = useFormat()
  const { deliveries, value: together, unit, declaration } = content
  const isStated = declaration.delivers === 'statements'
  const number = (value: string | null) => (
    <td className={kit.end}>
      {value === null ? <span className="quiet">{t('nothing')}</span> : format.figure(value, unit)}
    </td>
  )
  return (
    <Part title={t('deliveries')} {...(isStated && { line: t('stepText') })}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the arrow keys */}
      <section className={kit.scroll} tabIndex={0} aria-label={t('deliveries')}>
        <table className={`${kit.table} ${classes.table}`}>
          <caption className="unseen">{t('deliveries')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('number')}</th>
              <th scope="col">{t('received')}</th>
              <th scope="col">{t('covers')}</th>
              <FigureHead>{t('rows')}</FigureHead>
              <FigureHead>{t('gave')}</FigureHead>
              <FigureHead>{t(isStated ? 'step' : 'running')}</FigureHead>
              <FigureHead>{t('counts')}</FigureHead>
            </tr>
          </thead>
          <tbody>
            {deliveries.map((delivery, index) => (
              <tr key={delivery.artifact_id}>
                <th scope="row">{index + 1}</th>
                <td>{format.instant(delivery.received_at)}</td>
                <td>{format.dayRange(delivery.covers.from, delivery.covers.to)}</td>
                <td className={kit.end}>{format.count(delivery.rows)}</td>
                <td className={kit.end}>
                  <span className={delivery.superseded ? classes.replaced : ''}>
                    {delivery.value === null ? t('nothing') : format.figure(delivery.value, unit)}
                  </span>
                </td>
                <td className={kit.end}>
                  {isStated
                    ? delivery.step !== null && format.figure(delivery.step, unit, { sign: true })
                    : delivery.running !== null && format.figure(delivery.running, unit)}
                </td>
                {number(delivery.counts)}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={6}>
                {t('together')}
              </th>
              {number(together)}
            </tr>
          </tfoot>
        </table>
      </section>
    </Part>
  )
}

/** Each delivery in full: what was received, through which connection, who signed that, and its rows. */
export function EachDelivery({ evidence: { content, details } }: { evidence: Evidence }) {
  const t = useTexts('evidence')
  const known = new Map(details.deliveries.map((delivery) => [delivery.artifact_id, delivery]))
  const places = new Map(content.deliveries.map(({ artifact_id }, index) => [artifact_id, index + 1]))
  return (
    <Part title={t('each')} {...(!details.deliveries_visible && { line: t('rowsForDevelopers') })}>
      {content.deliveries.map((delivery, index) => (
        <section key={delivery.artifact_id} className={classes.delivery}>
          <h3>{t('delivery', { number: index + 1 })}</h3>
          <DeliveryFacts delivery={delivery} details={known.get(delivery.artifact_id)} places={places} />
          <EvidenceRows
            delivery={delivery}
            unit={content.unit}
            rows={known.get(delivery.artifact_id)?.rows}
          />
        </section>
      ))}
    </Part>
  )
}

interface DeliveryFactsProps {
  delivery: ProvenDelivery
  details: DetailedDelivery | undefined
  /** Their numbers by id. */
  places: ReadonlyMap<string, number>
}

function DeliveryFacts({ delivery, details, places }: DeliveryFactsProps) {
  const t = useTexts('evidence')
  const { superseded, superseded_by, signature } = delivery
  const by = superseded_by.map((id) => places.get(id) ?? t('later')).join(', ')
  return (
    <Facts>
      <Fact name={t('received')}>
        <span className="mono">{delivery.received_at}</span>
      </Fact>
      <Fact name={t('deliveryId')}>
        <span className="mono">{delivery.artifact_id}</span>
      </Fact>
      <Fact name={t('sha256')}>
        <span className="mono">{delivery.sha256}</span>
      </Fact>
      <Fact name={t('came')}>
        <Channel delivery={delivery} details={details} />
      </Fact>
      {delivery.connection_id !== null && (
        <Fact name={t('signature')}>
          <Signed delivery={delivery} signedBy={details?.signed_by ?? null} />
        </Fact>
      )}
      {signature !== null && (
        <Fact name={t('signatureId')}>
          <span className="mono">{signature.signature_id}</span>
        </Fact>
      )}
      {superseded_by.length > 0 && (
        <Fact name={t('replacedBy')}>{t(superseded ? 'replaced' : 'partly', { by })}</Fact>
      )}
    </Facts>
  )
}

function Channel({ delivery, details }: Omit<DeliveryFactsProps, 'places'>) {
  const t = useTexts('evidence')
  const { channel, connection_id } = delivery
  if (channel === 'webhook') return t('webhook')
  if (connection_id === null) return t('otherCompany')
  const name = details?.connection_name ?? null
  return (
    <>
      {name !== null && `${t('connection', { name: isolate(name) })} `}
      <span className="mono">{connection_id}</span>
    </>
  )
}

function Signed({
  delivery: { signature },
  signedBy,
}: {
  delivery: ProvenDelivery
  signedBy: string | null
}) {
  const t = useTexts('evidence')
  const format = useFormat()
  if (signature === null) return t('unsigned')
  const { signed_at, signed_with } = signature
  const provider =
    signed_with === 'bankid' ? 'BankID' : signed_with === 'demo' ? t('demoIdentity') : signed_with
  const signed = { when: format.instant(signed_at), provider }
  return signedBy === null ? t('signed', signed) : t('signedBy', { ...signed, who: isolate(signedBy) })
}
