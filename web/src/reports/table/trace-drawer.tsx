import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFormat } from '../../company/use-format.ts'
import { useLinks } from '../../company/use-links.ts'
import { subtract } from '../../decimals/decimal.ts'
import { useTexts } from '../../language/language.ts'
import type { FigureQuery } from '../../company/figure-address.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Badge, PlainState } from '../../ui/display/badge.tsx'
import { CopyableId, CopyButton } from '../../ui/display/copy.tsx'
import { Drawer } from '../../ui/overlays/drawer.tsx'
import { Loaded, More } from '../../ui/feedback/loaded.tsx'
import { Row } from '../../ui/layout/page.tsx'
import kit from '../../ui/display/table.module.css'
import { ProveLink } from '../evidence/prove-link.tsx'
import { useNames } from '../names.ts'
import { AddNoteToFigure } from '../notes/note-marks.tsx'
import {
  type Report,
  type ReportId,
  toTracedFigure,
  type Trace,
  type TracedDelivery,
  traceQuery,
} from '../report-queries.ts'
import { otherSeries, type ReportSearch, toSeriesKey } from '../report-search.ts'
import { useValueName } from '../value-names.ts'
import { TraceChanges } from './trace-changes.tsx'
import classes from './trace-drawer.module.css'

interface TraceDrawerProps {
  id: ReportId
  report: Report
  search: ReportSearch
  onClose: () => void
  onChange: (search: Pick<ReportSearch, 'changed' | 'against' | 'key'>) => void
}

/** Every delivery behind a figure: what each contributed, what of it counts, and what superseded it. */
export function TraceDrawer({ id, report, search, onClose, onChange }: TraceDrawerProps) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const nameValue = useValueName()
  const list = useInfiniteQuery(traceQuery(id, report, search))
  const pages = list.data?.pages
  const period = format.period(search.trace ?? '', report.grain)
  const count = report.other?.label_values ?? 0
  const { of } = search
  const series =
    of === otherSeries
      ? t('other', { count, number: format.count(count) })
      : nameValue(report.by ?? '', toSeriesKey(of ?? ''))
  const title = (
    <>
      <bdi>{series}</bdi>, {period}
    </>
  )
  const line = (
    <>
      {names.metric(report.metric, report.name)} · <bdi>{report.source_name}</bdi> · {names.unit(report.unit)}
    </>
  )
  return (
    <Drawer
      over={t('traceOf')}
      title={of === undefined || report.by === null ? period : title}
      line={line}
      onClose={onClose}
    >
      <Loaded query={{ data: pages, error: list.error, refetch: list.refetch }}>
        {(pages) => {
          const trace = pages.at(-1)!
          const deliveries = pages.flatMap((page) => page.deliveries).toReversed()
          const shown = { trace, deliveries, isWhole: !list.hasNextPage }
          const figure = toTracedFigure(report, search)
          const { changed, against, key = [] } = search
          if (changed !== undefined && against !== undefined && trace.delivery_visible) {
            const compared = {
              companyId: id.company_id,
              figure,
              after: changed,
              before: against,
              chosen: key,
              unit: report.unit,
            }
            return <TraceChanges {...compared} onChange={onChange} />
          }
          return (
            <>
              <TraceTable {...shown} report={report} />
              <More list={list} />
              <Deliveries {...shown} figure={figure} onChange={onChange} />
              <Row>
                <AddNoteToFigure report={report} search={search} />
                <ProveLink trace={trace} />
                <CopyButton text={location.href} label={t('copyLink')} variant="quiet" />
                <CopyButton text={toText(trace, deliveries)} label={t('copyTable')} variant="quiet" />
              </Row>
            </>
          )
        }}
      </Loaded>
    </Drawer>
  )
}

/** Tab-separated, with every digit. */
function toText({ as_of, value, value_then }: Trace, deliveries: readonly TracedDelivery[]): string {
  const then = (cell: string | null | undefined): string[] => (as_of === null ? [] : [cell ?? ''])
  const lines = deliveries.map((delivery) => [
    delivery.artifact_id,
    delivery.received_at,
    delivery.covers.from,
    delivery.covers.to,
    String(delivery.rows),
    delivery.value ?? '',
    ...then(delivery.counts_then),
    delivery.counts_now ?? '',
    delivery.step ?? '',
    delivery.running ?? '',
  ])
  const start = ['artifact_id', 'received_at', 'from', 'to', 'rows', 'value']
  const head = [...start, ...then('counts_then'), 'counts_now', 'step', 'running']
  const sum = [...start.map(() => ''), ...then(value_then), value ?? '']
  return [head, ...lines, sum].map((cells) => cells.join('\t')).join('\n')
}

interface DeliveriesProps {
  trace: Trace
  /** The loaded ones, the earliest first. */
  deliveries: readonly TracedDelivery[]
  /** Whether all are loaded; until then they have no numbers. */
  isWhole: boolean
}

function Covers({ delivery: { covers } }: { delivery: TracedDelivery }) {
  return useFormat().dayRange(covers.from, covers.to)
}

function FigureHead({ children }: { children: string }) {
  return (
    <th scope="col" className={kit.end}>
      {children}
    </th>
  )
}

function TraceTable({ trace, deliveries, isWhole, report }: DeliveriesProps & { report: Report }) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const { as_of, value, value_then } = trace
  const figure = (text: string | null, otherwise: string, delivery?: TracedDelivery) => (
    <td className={kit.end}>
      {text !== null ? (
        format.figure(text, report.unit)
      ) : delivery === undefined || delivery.value === null ? (
        <span className="quiet">{otherwise}</span>
      ) : (
        <s className="quiet">
          <span className="unseen">{otherwise}</span> {format.figure(delivery.value, report.unit)}
        </s>
      )}
      {delivery !== undefined && <Course delivery={delivery} unit={report.unit} />}
    </td>
  )
  return (
    <section className={kit.scroll} aria-label={t('whatEachGave')}>
      <table className={`${kit.table} ${classes.table}`}>
        <caption className="unseen">{t('whatEachGave')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('delivery')}</th>
            {as_of !== null && <FigureHead>{t('known', { day: names.toDay(as_of) })}</FigureHead>}
            <FigureHead>{t(as_of === null ? 'gives' : 'knownNow')}</FigureHead>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery, index) => (
            <tr key={delivery.artifact_id}>
              <th scope="row">
                {isWhole && `${index + 1}. `}
                {names.toDay(delivery.received_at)}
                <span className={kit.second}>
                  <Covers delivery={delivery} />
                </span>
              </th>
              {as_of !== null &&
                figure(
                  delivery.counts_then,
                  t(delivery.received_then === false ? 'notYetSent' : 'superseded'),
                )}
              {figure(delivery.counts_now, t(delivery.superseded ? 'superseded' : 'nothing'), delivery)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t(report.combines === 'sum' ? 'sum' : 'value')}</th>
            {as_of !== null && figure(value_then, t('notKnown'))}
            {figure(value, t('noFigure'))}
          </tr>
        </tfoot>
      </table>
      {value !== null && value_then !== null && (
        <p className={classes.difference}>
          <span>{t('difference')}</span>
          <span>{format.figure(subtract(value, value_then), report.unit, { sign: true })}</span>
        </p>
      )}
    </section>
  )
}

/** The step from the statements that it replaced, or the sum of events with it. */
function Course({ delivery: { step, running }, unit }: { delivery: TracedDelivery; unit: string }) {
  const t = useTexts('reports')
  const format = useFormat()
  if (step !== null)
    return (
      <span className={kit.second}>
        {t('changes.step', { step: format.figure(step, unit, { sign: true }) })}
      </span>
    )
  if (running === null) return null
  return <span className={kit.second}>{t('changes.running', { sum: format.figure(running, unit) })}</span>
}

function Deliveries({
  trace,
  deliveries,
  isWhole,
  figure,
  onChange,
}: DeliveriesProps & { figure: FigureQuery; onChange: TraceDrawerProps['onChange'] }) {
  const t = useTexts('reports')
  const links = useLinks()
  const format = useFormat()
  const count = deliveries.length
  return (
    <section>
      <h3>
        {isWhole
          ? t('deliveries', { count, number: format.count(count) })
          : t('lastDeliveries', { number: format.count(count) })}
      </h3>
      <ol className={classes.list}>
        {deliveries.map((delivery, index) => (
          <li key={delivery.artifact_id} className={classes.delivery}>
            <div className={classes.head}>
              <b>
                {isWhole && `${index + 1}. `}
                {format.instant(delivery.received_at)}
              </b>
              <State delivery={delivery} deliveries={isWhole ? deliveries : []} />
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
                <Link {...links.delivery(delivery.artifact_id)}>{t('openDelivery')}</Link>
              )}
            </div>
            {trace.delivery_visible && (
              <Row>
                {delivery.rows > 0 && (
                  <Link {...links.figureRows(delivery.artifact_id, figure)}>{t('changes.rows')}</Link>
                )}
                {delivery.replaces.map((against) => {
                  const place = deliveries.findIndex(({ artifact_id }) => artifact_id === against)
                  const since = isWhole && delivery.replaces.length > 1 && place >= 0
                  return (
                    <Button
                      key={against}
                      small
                      variant="quiet"
                      onClick={() => onChange({ changed: delivery.artifact_id, against })}
                    >
                      {since ? t('changes.since', { number: place + 1 }) : t('changes.open')}
                    </Button>
                  )
                })}
              </Row>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Whether a delivery counts, or which ones superseded it, by their numbers where these are known. */
function State({
  delivery: { superseded, superseded_by },
  deliveries,
}: {
  delivery: TracedDelivery
  deliveries: readonly TracedDelivery[]
}) {
  const t = useTexts('reports')
  if (superseded_by.length === 0 && !superseded) return <PlainState>{t('counts')}</PlainState>
  const by = deliveries.flatMap(({ artifact_id }, index) =>
    superseded_by.includes(artifact_id) ? [index + 1] : [],
  )
  const unnumbered = superseded ? 'supersededWord' : 'partlySuperseded'
  const numbered = superseded ? 'supersededBy' : 'partlySupersededBy'
  return <Badge icon="diamond">{by.length === 0 ? t(unnumbered) : t(numbered, { by: by.join(', ') })}</Badge>
}
