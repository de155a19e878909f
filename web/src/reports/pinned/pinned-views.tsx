import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useCompany } from '../../company/company.ts'
import type { ReportCard as Card } from '../../company/report-list.ts'
import { useFormat } from '../../company/use-format.ts'
import { useLinks } from '../../company/use-links.ts'
import { addDays, type Grain } from '../../language/format-day.ts'
import { isolate } from '../../language/isolate.ts'
import { en } from '../../language/en/views.ts'
import { addTexts, useTexts } from '../../language/language.ts'
import { sv } from '../../language/sv/views.ts'
import {
  combinedQuery,
  mayChange,
  type SavedView,
  toLineUnit,
  useSavedViews,
} from '../../saved-views/saved-views.ts'
import { useChangeView, ViewMenu } from '../../saved-views/view-menu.tsx'
import { RowLink } from '../../ui/display/table.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { LiveRegion } from '../../ui/feedback/live.tsx'
import { MenuItem } from '../../ui/overlays/popover.tsx'
import { parseSearch } from '../../ui/search-params.ts'
import { useNow } from '../../ui/use-now.ts'
import cardClasses from '../cards/report-card.module.css'
import { ChangeLine } from '../change-line.tsx'
import { useNames } from '../names.ts'
import { parseReportSearch } from '../report-search.ts'
import classes from './pinned-views.module.css'

addTexts('views', { en, sv })

/** The saved views: pinned ones as cards in their order, then links to the others. */
export function PinnedViews({ cards }: { cards: readonly Card[] }) {
  const t = useTexts('views')
  const company = useCompany()
  const links = useLinks()
  const { data: views = [] } = useSavedViews(company.company_id)
  const { moved, move, error } = useMoves(views)
  const pinned = views.filter((view) => view.pinned)
  const others = views.filter((view) => !view.pinned)
  return (
    <>
      <LiveRegion>{moved}</LiveRegion>
      {error !== null && <Failure error={error} title={t('changeFailed')} />}
      {pinned.length > 0 && (
        <ul className={cardClasses.cards} aria-label={t('pinned')}>
          {pinned.map((view) => (
            <PinnedView key={view.view_id} view={view} cards={cards}>
              {mayChange(company, view) && (
                <ViewMenu view={view}>
                  {([-1, 1] as const).map((step) => (
                    <MenuItem
                      key={step}
                      icon={step < 0 ? 'arrowUp' : 'arrowDown'}
                      disabled={findNeighbour(pinned, view, step) === undefined}
                      onClick={() => move(view, findNeighbour(pinned, view, step)!)}
                    >
                      {t(step < 0 ? 'moveUp' : 'moveDown')}
                    </MenuItem>
                  ))}
                </ViewMenu>
              )}
            </PinnedView>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul className={`plain ${classes.others}`} aria-label={t('others')}>
          {others.map((view) => (
            <li key={view.view_id}>
              <Link {...links.view(view.view_id)}>
                <bdi>{view.name}</bdi>
              </Link>
              {mayChange(company, view) && <ViewMenu view={view} />}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The next one of its like: the company's and one's own have an order each. */
function findNeighbour(pinned: readonly SavedView[], view: SavedView, step: -1 | 1): SavedView | undefined {
  const alike = pinned.filter((other) => other.for === view.for)
  return alike[alike.indexOf(view) + step]
}

/** Moves views to the places of others; the focus follows. */
function useMoves(views: readonly SavedView[]) {
  const t = useTexts('views')
  const [movedId, setMovedId] = useState<string>()
  const { change, error } = useChangeView()
  const place = views.filter((view) => view.pinned).findIndex(({ view_id }) => view_id === movedId)
  useEffect(() => {
    if (movedId !== undefined && place >= 0)
      document.querySelector<HTMLElement>(`[id="view ${movedId}"] button`)?.focus()
  }, [movedId, place])
  return {
    error,
    moved:
      place >= 0 &&
      t('moved', { name: isolate(views.find(({ view_id }) => view_id === movedId)!.name), place: place + 1 }),
    move: (view: SavedView, to: SavedView): void => {
      setMovedId(view.view_id)
      const alike = views.filter((other) => other.for === view.for)
      change(view, { place: alike.indexOf(to) })
    },
  }
}

function PinnedView({
  view,
  cards,
  children,
}: {
  view: SavedView
  cards: readonly Card[]
  children: React.ReactNode
}) {
  const links = useLinks()
  return (
    <li id={`view ${view.view_id}`} className={cardClasses.card}>
      <div className={cardClasses.body}>
        <div className={cardClasses.head}>
          <h2 className={cardClasses.name}>
            <RowLink {...links.view(view.view_id)}>
              <bdi>{view.name}</bdi>
            </RowLink>
          </h2>
          <div className={classes.menu}>{children}</div>
        </div>
        {view.source_id === null ? (
          <CombinedFigure view={view} />
        ) : (
          <ReportFigure view={view} cards={cards} />
        )}
      </div>
    </li>
  )
}

interface FigureProps {
  /** Under the name. */
  about: string
  unit: string
  grain: Grain
  latest: { start: string; value: string | null } | undefined
  previous: { start: string; value: string | null } | undefined
  note?: string
}

function Figure({ about, unit, grain, latest, previous, note = '' }: FigureProps) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  return (
    <>
      <p className={`small ${cardClasses.cut}`}>{[about, names.unit(unit)].filter(Boolean).join(' · ')}</p>
      <div className={classes.figure}>
        {latest?.value == null ? (
          <p className="quiet">{t('noneFinished')}</p>
        ) : (
          <>
            <p className="small">
              {format.period(latest.start, grain)} {note}
            </p>
            <p className={cardClasses.value}>{format.figure(latest.value, unit)}</p>
            {previous !== undefined && (
              <ChangeLine
                value={latest.value}
                base={previous.value}
                unit={unit}
                on={names.period(previous.start, grain)}
              />
            )}
          </>
        )}
      </div>
    </>
  )
}

/** The figure of the report's card, where the view shows the same: all labels, as of now. */
function ReportFigure({ view, cards }: { view: SavedView; cards: readonly Card[] }) {
  const names = useNames()
  const card = cards.find(({ source_id, metric }) => source_id === view.source_id && metric === view.metric)
  const search = parseSearch(view.search)
  const isSame = !Object.keys(search).some((name) => /^(?:where\.|without$|as_of$|to$)/.test(name))
  if (card === undefined || !isSame || !card.total) {
    return <div className={classes.figure}>{card?.source_name}</div>
  }
  const { latest, previous, grain, unit } = card
  const toFigure = (of: typeof previous) =>
    of === null ? undefined : { start: of.period_start, value: of.value }
  return (
    <Figure
      about={`${names.metric(card.metric, card.name)} · ${isolate(card.source_name)}`}
      unit={unit}
      grain={grain}
      latest={toFigure(latest)}
      previous={toFigure(previous)}
    />
  )
}

/** Days that have three whole months in them. */
const recentDays = 124

/** The last finished figure of the first line, from its last periods alone. */
function CombinedFigure({ view }: { view: SavedView }) {
  const t = useTexts('views')
  const { company_id } = useCompany()
  const today = useFormat().today(useNow())
  const raw = parseSearch(view.search)
  const line = [raw['line']].flat()[0]
  const { grain, to, as_of } = parseReportSearch(raw)
  const last = to !== undefined && to < today ? to : today
  const { data } = useQuery(
    combinedQuery(company_id, {
      line: String(line),
      from: addDays(last, -recentDays),
      to: addDays(last, 1),
      ...(grain !== undefined && { grain }),
      ...(as_of !== undefined && { as_of }),
    }),
  )
  const [first] = data?.answer.lines ?? []
  if (first === undefined) {
    // As high as what comes.
    return (
      <>
        <p className="small">{t('combined')}</p>
        <div className={classes.figure} />
      </>
    )
  }
  const { periods, grain: shown } = data!.answer
  const at = periods.findLastIndex(({ finished }, index) => finished && first.values[index]!.value !== null)
  const toFigure = (index: number) =>
    index < 0 ? undefined : { start: periods[index]!.start, value: first.values[index]!.value }
  const { missing = [] } = first.values[at] ?? {}
  const sources = [...first.numerator, ...(first.denominator ?? [])]
    .filter(({ source_id, metric }) => missing.includes(`${source_id}.${metric}`))
    .map(({ source_name }) => isolate(source_name))
  return (
    <Figure
      about={t('combined')}
      unit={toLineUnit(first)}
      grain={shown}
      latest={toFigure(at)}
      previous={toFigure(at - 1)}
      note={sources.length > 0 ? `(${t('missing', { sources: sources.join(', ') })})` : ''}
    />
  )
}
