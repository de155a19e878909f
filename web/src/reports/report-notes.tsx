import { Link } from '@tanstack/react-router'
import { useFormat } from '../company/use-format.ts'
import { add } from '../decimals/decimal.ts'
import { isolate } from '../language/isolate.ts'
import { useTexts } from '../language/language.ts'
import { Button, Buttons } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Note } from '../ui/note.tsx'
import { Section } from '../ui/section.tsx'
import { capital } from './capital.ts'
import { findingOf, vintageDifference } from './finding.ts'
import { useNames } from './names.ts'
import type { Report } from './report-queries.ts'
import { filtersOf, type ReportSearch, withFilter } from './report-search.ts'
import type { ShownSeries } from './shown-series.ts'

/** The report in a sentence: what the chart shows, for those who do not see it too. */
export function FindingLine({ report, series }: { report: Report; series: readonly ShownSeries[] }) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  if (report.as_of !== null || report.totals === null) return null
  const found = findingOf(report, series, format.change)
  // Its room, so that in other days nothing below moves.
  if (found === undefined) return <p>{'\u00A0'}</p>
  const { periods, grain, unit, by } = report
  const { previous, yearBefore, largest } = found
  const comparisons = [
    previous &&
      t(`finding.${previous.change.direction}`, {
        change: previous.change.text,
        period: names.period(periods[previous.period]!.start, grain),
      }),
    yearBefore &&
      t(`finding.${yearBefore.change.direction}`, {
        change: yearBefore.change.text,
        period: names.periodOfYear(yearBefore.start, grain),
      }),
  ].filter((text) => text !== undefined)
  const named = names.period(periods[found.period]!.start, grain)
  const figure =
    unit === 'count'
      ? format.number(found.value)
      : t('finding.amount', { unit: names.unit(unit), value: format.number(found.value) })
  return (
    <p>
      {t('finding.value', { period: capital(named), value: figure })}
      {comparisons.length > 0 && `: ${comparisons.join(` ${t('and')} `)}`}.{' '}
      {largest !== undefined &&
        t('finding.largest', {
          name: isolate(names.value(by ?? '', largest.key)),
          percent: format.percent(String(largest.percent)),
        })}
    </p>
  )
}

interface NotesProps {
  report: Report
  search: ReportSearch
  onChange: (search: ReportSearch) => void
}

/** What holds for all that stands below: what was known then, what was cut, and what is to be chosen first. */
export function ReportNotes(props: NotesProps) {
  const t = useTexts('reports')
  const format = useFormat()
  const { report } = props
  const { window, complete, left_out, choose } = report
  const isCut = !complete || window.narrowed
  return (
    <>
      {report.as_of !== null && <VintageNote {...props} />}
      {isCut && (
        <Note tone="amber" icon="info" title={t('cut')}>
          {window.narrowed
            ? t('cutFrom', { day: format.day(window.from), count: window.max_days })
            : t('cutYear')}
        </Note>
      )}
      {left_out > 0 && (
        <Note
          tone="amber"
          icon="info"
          title={t('leftOut', { count: left_out, number: format.count(left_out) })}
        >
          {t('leftOutText')}
        </Note>
      )}
      {choose.length > 0 && <ChooseFirst {...props} />}
    </>
  )
}

function VintageNote({ report, search }: NotesProps) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const difference = vintageDifference(report, (values) => values.reduce(add))
  const words = (count: number): string => capital(names.inWords(count))
  const said = difference && [
    difference.changed === 0
      ? t('vintage.same')
      : t('vintage.changed', { count: difference.changed, number: words(difference.changed) }) +
        (difference.by === undefined ? '' : t('vintage.by', { value: format.signed(difference.by) })),
    difference.unknown > 0 &&
      t('vintage.unknown', { count: difference.unknown, number: words(difference.unknown) }),
  ]
  return (
    <Note icon="clock" title={t('vintage.title', { when: format.instant(report.as_of!) })}>
      {said?.filter(Boolean).join(' ')}{' '}
      <Link to="." search={{ ...search, as_of: undefined }}>
        {t('backToNow')}
      </Link>
    </Note>
  )
}

/** Buttons at most; what there is more is among the filters. */
const choicesMax = 12

/** Distinct counts and last values of several labels come to nothing together: one value is chosen, or one series for each. */
function ChooseFirst({ report, search, onChange }: NotesProps) {
  const t = useTexts('reports')
  const names = useNames()
  const { choose, labels } = report
  const picked = filtersOf(search)
  return (
    <Card>
      <Section title={t('choose.title')} line={t('choose.text')}>
        {choose.length === 1 && report.by === null && (
          <div>
            <Button variant="primary" onClick={() => onChange({ ...search, by: choose[0]! })}>
              {t('choose.by', { label: choose[0]! })}
            </Button>
          </div>
        )}
        {labels
          .filter(({ name }) => choose.includes(name))
          .map(({ name, values }) => (
            <div key={name}>
              <h3>{t('choose.one', { label: isolate(name) })}</h3>
              <Buttons>
                {values.slice(0, choicesMax).map((value) => (
                  <Button
                    key={value}
                    small
                    {...(picked[name]?.includes(value) === true && { 'aria-pressed': true })}
                    onClick={() => onChange(withFilter(search, name, [value]))}
                  >
                    <bdi>{names.value(name, value)}</bdi>
                  </Button>
                ))}
              </Buttons>
              {values.length > choicesMax && <p className="small">{t('choose.more')}</p>}
            </div>
          ))}
      </Section>
    </Card>
  )
}
