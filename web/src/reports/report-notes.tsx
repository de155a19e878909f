import { Link } from '@tanstack/react-router'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useTexts } from '../language/language.ts'
import { Button, Buttons } from '../ui/controls/button.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { Section } from '../ui/layout/section.tsx'
import { capitalize } from '../language/capitalize.ts'
import { useNames } from './names.ts'
import type { ControlsProps } from './controls/choice-panel.tsx'
import { getFinding, getVintageDifference } from './finding.ts'
import type { Report } from './report-queries.ts'
import { getFilters, withFilter } from './report-search.ts'
import type { ShownSeries } from './shown-series.ts'
import { useNamedValues, useValueName } from './value-names.ts'

/** The report in a sentence, also for readers who do not see the chart. */
export function FindingLine({ report, series }: { report: Report; series: readonly ShownSeries[] }) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const nameValue = useValueName()
  if (report.as_of !== null || report.totals === null) return null
  const found = getFinding(report, series, (value, base) => format.change(value, base, report.unit))
  // Keeps its line, so that nothing moves in another range.
  if (found === undefined) return <p>{'\u00A0'}</p>
  const { periods, grain, by } = report
  const { previous, yearBefore, current, largest } = found
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
  ].filter(Boolean)
  const period = capitalize(names.period(periods[found.period]!.start, grain))
  const number = format.figure(found.value, report.unit)
  const unit = names.unit(report.unit)
  const value = report.unit === 'count' ? number : t('finding.amount', { unit, value: number })
  return (
    <p>
      {t('finding.value', { period, value })}
      {comparisons.length > 0 && `: ${comparisons.join(` ${t('and')} `)}`}.{' '}
      {largest !== undefined &&
        `${t('finding.largest', {
          name: isolate(nameValue(by ?? '', largest.key)),
          percent: format.percent(String(largest.percent)),
        })} `}
      {current !== undefined &&
        t(`finding.current.${current.change.direction}`, {
          period: capitalize(names.period(periods[current.period]!.start, grain)),
          change: current.change.text,
          days: names.yearBefore(report.year_before!, current.period, grain),
        })}
    </p>
  )
}

/** What was known at an instant, what is cut off or left out, and what has to be chosen first. */
export function ReportNotes(props: ControlsProps) {
  const t = useTexts('reports')
  const format = useFormat()
  const { as_of, window, complete, left_out: count, choose } = props.report
  const cutFrom = { day: format.day(window.from), count: window.max_days }
  return (
    <>
      {as_of !== null && <VintageNote {...props} />}
      {(!complete || window.narrowed) && (
        <Note tone="amber" icon="info" title={t('cut')}>
          {window.narrowed ? t('cutFrom', cutFrom) : t('cutYear')}
        </Note>
      )}
      {count > 0 && (
        <Note tone="amber" icon="info" title={t('leftOut', { count, number: format.count(count) })}>
          {t('leftOutText')}
        </Note>
      )}
      {choose.length > 0 && <ChooseFirst {...props} />}
    </>
  )
}

function VintageNote({ report, search }: ControlsProps) {
  const t = useTexts('reports')
  const format = useFormat()
  const difference = getVintageDifference(report)
  const { changed = 0, by, unknown = 0 } = difference ?? {}
  const number = format.count
  const sentences = [
    changed === 0 ? t('vintage.same') : t('vintage.changed', { count: changed, number: number(changed) }),
    by !== undefined && t('vintage.by', { value: format.figure(by, report.unit, { sign: true }) }),
    unknown > 0 && ` ${t('vintage.unknown', { count: unknown, number: number(unknown) })}`,
  ]
  return (
    <Note icon="clock" title={t('vintage.title', { when: format.instant(report.as_of!) })}>
      {difference && sentences.filter(Boolean).join('')}{' '}
      <Link to="." search={{ ...search, as_of: undefined }}>
        {t('backToNow')}
      </Link>
    </Note>
  )
}

/** The most values with a button; the filters have all. */
const choicesMax = 12

/** Where labels cannot be combined, as for distinct counts: chooses a value of each, or a series for each value of one. */
function ChooseFirst({ report: { choose, labels, by }, search, onChange }: ControlsProps) {
  const t = useTexts('reports')
  const nameValues = useNamedValues()
  const picked = getFilters(search)
  const [only = ''] = choose
  return (
    <Card>
      <Section title={t('choose.title')} line={t('choose.text')}>
        {choose.length === 1 && by === null && (
          <div>
            <Button variant="primary" onClick={() => onChange({ ...search, by: only })}>
              {t('choose.by', { label: only })}
            </Button>
          </div>
        )}
        {labels
          .filter(({ name }) => choose.includes(name))
          .map(({ name, values }) => (
            <div key={name}>
              <h3>{t('choose.one', { label: isolate(name) })}</h3>
              <Buttons>
                {nameValues(name, values)
                  .slice(0, choicesMax)
                  .map(({ value, name: shown }) => (
                    <Button
                      key={value}
                      small
                      {...(picked[name]?.includes(value) && { 'aria-pressed': true })}
                      onClick={() => onChange(withFilter(search, name, [value]))}
                    >
                      <bdi>{shown}</bdi>
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
