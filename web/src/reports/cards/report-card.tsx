import type { ReportCard as Card } from '../../company/report-list.ts'
import { useFormat } from '../../company/use-format.ts'
import { isolate } from '../../language/isolate.ts'
import { useTexts } from '../../language/language.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { RowLink } from '../../ui/display/table.tsx'
import { useNow } from '../../ui/use-now.ts'
import { ChangeLine } from '../change-line.tsx'
import { useNames } from '../names.ts'
import { useLinks } from '../../company/use-links.ts'
import classes from './report-card.module.css'
import { Sparkline } from './sparkline.tsx'

/** One metric of one source at a glance, linked to its report as a whole. */
export function ReportCard({ card }: { card: Card }) {
  const names = useNames()
  const links = useLinks()
  const { source_id, source_name, metric, grain } = card
  return (
    <li className={classes.card}>
      <div className={classes.body}>
        <div className={classes.head}>
          <h2 className={classes.name}>
            <RowLink {...links.report(source_id, metric)} search={{ grain }}>
              <bdi>{names.metric(metric, card.name)}</bdi>
            </RowLink>
          </h2>
          <CardBadge card={card} />
        </div>
        <p className={`small ${classes.cut}`}>
          <bdi>{source_name}</bdi> · {names.unit(card.unit)}
        </p>
        <Figures card={card} />
      </div>
      <p className={`small ${classes.foot} ${card.freshness.late ? classes.late : ''}`}>
        <Freshness card={card} />
      </p>
    </li>
  )
}

function CardBadge({
  card: { source_state, freshness, restated_periods, changed_since_look, grain },
}: {
  card: Card
}) {
  const t = useTexts('reports')
  const format = useFormat()
  if (source_state === 'paused') return <Badge icon="pause">{t('paused')}</Badge>
  if (freshness.late) {
    return (
      <Badge tone="amber" icon="clock">
        {t('late')}
      </Badge>
    )
  }
  const last = restated_periods.at(-1)
  if (last === undefined) return null
  return (
    <Badge tone={changed_since_look ? 'amber' : 'outline'} icon="diamond">
      {changed_since_look && <span className="unseen">{t('sinceLook')}: </span>}
      {restated_periods.length === 1
        ? t('restatedPeriod', { period: format.tick(last.period_start, grain) })
        : t('restatedPeriods', { count: restated_periods.length })}
    </Badge>
  )
}

function Figures({ card }: { card: Card }) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const { unfinished, grain } = card
  if (!card.total) {
    return (
      <>
        <div className={classes.figures}>
          <p className="quiet">{t('notAdded')}</p>
        </div>
        <div className={classes.space} />
      </>
    )
  }
  const current = names.periodAtStart(unfinished.period_start, grain)
  return (
    <>
      <div className={classes.figures}>
        <Latest card={card} />
      </div>
      <Sparkline card={card} />
      <p className={`small ${classes.current}`}>
        <span>{unfinished.value === null ? current : t('soFar', { period: current })}</span>
        <span>{unfinished.value === null ? t('noFigure') : format.figure(unfinished.value, card.unit)}</span>
      </p>
      <SameDays card={card} />
    </>
  )
}

/** How the current period differs from the same days a year before. Its place stays where there are none. */
function SameDays({ card: { unfinished, unit, grain } }: { card: Card }) {
  const names = useNames()
  const { value, year_before: year } = unfinished
  const on = year && names.yearBefore({ starts: [year.period_start], ends: [year.to] }, 0, grain)
  return (
    <div className={classes.sameDays}>
      {year !== null && year.value !== null && value !== null && (
        <ChangeLine value={value} base={year.value} unit={unit} on={on ?? ''} />
      )}
    </div>
  )
}

/** The last finished period, and how it differs from the one before and from the same a year before. */
function Latest({ card: { latest, previous, year_before, grain, unit } }: { card: Card }) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  if (latest === null || latest.value === null) return <p className="quiet">{t('noneFinished')}</p>
  const { value, period_start } = latest
  return (
    <>
      <p className={`small ${classes.cut}`}>{format.period(period_start, grain)}</p>
      <p className={classes.value}>{format.figure(value, unit)}</p>
      {previous !== null && (
        <ChangeLine
          value={value}
          base={previous.value}
          unit={unit}
          on={names.period(previous.period_start, grain)}
        />
      )}
      {year_before !== null && (
        <ChangeLine
          value={value}
          base={year_before.value}
          unit={unit}
          on={names.periodOfYear(year_before.period_start, grain)}
        />
      )}
    </>
  )
}

/** Until then a delivery is so long ago; after that its day is given. */
const nearMs = 2 * 86_400_000

/** When the source last delivered, and how often it usually does. */
function Freshness({ card: { source_state, paused_at, paused_by, freshness } }: { card: Card }) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const now = useNow()
  const { last_received_at, usual_seconds, late } = freshness
  if (source_state === 'paused') {
    if (paused_at === null) return t('paused')
    const ago = format.ago(paused_at, now)
    return paused_by?.name == null
      ? t('pausedAgo', { ago })
      : t('pausedBy', { ago, who: isolate(paused_by.name) })
  }
  if (last_received_at === null) return t('neverDelivered')
  const isNear = late || now - Date.parse(last_received_at) < nearMs
  const when = isNear ? format.ago(last_received_at, now) : names.toDay(last_received_at)
  if (usual_seconds === null) return t('lastDelivery', { when })
  const rhythm = format.rhythm(usual_seconds)
  return t(late ? 'lastDeliveryLate' : 'lastDeliveryUsual', { when, rhythm })
}
