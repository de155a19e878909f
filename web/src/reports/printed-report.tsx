import { useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { useTexts } from '../language/language.ts'
import { useNow } from '../ui/use-now.ts'
import { useNames } from './names.ts'
import classes from './report-page.module.css'
import type { Report } from './report-queries.ts'
import { usePageMargins } from './use-page-margins.ts'
import { useValueName } from './value-names.ts'

/** More does not fit into a page's margin. */
const filterCharactersMax = 120

/** The head and the foot of a printed report: whose it is, what it shows, and as of when. */
export function PrintedReport({ report }: { report: Report }) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const nameValue = useValueName()
  const company = useCompany()
  const now = new Date(useNow()).toISOString()
  const { periods, where, as_of } = report
  const [first, last] = [periods[0], periods.at(-1)]
  const filters = Object.entries(where)
    .map(([label, values]) => `${label}: ${values.map((value) => nameValue(label, value)).join(', ')}`)
    .join('; ')
  const cut = filters.length > filterCharactersMax ? `${filters.slice(0, filterCharactersMax)}…` : filters
  const range = first === undefined ? '' : format.dayRange(first.start, last!.end)
  const printed = {
    headLeft: `${company.name} · ${company.orgnr}`,
    headRight: `${names.metric(report.metric, report.name)} · ${report.source_name}`,
    footLeft: [range, cut, t('asKnownOn', { when: format.instant(as_of ?? now) })]
      .filter(Boolean)
      .join(' · '),
  }
  if (usePageMargins({ ...printed, isLandscape: true })) return null
  return <p className={classes.printedOnce}>{Object.values(printed).join(' · ')}</p>
}
