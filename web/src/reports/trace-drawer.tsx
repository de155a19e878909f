import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { subtract } from '../decimals/decimal.ts'
import { useTexts } from '../language/language.ts'
import { Badge, PlainState } from '../ui/badge.tsx'
import { CopyableId, CopyButton } from '../ui/copy.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { Loaded, More } from '../ui/loaded.tsx'
import { Row } from '../ui/page.tsx'
import kit from '../ui/table.module.css'
import { capital } from './capital.ts'
import { useNames } from './names.ts'
import { type Report, type ReportId, type Trace, traceQuery, type TracedDelivery } from './report-queries.ts'
import { keyOfSeries, otherSeries, type ReportSearch } from './report-search.ts'
import classes from './trace-drawer.module.css'

/** Every delivery behind one figure: what each gave, what of it counts, and which took its place. */
export function TraceDrawer({
  id,
  report,
  search,
  onClose,
}: {
  id: ReportId
  report: Report
  search: ReportSearch
  onClose: () => void
}) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const trace = useInfiniteQuery(traceQuery(id, report, search))
  const period = format.period(search.trace ?? '', report.grain)
  const pages = trace.data?.pages
  const last = pages?.at(-1)
  const deliveries = pages?.flatMap((page) => page.deliveries).toReversed()
  const nameOf = (series: string, by: string): string => {
    if (series !== otherSeries) return names.value(by, keyOfSeries(series))
    const count = report.other?.label_values ?? 0
    return t('other', { count, number: format.count(count) })
  }
  const of = search.of === undefined || report.by === null ? undefined : nameOf(search.of, report.by)
  return (
    <Drawer
      over={t('traceOf')}
      title={
        of === undefined ? (
          period
        ) : (
          <>
            <bdi>{of}</bdi>, {period}
          </>
        )
      }
      line={
        <>
          {names.metric(report.metric, report.name)} · <bdi>{report.source_name}</bdi> ·{' '}
          {names.unit(report.unit)}
        </>
      }
      onClose={onClose}
    >
      <Loaded query={{ data: deliveries, error: trace.error, refetch: trace.refetch }}>
        {() => (
          <>
            <TraceTable trace={last!} deliveries={deliveries!} isWhole={!trace.hasNextPage} report={report} />
            <More list={trace} />
            <Deliveries trace={last!} deliveries={deliveries!} isWhole={!trace.hasNextPage} />
            <Row>
              <CopyButton text={location.href} label={t('copyLink')} variant="quiet" />
              <CopyButton text={traceText(last!, deliveries!)} label={t('copyTable')} variant="quiet" />
            </Row>
          </>
        )}
      </Loaded>
    </Drawer>
  )
}

/** Tab-separated, with every digit. */
function traceText({ as_of, value, value_then }: Trace, deliveries: readonly TracedDelivery[]): string {
  const lines = deliveries.map((delivery) => [
    delivery.artifact_id,
    delivery.received_at,
    delivery.covers.from,
    delivery.covers.to,
    String(delivery.rows),
    delivery.value ?? '',
    ...(as_of === null ? [] : [delivery.counts_then ?? '']),
    delivery.counts_now ?? '',
  ])
  const then = as_of === null ? [] : ['counts_then']
  const head = ['artifact_id', 'received_at', 'from', 'to', 'rows', 'value', ...then, 'counts_now']
  const sum = ['', '', '', '', '', '', ...(as_of === null ? [] : [value_then ?? '']), value ?? '']
  return [head, ...lines, sum].map((cells) => cells.join('\t')).join('\n')
}

interface DeliveriesProps {
  trace: Trace
  /** The earliest of those that are loaded first. */
  deliveries: readonly TracedDelivery[]
  /** Whether all are loaded: until then they have no numbers. */
  isWhole: boolean
}

function Covers({ delivery: { covers } }: { delivery: TracedDelivery }) {
  const format = useFormat()
  return <>{format.dayRange(covers.from, covers.to)}</>
}

function TraceTable({ trace, deliveries, isWhole, report }: DeliveriesProps & { report: Report }) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const { as_of, value, value_then } = trace
  const figure = (text: string | null, otherwise: string) =>
    text === null ? <span className="quiet">{otherwise}</span> : format.number(text)
  const nowOf = ({ counts_now, superseded }: TracedDelivery) =>
    figure(counts_now, superseded ? t('superseded') : t('nothing'))
  const thenOf = ({ counts_then, received_then }: TracedDelivery) =>
    figure(counts_then, received_then === false ? t('notYetSent') : t('superseded'))
  return (
    <section className={kit.scroll} aria-label={t('whatEachGave')}>
      <table className={`${kit.table} ${classes.table}`}>
        <caption className="unseen">{t('whatEachGave')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('delivery')}</th>
            {as_of !== null && (
              <th scope="col" className={kit.end}>
                {t('known', { day: names.dayOf(as_of) })}
              </th>
            )}
            <th scope="col" className={kit.end}>
              {as_of === null ? t('gives') : t('knownNow')}
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery, index) => (
            <tr key={delivery.artifact_id}>
              <th scope="row">
                {isWhole && `${index + 1}. `}
                {names.dayOf(delivery.received_at)}
                <span className={kit.second}>
                  <Covers delivery={delivery} />
                </span>
              </th>
              {as_of !== null && <td className={kit.end}>{thenOf(delivery)}</td>}
              <td className={kit.end}>{nowOf(delivery)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t(report.combines === 'sum' ? 'sum' : 'value')}</th>
            {as_of !== null && <td className={kit.end}>{figure(value_then, t('notKnown'))}</td>}
            <td className={kit.end}>{figure(value, t('noFigure'))}</td>
          </tr>
        </tfoot>
      </table>
      {value !== null && value_then !== null && (
        <p className={classes.difference}>
          <span>{t('difference')}</span>
          <span>{format.signed(subtract(value, value_then))}</span>
        </p>
      )}
    </section>
  )
}

function Deliveries({ trace, deliveries, isWhole }: DeliveriesProps) {
  const t = useTexts('reports')
  const names = useNames()
  const { company_id } = useCompany()
  const format = useFormat()
  const placeOf = new Map(deliveries.map(({ artifact_id }, index) => [artifact_id, index + 1]))
  return (
    <section>
      <h3>
        {isWhole
          ? t('deliveries', { count: deliveries.length, number: capital(names.inWords(deliveries.length)) })
          : t('lastDeliveries', { number: format.count(deliveries.length) })}
      </h3>
      <ol className={classes.list}>
        {deliveries.map((delivery, index) => (
          <li key={delivery.artifact_id} className={classes.delivery}>
            <div className={classes.head}>
              <b>
                {isWhole && `${index + 1}. `}
                {format.instant(delivery.received_at)}
              </b>
              <State delivery={delivery} placeOf={isWhole ? placeOf : new Map()} />
            </div>
            <p className="small">
              {t('covers')} <Covers delivery={delivery} /> ·{' '}
              {t('rows', { count: delivery.rows, number: format.count(delivery.rows) })} ·{' '}
              {delivery.rows_refused === 0
                ? t('noneRefused')
                : t('refused', { number: format.count(delivery.rows_refused) })}{' '}
              · {t('shape', { version: delivery.shape_version })}
            </p>
            <div className={classes.head}>
              <CopyableId id={delivery.artifact_id} label={t('deliveryId')} />
              {trace.delivery_visible && (
                <Link
                  to="/companies/$companyId/deliveries/$artifactId"
                  params={{ companyId: company_id, artifactId: delivery.artifact_id }}
                >
                  {t('openDelivery')}
                </Link>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function State({
  delivery: { superseded, superseded_by },
  placeOf,
}: {
  delivery: TracedDelivery
  placeOf: ReadonlyMap<string, number>
}) {
  const t = useTexts('reports')
  if (superseded_by.length === 0 && !superseded) return <PlainState>{t('counts')}</PlainState>
  const places = superseded_by.flatMap((by) => placeOf.get(by) ?? []).toSorted((a, b) => a - b)
  const text = superseded ? 'supersededBy' : 'partlySupersededBy'
  return (
    <Badge icon="diamond">
      {places.length === 0
        ? t(superseded ? 'supersededWord' : 'partlySuperseded')
        : t(text, { by: places.join(', ') })}
    </Badge>
  )
}
