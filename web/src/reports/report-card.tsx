import { Link } from '@tanstack/react-router'
import { useCompany } from '../company/company.ts'
import type { ReportCard as Card } from '../company/report-list.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useTexts } from '../language/language.ts'
import { Badge } from '../ui/badge.tsx'
import { useNow } from '../ui/use-now.ts'
import { ChangeLine } from './change-line.tsx'
import { useNames } from './names.ts'
import classes from './report-card.module.css'
import { Sparkline } from './sparkline.tsx'

/** One metric of one source at a glance. The whole card opens its report, which is asked for when it is pointed at. */
export function ReportCard({ card }: { card: Card }) {
  const { company_id } = useCompany()
  const names = useNames()
  const { source_id, source_name, metric, grain } = card
  return (
    <li className={classes.card}>
      <div className={classes.body}>
        <div className={classes.head}>
          <h2 className={classes.name}>
            <Link
              to="/companies/$companyId/reports/$sourceId/$metric"
              params={{ companyId: company_id, sourceId: source_id, metric }}
              search={{ grain }}
              className={classes.link}
            >
              <bdi>{names.metric(metric, card.name)}</bdi>
            </Link>
          </h2>
          <CardBadge card={card} />
        </div>
        <p className={classes.source}>
          <bdi>{source_name}</bdi> · {names.unit(card.unit)}
        </p>
        <Figures card={card} />
      </div>
      <p className={`${classes.foot} ${card.freshness.late ? classes.late : ''}`}>
        <Freshness card={card} />
      </p>
    </li>
  )
}

function CardBadge({ card: { source_state, freshness, restated_periods, grain } }: { card: Card }) {
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
    <Badge tone="outline" icon="diamond">
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
  const { latest, previous, year_before, unfinished, grain, total } = card
  if (!total) {
    return (
      <>
        <div className={classes.figures}>
          <p className={classes.none}>{t('notAdded')}</p>
        </div>
        <div className={classes.space} />
      </>
    )
  }
  const going = names.periodAtStart(unfinished.period_start, grain)
  return (
    <>
      <div className={classes.figures}>
        {latest === null || latest.value === null ? (
          <p className={classes.none}>{t('noneFinished')}</p>
        ) : (
          <>
            <p className={classes.period}>{format.period(latest.period_start, grain)}</p>
            <p className={classes.value}>{format.number(latest.value)}</p>
            {previous !== null && (
              <ChangeLine
                value={latest.value}
                base={previous.value}
                on={names.period(previous.period_start, grain)}
              />
            )}
            {year_before !== null && (
              <ChangeLine
                value={latest.value}
                base={year_before.value}
                on={names.periodOfYear(year_before.period_start, grain)}
              />
            )}
          </>
        )}
      </div>
      <Sparkline card={card} />
      <p className={classes.going}>
        <span>{unfinished.value === null ? going : t('soFar', { period: going })}</span>
        <span>{unfinished.value === null ? t('noFigure') : format.number(unfinished.value)}</span>
      </p>
    </>
  )
}

/** Until then a delivery is so many hours ago. */
const nearMs = 2 * 86_400_000

/** When the source delivered last, by its own rhythm. */
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
  // Days ago are counted by who wonders; otherwise the day says more.
  const isNear = late || now - Date.parse(last_received_at) < nearMs
  const when = isNear ? format.ago(last_received_at, now) : names.dayOf(last_received_at)
  if (usual_seconds === null) return t('lastDelivery', { when })
  const rhythm = format.rhythm(usual_seconds)
  return t(late ? 'lastDeliveryLate' : 'lastDeliveryUsual', { when, rhythm })
}
