import type { ReactNode } from 'react'
import { useTexts } from '../language/language.ts'
import { AsOfChoice } from '../reports/controls/as-of-choice.tsx'
import { RangeChoice } from '../reports/controls/range-choice.tsx'
import type { ReportSearch } from '../reports/report-search.ts'
import type { CombinedReport } from '../saved-views/saved-views.ts'
import { Segmented, Toggle } from '../ui/controls/segmented.tsx'
import { Row } from '../ui/layout/page.tsx'
import { parseViewSearch, type ViewSearch } from './view-search.ts'

/** What a combined report shows, which the address keeps. */
export function ViewControls({
  report: { grain, grains },
  search,
  today,
  onChange,
  children,
}: {
  report: CombinedReport
  search: ViewSearch
  today: string
  onChange: (search: ViewSearch) => void
  children: ReactNode
}) {
  const t = useTexts('reports')
  const { line, ...choices } = search
  // Those of a report, without the lines.
  const shared = {
    search: choices as ReportSearch,
    today,
    onChange: (next: ReportSearch) => onChange({ ...parseViewSearch({ ...next }), line }),
  }
  return (
    <Row>
      <RangeChoice {...shared} />
      {grains.length > 1 && (
        <Segmented
          label={t('countedBy')}
          value={search.grain ?? grain}
          options={grains.map((value) => ({ value, label: t(`grain.${value}`) }))}
          onChange={(value) => onChange({ ...search, grain: value, period: undefined })}
        />
      )}
      <Toggle
        pressed={search.year === undefined}
        onToggle={(pressed) => onChange({ ...search, year: pressed ? undefined : 'no' })}
      >
        {t('yearBefore')}
      </Toggle>
      <AsOfChoice {...shared} />
      {children}
    </Row>
  )
}
