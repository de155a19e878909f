import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { useTexts } from '../language/language.ts'
import { useMember } from '../session/member.ts'
import type { ControlsProps } from './controls/choice-panel.tsx'
import classes from './look-line.module.css'
import { useNames } from './names.ts'
import { lookQuery, type ReportId, toReportRequest } from './report-queries.ts'

/** Changed periods that are named. */
const namedMax = 3

/** Which closed periods have another figure than when the member last looked. It keeps its height while that is loaded. */
export function LookLine({ id, report, search, today }: ControlsProps & { id: ReportId }) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const { fiscal_year_month } = useCompany()
  const request = toReportRequest(id, search, today, fiscal_year_month)
  const { data } = useQuery(lookQuery(request, useMember().csrf_token))
  if (report.as_of !== null) return null
  if (data === undefined) return <p className={`small ${classes.line}`} />
  const { looked_at, changed } = data
  if (looked_at === null) return <p className={`small ${classes.line}`}>{t('look.first')}</p>
  const since = { day: names.toDay(looked_at) }
  if (changed.length === 0) return <p className={`small ${classes.line}`}>{t('look.same', since)}</p>
  const count = changed.length
  return (
    <p className={`small ${classes.line}`}>
      {t(`look.${report.grain}`, { ...since, count, number: format.count(count) })}{' '}
      {changed
        .toReversed()
        .slice(0, namedMax)
        .map(({ start }, index) => (
          <span key={start}>
            {index > 0 && ', '}
            <Link to="." search={{ ...search, trace: start, of: undefined }} resetScroll={false}>
              {names.periodInTable(start, report.grain)}
            </Link>
          </span>
        ))}
      {count > namedMax && ` ${t('look.more', { number: format.count(count - namedMax) })}`}
    </p>
  )
}
